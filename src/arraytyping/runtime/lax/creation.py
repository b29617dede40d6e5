"""Arrays of constants: `iota`, and one value everywhere.

Source: https://docs.jax.dev/en/latest/jax.lax.html.
"""

from __future__ import annotations

from typing import Any, Final

from arraytyping.runtime.array_likes import python_scalar
from arraytyping.runtime.core import Primitive, TypedScalar
from arraytyping.runtime.lax.structure import broadcast_in_dim_p
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.operations import OPERATIONS

__all__ = ["full_of", "iota_of", "iota_p", "zeros_of"]


def _iota_rule(cx: Any, *, shape: tuple[int, ...], dtype: str, dimension: int) -> ShapedArray:
    return ShapedArray(shape, dtype, False)


iota_p: Final = Primitive("iota", _iota_rule)


def iota_of(dtype: str, shape: tuple[int, ...], dimension: int) -> Any:
    """The index along a dimension, everywhere."""
    return iota_p.bind(shape=shape, dtype=dtype, dimension=dimension)


def full_of(value: Any, aval: ShapedArray) -> Any:
    """An array in which a Python scalar, or an array without dimensions of the dtype, stands everywhere."""
    assert aval.dtype is not None
    assert aval.shape is not None
    if not hasattr(value, "aval"):
        value = TypedScalar(python_scalar(value, aval.dtype), ShapedArray((), aval.dtype, bool(aval.weak_type)))
    made = broadcast_in_dim_p.bind(value, shape=aval.shape, broadcast_dimensions=())
    return made if type(aval) is ShapedArray else OPERATIONS.lying_as(made, aval)


OPERATIONS.full_of = full_of


def zeros_of(aval: ShapedArray) -> Any:
    """Zeros."""
    return full_of(0, aval)
