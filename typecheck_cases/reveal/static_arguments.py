"""Static arguments: literals, Final names, tuples, arithmetic, what is bound once, sizes out of a shape."""

from typing import Final

import jax.numpy as jnp
import numpy as np

N: Final = 4
SHAPE: Final = (2, 3)
size = 7
reveal_type(jnp.zeros(N))  # R: Array[float32, tuple[Literal[4]]]
reveal_type(jnp.zeros((N, 2 * N + 1)))  # R: Array[float32, tuple[Literal[4], Literal[9]]]
reveal_type(jnp.zeros(SHAPE, jnp.bfloat16))  # R: Array[bfloat16, tuple[Literal[2], Literal[3]]]
reveal_type(jnp.zeros((*SHAPE, N)))  # R: Array[float32, tuple[Literal[2], Literal[3], Literal[4]]]
reveal_type(jnp.zeros(SHAPE + (1,)))  # R: Array[float32, tuple[Literal[2], Literal[3], Literal[1]]]
reveal_type(jnp.zeros((size, 3)))  # R: Array[float32, tuple[Literal[7], Literal[3]]]
reveal_type(jnp.zeros(3, "int8"))  # R: Array[int8, tuple[Literal[3]]]
reveal_type(jnp.zeros(3, np.int16))  # R: Array[int16, tuple[Literal[3]]]
reveal_type(jnp.zeros(3, np.dtype("uint8")))  # R: Array[uint8, tuple[Literal[3]]]
reveal_type(jnp.zeros(3, int))  # R: Array[int32, tuple[Literal[3]]]
reveal_type(jnp.zeros(3, dtype=bool))  # R: Array[bool_, tuple[Literal[3]]]


def inside(n: int, x: np.ndarray) -> None:
    width = 5
    height, depth = 2, 3
    dtype = jnp.float16
    y = jnp.zeros((width, height * depth), dtype)
    reveal_type(y)  # R: Array[float16, tuple[Literal[5], Literal[6]]]
    reveal_type(jnp.ones((y.shape[0], y.shape[-1] // 2, n)))  # R: Array[float32, tuple[Literal[5], Literal[3], int]]
    rows, columns = y.shape
    reveal_type(jnp.ones((columns, rows)))  # R: Array[float32, tuple[Literal[6], Literal[5]]]
    reveal_type(jnp.ones(y.shape, y.dtype))  # R: Array[float16, tuple[Literal[5], Literal[6]]]
    reveal_type(jnp.ones(y.ndim))  # R: Array[float32, tuple[Literal[2]]]
    reveal_type(jnp.ones(len(y)))  # R: Array[float32, tuple[Literal[5]]]
    count = 3
    for _ in range(n):
        count += 1
    reveal_type(jnp.ones(count))  # R: Array[float32, tuple[int]]
    reveal_type(y.sum(axis=0 if n else 1))  # R: Array[float16, tuple[Literal[6]]] | Array[float16, tuple[Literal[5]]]
    reveal_type(jnp.asarray(x))  # R: Array[Any, Any]
    reveal_type(jnp.asarray(x).astype(jnp.int8) + 1)  # R: Array[int8, Any]


inside(2, np.ones((2, 2)))
