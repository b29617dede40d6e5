"""Python scalars are weak, NumPy scalars are not; an annotation admits more than a literal."""

import jax.numpy as jnp
import numpy as np

x = jnp.ones((3, 4), jnp.int8)
reveal_type(x + 1)  # R: Array[int8, tuple[Literal[3], Literal[4]]]
reveal_type(x + 2.5)  # R: Array[float, tuple[Literal[3], Literal[4]]]
reveal_type(2.5 * x)  # R: Array[float, tuple[Literal[3], Literal[4]]]
reveal_type(x + 2j)  # R: Array[complex, tuple[Literal[3], Literal[4]]]
reveal_type(x + True)  # R: Array[int8, tuple[Literal[3], Literal[4]]]
reveal_type(jnp.asarray(2))  # R: Array[int, tuple[()]]
reveal_type(jnp.asarray(2.5))  # R: Array[float, tuple[()]]
reveal_type(jnp.asarray(2j))  # R: Array[complex, tuple[()]]
reveal_type(jnp.asarray(True))  # R: Array[bool_, tuple[()]]
reveal_type(jnp.asarray(2, dtype="int32"))  # R: Array[int32, tuple[()]]
reveal_type(x * np.float64(2))  # R: Array[float32, tuple[Literal[3], Literal[4]]]
reveal_type(x * np.float16(2))  # R: Array[float16, tuple[Literal[3], Literal[4]]]
reveal_type(np.float32(2) * x)  # R: Array[float32, tuple[Literal[3], Literal[4]]]
reveal_type(np.int16(2) - x)  # R: Array[int16, tuple[Literal[3], Literal[4]]]
reveal_type(np.ones((4,), np.float32) * x)  # R: Array[float32, tuple[Literal[3], Literal[4]]]
reveal_type(np.ones((4,), np.int16) < x)  # R: Array[bool_, tuple[Literal[3], Literal[4]]]


def annotated(f: float, i: int, c: complex, b: bool) -> None:
    reveal_type(x * f)  # R: Array[float | int8, tuple[Literal[3], Literal[4]]]
    reveal_type(x * i)  # R: Array[int8, tuple[Literal[3], Literal[4]]]
    reveal_type(x * c)  # R: Array[complex | float | int8, tuple[Literal[3], Literal[4]]]
    reveal_type(x * b)  # R: Array[int8, tuple[Literal[3], Literal[4]]]
    reveal_type(x.astype(jnp.float32) * f)  # R: Array[float32, tuple[Literal[3], Literal[4]]]
    reveal_type(x.astype(jnp.bfloat16) * f)  # R: Array[bfloat16, tuple[Literal[3], Literal[4]]]
    reveal_type(x * (f / 2))  # R: Array[float, tuple[Literal[3], Literal[4]]]
    reveal_type(x * float(i))  # R: Array[float, tuple[Literal[3], Literal[4]]]
    reveal_type(jnp.asarray(f))  # R: Array[float | int | bool_, tuple[()]]


annotated(2.5, 2, 2j, True)
annotated(2, True, 2.5, False)
annotated(True, 3, 1, True)
