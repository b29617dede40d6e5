"""Tuples and dicts of numbers that are one of several: mypy takes the first for all of them."""

from typing import NamedTuple

import jax
import jax.numpy as jnp


class Config(NamedTuple):
    d: int = 2
    n: int = 4


def zeros(shape):
    return jnp.zeros(shape)


def of_rows(rows, i):
    row = rows[i]
    return zeros(row), jnp.zeros(rows[i]), zeros(rows[-1])


def of_table(table, key):
    return jnp.zeros(table[key]), zeros(table.get(key, (5, 6)))


def of_condition(flag):
    shape = (1, 2) if flag else (3, 4)
    return jnp.zeros(shape), zeros(shape)


def either(flag):
    return (1, 2) if flag else (3, 4)


def of_config(flag):
    made = Config(1) if flag else Config(2)
    return jnp.zeros(made.d), zeros(made.n)


def found(rows):
    return zeros(next((s for s in rows if s[0] > 2), (7, 7)))


class Kept:
    def __init__(self, shape=None):
        self.shape = shape or (3, 4)

    def make(self):
        return jnp.zeros(self.shape)


flag = bool(jnp.zeros(()) > 1)
i = int(jnp.ones(()))
key = "ab"[i]
reveal_type(jnp.zeros((1, 2) if flag else (3, 4)))  # R: Array[float32, tuple[int, int]]
reveal_type(zeros((1, 2) if flag else (3, 4)))  # R: Array[float32, tuple[int, int]]
reveal_type(zeros((flag and (1, 2)) or (3, 4)))  # R: Array[float32, tuple[int, int]]
reveal_type(zeros(((1, 2), (3, 4))[i]))  # R: Array[float32, tuple[int, int]]
reveal_type(zeros(((1, 2), (3, 4))[1]))  # R: Array[float32, tuple[Literal[3], Literal[4]]]
reveal_type(zeros(((1, 2), (3, 4))[-1]))  # R: Array[float32, tuple[Literal[3], Literal[4]]]
one, two, last = of_rows(((1, 2), (3, 4)), i)
reveal_type(one)  # R: Array[float32, tuple[int, int]]
reveal_type(two)  # R: Array[float32, tuple[int, int]]
reveal_type(last)  # R: Array[float32, tuple[Literal[3], Literal[4]]]
a, b = of_condition(flag)
reveal_type(a)  # R: Array[float32, tuple[int, int]]
reveal_type(b)  # R: Array[float32, tuple[int, int]]
reveal_type(jnp.zeros(either(flag)))  # R: Array[float32, tuple[int, int]]
c, d = of_config(flag)
reveal_type(c)  # R: Array[float32, tuple[int]]
reveal_type(d)  # R: Array[float32, tuple[int]]
table = of_table({"a": (1, 2), "b": (3, 4)}, key)
reveal_type(Kept((5, 6) if flag else None).make())  # R: Array[float32, tuple[int, int]]
rows = found(((1, 2), (3, 4)))
