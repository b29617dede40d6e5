"""Names for `Any`, and `Any | None`, among the arguments of overloaded functions: no overload is the one."""

from typing import Any, Optional

import jax.numpy as jnp
import numpy as np

Dtype = Any
Shape = Any


def convert(dtype: Dtype, shape: Shape, or_none: Optional[Dtype] = None) -> None:
    reveal_type(np.dtype(dtype))  # R: Any
    reveal_type(jnp.asarray(np.zeros(shape, dtype)))  # R: Array[Any, Any]
    reveal_type(jnp.ones(3, jnp.dtype(dtype)))  # R: Array[Any, tuple[Literal[3]]]
    reveal_type(jnp.asarray(np.zeros(3, or_none)))  # R: Array[Any, tuple[Literal[3]]]
    reveal_type(jnp.ones(3, np.dtype(or_none)))  # R: Array[Any, tuple[Literal[3]]]


convert(np.int8, (2, 3), np.int32)
