"""Rules of the family: functions of `jax.lax` that permute or reverse dimensions.

Source: https://docs.jax.dev/en/latest/jax.lax.html; the shape rules of
https://github.com/jax-ml/jax/blob/main/jax/_src/lax/lax.py.
"""

from __future__ import annotations

from typing import Any

from arraytyping.semantics.avals import ShapedArray, shape_tuple_str
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.errors import DimError
from arraytyping.semantics.rules.lax_dimensions import as_ints, check_within
from arraytyping.semantics.rules.operands import as_operand
from arraytyping.semantics.rules.sizes import with_shape
from arraytyping.semantics.rules.table import rule


@rule("lax.transpose")
def transpose(cx: Context, operand: Any, permutation: Any) -> ShapedArray:
    """`jax.lax.transpose`: the permutation names every dimension, counted from the first."""
    array = as_operand(cx, operand, "lax.transpose")
    order = as_ints("lax.transpose", "a dimension", permutation)
    shape = array.shape
    if order is None:
        return with_shape(array, None if shape is None else (None,) * len(shape))
    check_within("lax.transpose", "a dimension", order, len(order))
    if shape is None:
        return with_shape(array, (None,) * len(order))
    if len(order) != len(shape):
        raise DimError(
            f"lax.transpose: the permutation {shape_tuple_str(order)} is none of the {len(shape)} dimensions of an "
            f"array of shape {shape_tuple_str(shape)}; name each once",
            TypeError,
        )
    return with_shape(array, tuple([shape[d] if isinstance(d, int) else None for d in order]))


@rule("lax.rev")
def rev(cx: Context, operand: Any, dimensions: Any) -> ShapedArray:
    """`jax.lax.rev`."""
    array = as_operand(cx, operand, "lax.rev")
    dims = as_ints("lax.rev", "a dimension", dimensions, 0)
    if dims and array.shape is not None:
        check_within("lax.rev", "a dimension", dims, len(array.shape))
    return with_shape(array, array.shape)
