"""Names for `Any`, and `Any | None`, among the arguments of overloaded functions: no overload is the one."""

from typing import TYPE_CHECKING, Any, Optional, Union

import jax.numpy as jnp
import numpy as np

if TYPE_CHECKING:
    import nowhere  # type: ignore[import-not-found]

Dtype = Any
Shape = Any
Nested = Union[list["Nested"], "nowhere.Tensor"]
"""One that has itself and something of a library in it that mypy does not find."""


def convert(dtype: Dtype, shape: Shape, or_none: Optional[Dtype] = None) -> None:
    reveal_type(np.dtype(dtype))  # R: Any
    reveal_type(jnp.asarray(np.zeros(shape, dtype)))  # R: Array[Any, Any]
    reveal_type(jnp.ones(3, jnp.dtype(dtype)))  # R: Array[Any, tuple[Literal[3]]]
    reveal_type(jnp.asarray(np.zeros(3, or_none)))  # R: Array[Any, tuple[Literal[3]]]
    reveal_type(jnp.ones(3, np.dtype(or_none)))  # R: Array[Any, tuple[Literal[3]]]


convert(np.int8, (2, 3), np.int32)


def nested(first: Nested, **others: Nested) -> dict[str, Nested]:
    return {"first": first, **others}


nested([[]])
