"""Weights in eight bits: int8 with scales, and float8."""

import jax
import jax.numpy as jnp
from jax import lax


def quantise(w):
    scale = jnp.max(jnp.abs(w), axis=0) / 127.0
    return jnp.round(w / scale).astype(jnp.int8), scale


def matmul_int8(x, q, scale):
    xs = jnp.max(jnp.abs(x)) / 127.0
    xq = jnp.round(x / xs).astype(jnp.int8)
    out = lax.dot_general(xq, q, (((1,), (0,)), ((), ())), preferred_element_type=jnp.int32)
    return out * (xs * scale)


def matmul_float8(x, w8):
    return x @ w8.astype(x.dtype)  # mistake: return x + w8 [array-dtype]


def accumulate(total, part):
    return lax.add(total, part.astype(total.dtype))  # mistake: return lax.add(total, part) [array-dtype]


def write(cache, row, i):
    row = row.astype(cache.dtype)  # mistake a: row = row.astype(jnp.float32) [array-dtype]
    return lax.dynamic_update_slice(cache, row[None], (i, 0))  # shows a


w = jax.random.normal(jax.random.key(0), (6, 6))
x = jnp.ones((6, 6), jnp.bfloat16)
q, scale = quantise(w)
y = matmul_int8(x.astype(jnp.float32), q, scale)
z = matmul_float8(x, w.astype(jnp.float8_e4m3fn))
print(accumulate(y, z).dtype)
print(write(jnp.zeros((4, 6), jnp.int8), q[0].astype(jnp.int32), 2))
