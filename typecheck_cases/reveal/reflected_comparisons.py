"""Comparisons with a scalar on the left: literals and variables, of Python and of NumPy."""

import jax
import jax.numpy as jnp
import numpy as np

x = jnp.ones((2, 3), jnp.int8)
weak = jnp.asarray(2.5)
n = 2
f = 2.5
c = 1j
p = True
h = np.float16(2)
i = np.int64(2)
b = np.bool_(True)

reveal_type(0 == x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(0 != x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(0 < x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(0 <= x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(0 > x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(0 >= x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(0 != weak)  # R: Array[bool_, tuple[()]]
reveal_type(2.5 == x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(2.5 != x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(2.5 < x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(2.5 <= x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(2.5 > x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(2.5 >= x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(2.5 != weak)  # R: Array[bool_, tuple[()]]
reveal_type(1j == x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(1j != x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(1j < x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(1j <= x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(1j > x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(1j >= x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(1j != weak)  # R: Array[bool_, tuple[()]]
reveal_type(True == x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(True != x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(True < x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(True <= x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(True > x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(True >= x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(True != weak)  # R: Array[bool_, tuple[()]]
reveal_type(n == x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(n != x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(n < x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(n <= x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(n > x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(n >= x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(n != weak)  # R: Array[bool_, tuple[()]]
reveal_type(f == x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(f != x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(f < x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(f <= x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(f > x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(f >= x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(f != weak)  # R: Array[bool_, tuple[()]]
reveal_type(c == x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(c != x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(c < x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(c <= x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(c > x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(c >= x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(c != weak)  # R: Array[bool_, tuple[()]]
reveal_type(p == x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(p != x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(p < x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(p <= x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(p > x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(p >= x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(p != weak)  # R: Array[bool_, tuple[()]]
reveal_type(h == x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(h != x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(h < x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(h <= x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(h > x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(h >= x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(h != weak)  # R: Array[bool_, tuple[()]]
reveal_type(i == x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(i != x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(i < x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(i <= x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(i > x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(i >= x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(i != weak)  # R: Array[bool_, tuple[()]]
reveal_type(b == x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(b != x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(b < x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(b <= x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(b > x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(b >= x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(b != weak)  # R: Array[bool_, tuple[()]]
reveal_type(-1 == x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(-1 != x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(-1 < x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(-1 <= x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(-1 > x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(-1 >= x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(-1 != weak)  # R: Array[bool_, tuple[()]]

reveal_type((0 != x)[0])  # R: Array[bool_, tuple[Literal[3]]]
reveal_type((0 == x).sum(axis=0))  # R: Array[int32, tuple[Literal[3]]]
reveal_type(jnp.sqrt(0 != x))  # R: Array[float32, tuple[Literal[2], Literal[3]]]
reveal_type(jnp.concatenate([n == x, f != x], axis=0))  # R: Array[bool_, tuple[Literal[4], Literal[3]]]
reveal_type(jnp.cumsum(jnp.asarray(2) < 2.0, axis=0))  # R: Array[int32, tuple[Literal[1]]]
reveal_type((jnp.asarray(2) < 2.0) + x)  # R: Array[int8, tuple[Literal[2], Literal[3]]]


def annotated(count: int, scale: float, value: jax.Array) -> None:
    reveal_type(count == x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
    reveal_type(scale != x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
    reveal_type(count < x)  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
    reveal_type(count == value)  # R: Array[bool_, Any]


annotated(2, 2.0, x)
