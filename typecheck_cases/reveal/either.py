"""An array or a number: the sum of a list, the larger of two, and operators on them; and weak types that are open."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

x = jnp.ones((3,))
s = x.sum()
total = sum([s for _ in range(3)])
w = 1j + jnp.full((2, 4), 2)

reveal_type(np.float32(2) > total)  # R: Array[bool_, tuple[()]] | numpy.bool[bool]
reveal_type(2 > total)  # R: Array[Any, Any] | bool
reveal_type(max(s, 1))  # R: Array[float32, tuple[()]] | Literal[1]?
reveal_type(min(s, np.float64(1.5), s))  # R: Array[float32, tuple[()]] | numpy.float64
reveal_type(max(s, 0.0) > x)  # R: Array[bool_, tuple[Literal[3]]]
reveal_type(max(s, True) != x)  # R: Array[bool_, tuple[Literal[3]]]
reveal_type(max(1, 2))  # R: int

row_or_column = s.reshape(1) if s > 0 else x
reveal_type(divmod(2, row_or_column))  # R: tuple[Array[Any, Any], Array[Any, Any]]
reveal_type(divmod(x, row_or_column))  # R: tuple[Array[Any, Any], Array[Any, Any]]

# A bool does not say whether it is weak, and the indices are as weak as the values.
found = lax.top_k(jnp.asarray(2.0) >= jnp.ones(1, bool), 1)[1]
reveal_type(found)  # R: Array[int32, tuple[Literal[1]]] | Array[int, tuple[Literal[1]]]


def f(b: jax.Array) -> None:
    """The dtype is that of the other operand, which must have the same; the weak type is open."""
    reveal_type(lax.add(b, w))  # R: Array[complex64 | complex, tuple[Literal[2], Literal[4]]]
    reveal_type(lax.pow(b, w))  # R: Array[complex64 | complex, tuple[Literal[2], Literal[4]]]


f(w)
f(jnp.ones((2, 4), jnp.complex64))
