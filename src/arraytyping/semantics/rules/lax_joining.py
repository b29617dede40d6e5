"""Rules of the family: functions of `jax.lax` that join arrays of one dtype, or take an array apart.

Source: https://docs.jax.dev/en/latest/jax.lax.html; the shape rules of
https://github.com/jax-ml/jax/blob/main/jax/_src/lax/lax.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arraytyping.semantics.avals import UNKNOWN, Dim, NumPyArray, Shape, ShapedArray, dim_str, shape_tuple_str
from arraytyping.semantics.rules.axes import canonicalize_axis
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.errors import DimError, RuleError, ShapeError
from arraytyping.semantics.rules.lax_dimensions import as_ints
from arraytyping.semantics.rules.lax_operands import all_weak, equal_shapes, same_dtype
from arraytyping.semantics.rules.operands import ANY_ARRAY, as_operand
from arraytyping.semantics.rules.shapes.joining import concatenated
from arraytyping.semantics.rules.sizes import with_shape
from arraytyping.semantics.rules.splitting import unstack as numpy_unstack
from arraytyping.semantics.rules.static_arguments import as_size, is_unknown
from arraytyping.semantics.rules.table import rule
from arraytyping.semantics.sizes.dims import add_dims, at_least, differ, exceeds, multiply_dims, subtract_dims


@rule("lax.concatenate")
def concatenate(cx: Context, operands: Any, dimension: Any) -> ShapedArray:
    """`jax.lax.concatenate`; a single array is returned as it is, and an array is the sequence of its rows."""
    operation = "lax.concatenate"
    if is_unknown(operands):
        return ANY_ARRAY
    if isinstance(operands, ShapedArray | NumPyArray):
        return _joined_rows(cx, operands, dimension)
    if not isinstance(operands, tuple | list):
        raise RuleError(f"{operation}: arrays are joined from a sequence, got {operands!r}; put them into a tuple")
    if not operands:
        raise ShapeError(f"{operation} requires a non-empty sequence of arrays", ValueError)
    arrays = [as_operand(cx, a, operation, i) for i, a in enumerate(operands)]
    if len(arrays) == 1 and (is_unknown(operands[0]) or isinstance(operands[0], ShapedArray)):
        return arrays[0]
    shape = _joined(operation, [a.shape for a in arrays], dimension)
    return ShapedArray(shape, same_dtype(operation, arrays), all_weak(arrays))


def _joined(operation: str, shapes: Sequence[Shape | None], dimension: Any) -> Shape | None:
    """The shape of several arrays joined along a dimension.

    Raises:
        DimError: (TypeError) if they do not all have it.
        ShapeError: (TypeError) if they differ otherwise.
    """
    rank = next((len(s) for s in shapes if s is not None), None)
    _check_dimension(operation, dimension, rank)
    return concatenated(operation, shapes, dimension)


def _check_dimension(operation: str, dimension: Any, rank: int | None) -> Dim:
    """The dimension along which arrays of a rank are joined."""
    axis = as_size(operation, "the dimension", dimension)
    if rank == 0:
        raise DimError(f"{operation}: arrays of 0 dimensions cannot be joined; give them one, with x[None]", TypeError)
    if isinstance(axis, int) and (axis < 0 or (rank is not None and axis >= rank)):
        known = "" if rank is None else f" to {rank - 1}"
        raise DimError(f"{operation}: the dimension is from 0{known}, got {axis}", TypeError)
    return axis


def _joined_rows(cx: Context, operand: ShapedArray | NumPyArray, dimension: Any) -> ShapedArray:
    """The rows of one array, joined."""
    operation = "lax.concatenate"
    array = as_operand(cx, operand, operation)
    shape = array.shape
    if shape is None:
        return with_shape(array, None)
    if not shape:
        raise RuleError(f"{operation}: an array of 0 dimensions is no sequence of arrays")
    count, rows = shape[0], shape[1:]
    if count == 0:
        raise ShapeError(f"{operation} requires a non-empty sequence of arrays", ValueError)
    if isinstance(operand, ShapedArray) and not at_least(count, 2):
        return with_shape(array, rows if count == 1 else (None,) * len(rows))
    axis = _check_dimension(operation, dimension, len(rows))
    if not isinstance(axis, int):
        return with_shape(array, (None,) * len(rows))
    return with_shape(array, (*rows[:axis], multiply_dims((count, rows[axis])), *rows[axis + 1 :]))


@rule("lax.stack")
def stack(cx: Context, operands: Any, axis: Any = 0) -> ShapedArray:
    """`jax.lax.stack`; an array is the sequence of its rows."""
    operation = "lax.stack"
    if is_unknown(operands):
        return ANY_ARRAY
    if isinstance(operands, ShapedArray | NumPyArray):
        array = as_operand(cx, operands, operation)
        if array.shape == ():
            raise RuleError(f"{operation}: an array of 0 dimensions is no sequence of arrays")
        count: Dim = None if array.shape is None else array.shape[0]
        arrays = [with_shape(array, None if array.shape is None else array.shape[1:])]
    elif isinstance(operands, tuple | list):
        arrays = [as_operand(cx, a, operation, i) for i, a in enumerate(operands)]
        count = len(arrays)
    else:
        raise RuleError(f"{operation}: arrays are stacked from a sequence, got {operands!r}; put them into a tuple")
    if count == 0:
        raise ShapeError(f"{operation} requires a non-empty sequence of arrays", IndexError)
    ranks = [a.ndim for a in arrays if a.ndim is not None]
    number = canonicalize_axis(operation, axis, ranks[0] + 1 if ranks else None)
    try:
        shape = equal_shapes(operation, *[a.shape for a in arrays])
    except ShapeError as error:
        raise ShapeError(error.message, ValueError) from None
    if shape is not None:
        shape = (None,) * (len(shape) + 1) if number is None else (*shape[:number], count, *shape[number:])
    return ShapedArray(shape, same_dtype(operation, arrays), all_weak(arrays))


@rule("lax.unstack")
def unstack(cx: Context, x: Any, axis: Any = 0) -> Any:
    """`jax.lax.unstack`."""
    as_size("lax.unstack", "an axis", axis)
    return numpy_unstack(cx, x, axis=axis)


@rule("lax.split")
def split(cx: Context, operand: Any, sizes: Any, axis: Any = 0) -> Any:
    """`jax.lax.split`, into parts of these sizes, described as a tuple."""
    array = as_operand(cx, operand, "lax.split")
    parts = as_ints("lax.split", "a size", sizes)
    number = canonicalize_axis("lax.split", axis, array.ndim)
    if parts is None:
        return UNKNOWN
    if any(isinstance(d, int) and d < 0 for d in parts):
        raise ShapeError(
            f"lax.split: Sizes passed to split must be nonnegative, got {shape_tuple_str(parts)}", ValueError
        )
    shape = array.shape
    if shape is None or number is None:
        return (with_shape(array, None if shape is None else (None,) * len(shape)),) * len(parts)
    total, size = add_dims(parts), shape[number]
    known = add_dims(d for d in parts if d is not None)
    if exceeds(known, size) or differ(total, size):
        raise ShapeError(
            f"lax.split: the sizes {shape_tuple_str(parts)} do not add up to {dim_str(size)}, the size of dimension "
            f"{number} of an array of shape {shape_tuple_str(shape)}",
            ValueError,
        )
    if parts.count(None) == 1:
        parts = tuple(subtract_dims(size, known) if d is None else d for d in parts)
    return tuple([with_shape(array, (*shape[:number], d, *shape[number + 1 :])) for d in parts])
