"""Branches that the arguments of a call decide, and some that they do not."""

from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

x = jnp.ones(3)
square = jnp.ones((3, 3))


def by_rank(a):
    if a.ndim == 1:
        return a
    return a.astype(jnp.int8)


reveal_type(by_rank(x))  # R: Array[float32, tuple[Literal[3]]]
reveal_type(by_rank(square))  # R: Array[int8, tuple[Literal[3], Literal[3]]]


def by_size(a):
    return a if a.shape[0] > 5 else a.astype(jnp.int8)


reveal_type(by_size(x))  # R: Array[int8, tuple[Literal[3]]]


def by_flag(a, training=False):
    if training and a.ndim > 0:
        return a
    return a.astype(jnp.int8)


reveal_type(by_flag(x))  # R: Array[int8, tuple[Literal[3]]]
reveal_type(by_flag(x, True))  # R: Array[float32, tuple[Literal[3]]]
reveal_type(by_flag(jnp.float32(1.0), training=True))  # R: Array[int8, tuple[()]]


def by_mode(a, mode="same"):
    if mode == "same":
        return a
    elif mode in ("valid", "full"):
        return a.astype(jnp.int8)
    raise ValueError(mode)


reveal_type(by_mode(x))  # R: Array[float32, tuple[Literal[3]]]
reveal_type(by_mode(x, "valid"))  # R: Array[int8, tuple[Literal[3]]]


def by_dtype(a, dtype):
    if jnp.issubdtype(a.dtype, jnp.integer):
        return a
    return a.astype(dtype)


reveal_type(by_dtype(jnp.arange(3), jnp.float16))  # R: Array[int32, tuple[Literal[3]]]
reveal_type(by_dtype(x, jnp.float16))  # R: Array[float16, tuple[Literal[3]]]
reveal_type(by_dtype(x, np.int16))  # R: Array[int16, tuple[Literal[3]]]
reveal_type(by_dtype(x, jnp.arange(2).dtype))  # R: Array[int32, tuple[Literal[3]]]


def by_name(a, dtype):
    if dtype == jnp.float16:
        return a
    return a.astype(dtype)


reveal_type(by_name(x, jnp.float16))  # R: Array[float32, tuple[Literal[3]]]
reveal_type(by_name(x, jnp.bfloat16))  # R: Array[bfloat16, tuple[Literal[3]]]


# The flag changes in the loop.
def toggled(a, flag=False):
    for _ in range(3):
        if flag:
            a = a.astype(jnp.int32)
        flag = not flag
    return a


reveal_type(toggled(x))  # R: Array[float32, tuple[Literal[3]]] | Array[int32, tuple[Literal[3]]]


# Of a number that is traced nothing is decided.
def by_number(a, n):
    return jnp.where(n > 2, a, 0.0) if isinstance(n, jax.Array) else a.astype(jnp.int8)


reveal_type(jax.jit(by_number)(x, 3))  # R: Array[float32, tuple[Literal[3]]]
reveal_type(by_number(x, 3))  # R: Array[int8, tuple[Literal[3]]]


def by_variable(a, n):
    first = n
    first = first + 1
    if first == 2:
        return a
    return a.astype(jnp.int8)


reveal_type(by_variable(x, 1))  # R: Array[float32, tuple[Literal[3]]]
reveal_type(by_variable(x, 2))  # R: Array[int8, tuple[Literal[3]]]


def nested(a, scale):
    def inner(b):
        if scale == 1.0:
            return b
        return (b * scale).astype(jnp.int8)

    return inner(a)


reveal_type(nested(x, 1.0))  # R: Array[int8 | float32, tuple[Literal[3]]]
reveal_type(nested(x, 2.0))  # R: Array[int8 | float32, tuple[Literal[3]]]


def equal(a, p, q):
    if p == q:
        return a
    return a.astype(jnp.int8)


reveal_type(equal(x, 0.1, 0.1))  # R: Array[int8 | float32, tuple[Literal[3]]]
reveal_type(equal(x, 0.1, 0.2))  # R: Array[int8 | float32, tuple[Literal[3]]]
reveal_type(equal(x, 1, True))  # R: Array[float32, tuple[Literal[3]]]
reveal_type(equal(x, x.dtype, jnp.float32))  # R: Array[float32, tuple[Literal[3]]]


@dataclass(frozen=True)
class Policy:
    compute: Any = jnp.bfloat16
    keeps: bool = False

    def cast(self, a):
        return a if self.keeps else a.astype(self.compute)


reveal_type(Policy().cast(x))  # R: Array[bfloat16, tuple[Literal[3]]]
reveal_type(Policy(jnp.float16).cast(x))  # R: Array[float16, tuple[Literal[3]]]
reveal_type(Policy(keeps=True).cast(x))  # R: Array[float32, tuple[Literal[3]]]


def zeros(shape, dtype=jnp.bfloat16):
    return jnp.zeros(shape, dtype)


reveal_type(zeros((3, 4)))  # R: Array[bfloat16, tuple[Literal[3], Literal[4]]]
reveal_type(zeros((3,), np.float32))  # R: Array[float32, tuple[Literal[3]]]
reveal_type(zeros((3,), float))  # R: Array[float32, tuple[Literal[3]]]
reveal_type(zeros((2,), x.dtype))  # R: Array[float32, tuple[Literal[2]]]


def scaled(key, *shape):
    return jax.random.normal(key, shape) * shape[0] ** -0.5


reveal_type(scaled(jax.random.key(0), 33, 4))  # R: Array[float32, tuple[Literal[33], Literal[4]]]


def power(a, base):
    return a * base**0.5


reveal_type(power(x, 2.0))  # R: Array[float32, tuple[Literal[3]]]
reveal_type(power(x, 40))  # R: Array[float32, tuple[Literal[3]]]
