"""Hashes and bit tricks on unsigned integers."""

import jax
import jax.numpy as jnp


def mix(h):
    h = h ^ (h >> 16)  # shows a
    h = h * jnp.uint32(0x85EBCA6B)
    h = h ^ (h >> 13)
    return h


def bucket(keys, n):
    h = mix(keys)
    return h & (n - 1)  # mistake: return h & (n / 2) [array-dtype]


def bloom(keys):
    filter = jnp.zeros(64, bool)
    for salt in range(3):
        filter = filter.at[bucket(keys + salt, 64)].set(True)
    return filter


def missing(filter, keys):
    found = filter[bucket(keys, 64)]
    return ~found  # mistake: return -found [array-dtype]


def weights(x):
    signs = jnp.sign(x)
    return jnp.left_shift(1, jnp.arange(8)) * signs[:, None]  # mistake: return (signs << 1)[:, None] * jnp.arange(8) [array-dtype]


keys = jnp.arange(10, dtype=jnp.uint32) * 7  # mistake a: keys = jnp.arange(10.0) * 7 [array-dtype]
keys = jax.jit(lambda k: k)(keys)
filter = bloom(keys)
print(filter.sum(), missing(filter, keys + 1), weights(jnp.ones(4)).shape)
