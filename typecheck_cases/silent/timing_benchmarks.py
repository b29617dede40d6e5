"""Benchmarks that wait for what they measure, and twins that stop the clock before."""

import time
from time import perf_counter

import jax
import jax.numpy as jnp


@jax.jit
def attend(query, key, value):
    scores = jax.nn.softmax(query @ key.T / jnp.sqrt(query.shape[-1]))
    return scores @ value


@jax.jit
def step(params, batch):
    gradient = jax.grad(lambda p: jnp.mean((batch @ p) ** 2))(params)
    return params - 0.1 * gradient


def compile_time(x):
    start = time.perf_counter()
    attend(x, x, x)
    taken = time.perf_counter() - start
    del start
    return taken


def repeated(x, times):
    start = time.perf_counter()
    for _ in range(times):
        x = attend(x, x, x)
    x.block_until_ready()  # mistake a: x = jnp.asarray(x) [array-unused]
    return (time.perf_counter() - start) / times  # shows a


def throughput(params, batches):
    start = perf_counter()
    for batch in batches:
        params = step(params, batch)
    float(params[0])  # mistake b: jnp.sum(params) [array-unused]
    end = perf_counter()  # shows b
    return len(batches) / (end - start)


class Model:
    def __init__(self, size):
        self.w = jnp.eye(size)
        self.apply = jax.jit(lambda w, x: jnp.tanh(x @ w))

    def report(self, x):
        self.apply(self.w, x)
        began = time.time()
        y = self.apply(self.w, x)
        norm = float(jnp.linalg.norm(y))  # mistake c: norm = jnp.linalg.norm(y) [array-unused]
        took = time.time() - began  # shows c
        return took, norm


def dispatch_and_run(x):
    start = time.perf_counter()
    y = attend(x, x, x)
    dispatched = time.perf_counter() - start
    y.block_until_ready()
    return dispatched, time.perf_counter() - start


x = jnp.ones((32, 8))
print(compile_time(x) > 0, repeated(x, 3) > 0, throughput(jnp.ones(8), [x, x, x]) > 0)
print(len(Model(8).report(x)), len(dispatch_and_run(x)))

for size in (8, 16):
    y = jnp.ones((size, 8))
    attend(y, y, y)
    start = time.perf_counter()
    result = jax.device_get(attend(y, y, y))  # mistake d: result = attend(y, y, y) [array-unused]
    print(f"{size}: {time.perf_counter() - start > 0}", result.shape)  # shows d
