"""Rules of the family: arrays of `jax.lax` made of one number or of consecutive ones.

Source: `full`, `full_like`, `broadcasted_iota` and `_iota_abstract_eval` of
https://github.com/jax-ml/jax/blob/main/jax/_src/lax/lax.py.
"""

from __future__ import annotations

from typing import Any

from arraytyping.semantics.avals import NumPyArray, Shape, ShapedArray, shape_tuple_str
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.errors import DimError, DtypeError, ShapeError
from arraytyping.semantics.rules.lax_conversion import scalar_or_array
from arraytyping.semantics.rules.lax_operands import named_dtype
from arraytyping.semantics.rules.operands import as_array, is_array, is_python_scalar, requested_dtype
from arraytyping.semantics.rules.refusals import BOOL, refuse
from arraytyping.semantics.rules.scalar_conversion import check_filled
from arraytyping.semantics.rules.static_arguments import as_shape, as_size, non_negative
from arraytyping.semantics.rules.table import rule


@rule("lax.full")
def full(cx: Context, shape: Any, fill_value: Any, dtype: Any = None, *, sharding: Any = None) -> ShapedArray:
    """`jax.lax.full`: weak if the number is and no dtype is named."""
    operation = "lax.full"
    target = as_shape(operation, shape)
    _check_scalar(operation, fill_value)
    named = None if dtype is None else requested_dtype(cx, dtype, operation)
    fill = scalar_or_array(cx, fill_value, operation, named, False)
    chosen, weak = (fill.dtype, fill.weak_type) if dtype is None else (named, False)
    if dtype is None and chosen is not None:
        check_filled(operation, fill_value, chosen, weak)
    return ShapedArray(non_negative(operation, target), chosen, weak)


def _check_scalar(operation: str, value: Any) -> None:
    """Check that what fills an array has no dimensions.

    Raises:
        ShapeError: if it has.
    """
    if isinstance(value, tuple | list) or (isinstance(value, ShapedArray | NumPyArray) and value.shape):
        raise ShapeError(f"{operation} takes a scalar to fill with, got {value}; jnp.full takes an array too")


@rule("lax.full_like")
def full_like(
    cx: Context, x: Any, fill_value: Any, dtype: Any = None, shape: Any = None, sharding: Any = None
) -> ShapedArray:
    """`jax.lax.full_like`: weak if the array is and no dtype is named."""
    operation = "lax.full_like"
    if x is None:  # JAX asks for its dtype
        raise DtypeError(f"{operation} requires an array, got None; give one, or use lax.full", ValueError)
    like = as_array(cx, x, operation)
    target: Shape | None = like.shape if shape is None else as_shape(operation, shape)
    chosen, weak = like.dtype, like.weak_type
    if is_array(dtype) or is_python_scalar(dtype):  # it has a dtype, too
        chosen, weak = as_array(cx, dtype, operation).dtype, False
    elif dtype is not None:
        chosen, weak = requested_dtype(cx, dtype, operation), False
    scalar_or_array(cx, fill_value, operation, chosen, weak)
    _check_scalar(operation, fill_value)
    return ShapedArray(non_negative(operation, target), chosen, weak)


@rule("lax.iota")
def iota(cx: Context, dtype: Any, size: Any) -> ShapedArray:
    """`jax.lax.iota`: the numbers from 0."""
    chosen = named_dtype(cx, dtype, "lax.iota")
    return _counted("lax.iota", chosen, (as_size("lax.iota", "size", size),))


@rule("lax.broadcasted_iota")
def broadcasted_iota(cx: Context, dtype: Any, shape: Any, dimension: Any, *, out_sharding: Any = None) -> ShapedArray:
    """`jax.lax.broadcasted_iota`: the numbers from 0 along one dimension."""
    operation = "lax.broadcasted_iota"
    chosen = named_dtype(cx, dtype, operation)
    target = as_shape(operation, shape)
    if dimension is None or isinstance(dimension, complex | tuple | list):
        raise DimError(f"{operation}: dimension must be an integer, got {dimension}; give an int", TypeError)
    result = _counted(operation, chosen, target)
    if isinstance(dimension, int) and target is not None and not 0 <= dimension < len(target):
        raise DimError(
            f"{operation}: dimension {dimension} is out of bounds for the shape {shape_tuple_str(target)}; "
            "count from the front, from 0"
        )
    return result


def _counted(operation: str, dtype: str | None, shape: Shape | None) -> ShapedArray:
    non_negative(operation, shape)
    refuse(operation, dtype, (BOOL,))
    return ShapedArray(shape, dtype, False)
