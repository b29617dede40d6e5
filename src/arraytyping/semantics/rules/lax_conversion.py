"""Rules of the family: the functions of `jax.lax` that give an array another dtype.

Source: `_convert_element_type`, `_bitcast_convert_type_shape_rule` and the dtype rule beside it of
https://github.com/jax-ml/jax/blob/main/jax/_src/lax/lax.py.
"""

from __future__ import annotations

from typing import Any

from arraytyping.scalars import KINDS, bits
from arraytyping.semantics.avals import Dim, ShapedArray, shape_tuple_str
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.errors import DtypeError, ShapeError
from arraytyping.semantics.rules.lax_operands import named_dtype
from arraytyping.semantics.rules.operands import as_array, as_operand
from arraytyping.semantics.rules.scalar_conversion import check_filled, stored_value
from arraytyping.semantics.rules.table import rule

__all__ = ["scalar_or_array"]


def scalar_or_array(cx: Context, value: Any, operation: str, dtype: str | None, weak_type: bool | None) -> ShapedArray:
    """The array that JAX makes of a value that is to have this dtype: an int is converted before it is too large.

    Raises:
        DtypeError: for what is no array-like (ValueError at run time for None), or does not convert.
    """
    if value is None:  # JAX asks for its dtype
        raise DtypeError(f"{operation} requires an array or a number, got None; give a number, such as nan", ValueError)
    array = as_array(cx, value, operation)
    if dtype is not None:
        check_filled(operation, value, dtype, weak_type)
    return array


@rule("lax.convert_element_type")
def convert_element_type(cx: Context, operand: Any, new_dtype: Any) -> ShapedArray:
    """`jax.lax.convert_element_type`."""
    dtype = named_dtype(cx, new_dtype, "lax.convert_element_type")
    array = scalar_or_array(cx, operand, "lax.convert_element_type", dtype, False)
    return ShapedArray(array.shape, dtype, False, stored_value(array.value, dtype))


@rule("lax.bitcast_convert_type")
def bitcast_convert_type(cx: Context, operand: Any, new_dtype: Any) -> ShapedArray:
    """`jax.lax.bitcast_convert_type`: of narrower elements there are more, in a new last dimension."""
    operation = "lax.bitcast_convert_type"
    dtype = named_dtype(cx, new_dtype, operation)
    array = as_operand(cx, operand, operation)
    if dtype is None or array.dtype is None:
        return ShapedArray(None, dtype, False)
    shape = array.shape
    before, after = bits(array.dtype), bits(dtype)
    if shape is not None and before > after:
        shape = (*shape, before // after)
    elif shape is not None and before < after:
        last: Dim = shape[-1] if shape else 1
        if isinstance(last, int) and last * before != after:
            raise ShapeError(
                f"{operation}: elements of {after} bits ({dtype}) are made of the last dimension, and in "
                f"{shape_tuple_str(shape)} it does not hold as many, of {before} bits ({array.dtype}); reshape it, or "
                "use x.view",
                ValueError,
            )
        shape = shape[:-1]
    if array.dtype != dtype and (KINDS[array.dtype] in "bc" or KINDS[dtype] in "bc"):
        raise DtypeError(f"{operation} takes neither bool nor complex, got {array.dtype} to {dtype}; use x.view")
    return ShapedArray(shape, dtype, False)
