"""Programs that run, in which nothing must be reported."""

from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np


class Params(NamedTuple):
    w: jax.Array
    b: jax.Array


def init(key: jax.Array, sizes: list[int]) -> list[Params]:
    layers = []
    for n_in, n_out in zip(sizes[:-1], sizes[1:]):
        key, sub = jax.random.split(key)
        layers.append(Params(jax.random.normal(sub, (n_in, n_out)), jnp.zeros(n_out)))
    return layers


def predict(params: list[Params], x: jax.Array) -> jax.Array:
    for w, b in params[:-1]:
        x = jnp.tanh(x @ w + b)
    w, b = params[-1]
    return x @ w + b


@jax.jit
def update(params: list[Params], x: jax.Array, y: jax.Array, rate: float = 0.1) -> list[Params]:
    def loss(params: list[Params]) -> jax.Array:
        return jnp.mean((predict(params, x) - y) ** 2)

    grads = jax.grad(loss)(params)
    return jax.tree.map(lambda p, g: p - rate * g, params, grads)


@partial(jax.jit, static_argnums=1)
def repeat(x: jax.Array, n: int) -> jax.Array:
    for _ in range(n):
        x = jnp.concatenate([x, x])
    return x


class Filter:
    def __init__(self, n: int) -> None:
        self.x = jnp.zeros(3)
        self.covariance = jnp.eye(3)
        self.history: list[jax.Array] = []

    def step(self, z: float) -> None:
        self.x = self.x + z
        self.x = self.x.reshape(3, 1)
        self.x = self.x[:, 0].astype(jnp.bfloat16)
        self.history.append(self.x)


def main() -> None:
    params = init(jax.random.key(0), [2, 8, 1])
    x = np.ones((5, 2), np.float32)
    params = update(params, jnp.asarray(x), jnp.ones((5, 1)))
    update(params, x, np.ones((5, 1), np.float32))
    y = predict(params, jnp.asarray(x))
    y = y.sum(axis=0)
    y = y.astype(jnp.int8)
    total = 0.0
    total += float(y.sum())
    repeat(jnp.ones(3), 2)
    f = Filter(3)
    f.step(1.0)
    f.step(2.0)
    stacked = jnp.stack(f.history)
    assert stacked.shape == (2, 3)
    losses = []
    losses.append(jnp.asarray(0.0))
    losses.append(jnp.float32(1))
    losses.append(jnp.ones((2, 2)))
    table = {"a": jnp.ones(3)}
    table["b"] = jnp.ones((2, 2), jnp.int8)
    table.update(c=jnp.ones(()))
    unknown = jax.jit(lambda v: v * 2)(jnp.ones(3))
    print(unknown + jnp.ones(3), jnp.ones(3) + unknown)
    mask = jnp.ones(3) > 0
    mask = mask & ~mask | True
    index = jnp.argmax(jnp.ones(3))
    picked = jnp.ones((3, 2))[index]
    picked = picked[None, ...]
    dtype = jnp.float32
    if total > 1e9:
        dtype = jnp.bfloat16
    print(jnp.zeros(3, dtype), isinstance(picked, jax.Array), jnp.ones(3, dtype=x.dtype))
    grid = jnp.meshgrid(jnp.arange(3), jnp.arange(4))
    print(sum(g.sum() for g in grid), max(jnp.ones(3)), [r + 1 for r in jnp.ones((2, 2))])
    print(jnp.asarray(x).at[:, 0].multiply(2), jnp.ones(3).tolist(), complex(jnp.ones(())), bool(jnp.ones(())))


main()
