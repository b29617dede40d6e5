"""Arguments that are alike in every call, and twins with ever new ones."""

import functools

import jax
import jax.numpy as jnp
from jax import lax


@functools.partial(jax.jit, static_argnames="n")
def power(x, n):
    return x**n


@jax.jit
def power_traced(x, n):
    return x**n


x = jnp.arange(4.0)
for step in range(12):
    y = power_traced(x, step)  # mistake: y = power(x, step) [array-recompile]
print(y)
for n in (1, 2, 3):
    print(power(x, n))


@jax.jit
def attend(query, keys, length):
    scores = keys @ query
    scores = jnp.where(jnp.arange(keys.shape[0]) < length, scores, -jnp.inf)
    return jax.nn.softmax(scores) @ keys


def generate(steps):
    cache = jnp.zeros((steps, 2))
    token = jnp.ones(2)
    for i in range(steps):
        cache = cache.at[i].set(token)
        token = attend(token, cache, i + 1)  # mistake: token = attend(token, cache[: i + 1], i + 1) [array-recompile]
    return token


print(generate(9))


@jax.jit
def average(mean, value):
    return 0.9 * mean + 0.1 * value.astype(jnp.float32)


mean = jnp.float32(0.0)  # mistake a: mean = 0.0 [array-recompile]
for i in range(5):
    mean = average(mean, x[i % 4])  # shows a
print(mean)


@jax.jit
def advance(state, dt):
    position, velocity = state
    return position + dt * velocity, velocity


state = (jnp.zeros(2), jnp.ones(2))  # mistake b: state = (0.0, jnp.ones(2)) [array-recompile]
for _ in range(4):
    state = advance(state, 0.1)  # shows b
print(state[0])


@jax.jit
def diffuse(u):
    def body(_, u):
        return u + 0.1 * (jnp.roll(u, 1) - 2 * u + jnp.roll(u, -1))

    return lax.fori_loop(0, 100, body, u)


@jax.jit
def diffuse_unrolled(u):
    for _ in range(100):  # shows c
        u = u + 0.1 * (jnp.roll(u, 1) - 2 * u + jnp.roll(u, -1))
    return u


@jax.jit
def diffuse_shortly(u):
    for _ in range(4):
        u = u + 0.1 * (jnp.roll(u, 1) - 2 * u + jnp.roll(u, -1))
    total = 0
    for i in range(100):
        total += i
    return u * total


print(diffuse(x))  # mistake c: print(diffuse_unrolled(x)) [array-recompile]
print(diffuse_shortly(x))

train_x, test_x = jnp.ones((8, 2)), jnp.ones((5, 2))


@jax.jit
def accuracy(data):
    return (data > 0).mean()


for _ in range(3):
    print(accuracy(train_x), accuracy(test_x))

for batch in (train_x[:4], train_x[4:], test_x[:4]):  # mistake d: for batch in (train_x[:4], train_x[4:], test_x[4:]): [array-recompile]
    print(accuracy(batch))  # shows d

tokens = jnp.zeros((1,))
for i in range(8):
    print(accuracy(x))  # mistake: tokens = jnp.concatenate([tokens, jnp.ones(1)]); print(accuracy(tokens)) [array-recompile]
