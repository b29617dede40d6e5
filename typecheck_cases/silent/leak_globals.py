"""Globals, closures and caches around traced functions."""

import functools

import jax
import jax.numpy as jnp

scale = jnp.float32(2.0)
table = None
memo = {}


@jax.jit
def normalise(x):
    total = x.sum()
    return x / total


def describe(x):
    global scale
    y = normalise(x)
    return y * scale


print(describe(jnp.ones(4)))


@jax.jit
def rescale(x):
    factor = 1.0 / jnp.max(x)
    return x * factor, factor  # mistake a: globals_of["factor"] = factor; return x * factor, factor [array-leak]


globals_of = {"factor": jnp.float32(1.0)}
scaled, factor = rescale(jnp.arange(1.0, 4.0))
print(scaled * globals_of["factor"])  # shows a


def positions(n):
    angles = jnp.arange(n, dtype=jnp.float32)
    return jnp.sin(angles)


@jax.jit
def embed(x):
    global table
    encoding = positions(4)
    return x + encoding  # mistake b: table = encoding; return x + encoding [array-leak]


embedded = embed(jnp.zeros(4))
table = positions(4) if table is None else table
print(embedded - table)  # shows b


def cached(n):
    if n not in memo:
        memo[n] = jnp.eye(n)
    return memo[n]


identity = cached(3)


@jax.jit
def project(x):
    return cached(3) @ x


print(project(jnp.ones(3)), cached(3).sum())


def counter():
    total = jnp.zeros(())

    def add(x):
        nonlocal total
        total = total + x  # shows d
        return total

    return add


add = counter()
print(add(1.0), add(2.0))  # mistake d: print(jax.jit(add)(1.0), add(2.0)) [array-leak]


@jax.jit
def outer(x):
    kept = []

    @jax.jit
    def inner(y):
        z = y * 2
        return z  # mistake e: kept.append(z); return z [array-leak]

    z = inner(x)
    kept.append(z)
    return kept[0] + 1  # shows e


print(outer(jnp.ones(2)))


@functools.partial(jax.jit, static_argnums=1)
def power(x, n):
    powers = [x]
    for _ in range(n):
        powers.append(powers[-1] * x)
    return powers[-1], len(powers)


print(power(jnp.float32(3.0), 2))


@jax.jit
def energy(x):
    return jnp.sum(x**2)


@jax.jit
def early(x):
    return energy(x) + 1


@jax.jit
def late(x):
    return energy(x) * energy(x + 1)


print(early(jnp.ones(3)), late(jnp.ones(3)), jax.vmap(late)(jnp.ones((2, 3))))

constants = {}


@jax.jit
def prepare(x):
    constants["scale"] = jnp.float32(3.0)  # a literal, which is no tracer
    with jax.ensure_compile_time_eval():
        constants["window"] = jnp.hanning(8)
    return x * constants["scale"]


print(prepare(jnp.ones(2)), constants["scale"] + 1, constants["window"] * 2)
