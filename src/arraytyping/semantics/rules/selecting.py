"""Functions that select elements by their places: take, diagonals, deletion and insertion.

Source: https://docs.jax.dev/en/latest/jax.numpy.html.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from arraytyping.scalars import KINDS
from arraytyping.semantics.avals import ShapedArray, dtype_name, join_shapes, shape_tuple_str
from arraytyping.semantics.rules.axes import canonicalize_axis
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.errors import DimError, DtypeError, RuleError, ShapeError
from arraytyping.semantics.rules.hashability import check_hashable
from arraytyping.semantics.rules.operands import as_operand
from arraytyping.semantics.rules.reshaping import raveled
from arraytyping.semantics.rules.shapes.selecting import diagonals, inserted, left_of, resized_axis, taken, taken_along
from arraytyping.semantics.rules.sizes import is_empty, size_dim, with_shape
from arraytyping.semantics.rules.static_arguments import as_size, is_unknown
from arraytyping.semantics.rules.table import rule
from arraytyping.semantics.sizes.dims import at_least, differ, max_dim, subtract_dims

__all__ = ["GATHER_MODES"]

GATHER_MODES: Final = ("clip", "fill", "drop", "promise_in_bounds", "one_hot")
"""What JAX can do with an index out of bounds."""
_TAKE_MODES: Final = (None, "fill", "wrap", "clip")


@rule("numpy.take", "Array.take")
def take(
    cx: Context,
    a: Any,
    indices: Any,
    axis: Any = None,
    out: Any = None,
    mode: Any = None,
    unique_indices: Any = False,
    indices_are_sorted: Any = False,
    fill_value: Any = None,
) -> ShapedArray:
    """`jax.numpy.take`."""
    if axis is not None:
        as_size("take", "axis", axis)
    if out is not None and not is_unknown(out):
        raise RuleError("take: the argument out is not supported; arrays are not changed in place", NotImplementedError)
    array, at = as_operand(cx, a, "take", 0), as_operand(cx, indices, "take", 1)
    if is_unknown(axis):
        return with_shape(array, None)
    if axis is None:
        array, axis = raveled(array), 0
    number = canonicalize_axis("take", axis, array.ndim)
    if not is_unknown(mode) and mode not in _TAKE_MODES:
        if mode == "raise":
            raise RuleError('take: mode "raise" is not supported; out of bounds is not known here', NotImplementedError)
        raise RuleError(f'take: mode is "fill", "wrap" or "clip", got {mode!r}', ValueError)
    shape = array.shape
    if shape is None or at.shape is None:
        return with_shape(array, None)
    none = is_empty(at.shape)
    made = taken("take", shape, at.shape, axis)
    if number is None:
        # Of a size of 0 the array itself may be left, see below.
        return with_shape(array, made if none is False or len(at.shape) == 1 else None)
    size = shape[number]
    if none is False and at.dtype is not None and KINDS[at.dtype] in ("bfc" if mode == "clip" else "fc"):
        raise DtypeError(
            f"take: the indices are integers, got {dtype_name(at.dtype, at.weak_type)}",
            TypeError if mode == "wrap" and KINDS[at.dtype] == "c" else ValueError,
        )
    # From an axis of size 0 nothing can be taken, which leaves the array as it is, whatever the shape of the indices:
    # it is empty as they are, where they are one axis.
    if none is False or at_least(size, 1) or len(at.shape) == 1:
        return with_shape(array, made)
    if size == 0 and none:
        return with_shape(array, shape)
    return with_shape(array, join_shapes(made, shape[:number] + (0,) + shape[number + 1 :]))


@rule("numpy.take_along_axis")
def take_along_axis(
    cx: Context,
    arr: Any,
    indices: Any,
    axis: Any = -1,
    mode: Any = None,
    fill_value: Any = None,
    *,
    wrap_negative_indices: Any = None,
) -> ShapedArray:
    """`jax.numpy.take_along_axis`."""
    check_hashable("take_along_axis", axis=axis, mode=mode)
    array, at = as_operand(cx, arr, "take_along_axis", 0), as_operand(cx, indices, "take_along_axis", 1)
    if at.dtype is not None and KINDS[at.dtype] not in "ui":
        raise DtypeError(f"take_along_axis: the indices are integers, got {dtype_name(at.dtype, at.weak_type)}")
    if is_unknown(axis):
        return ShapedArray(
            None if array.ndim != 1 else (None,), array.dtype, None if array.weak_type else array.weak_type
        )
    if axis is None:
        if at.shape is not None and len(at.shape) != 1:
            raise DimError(f"take_along_axis: without an axis the indices have 1 dimension, got {len(at.shape)}")
        array, axis = raveled(array), 0
    out = taken_along("take_along_axis", array.shape, at.shape, axis)
    number = canonicalize_axis("take_along_axis", axis, array.ndim)
    size = array.shape[number] if array.shape is not None and number is not None else None
    # A new, strong array is made where there is nothing to take from.
    weak = array.weak_type
    if weak and not at_least(size, 1):
        weak = False if size == 0 else None
    known = array.shape is not None and at.shape is not None and at_least(size, 1)
    if known and not is_unknown(mode) and mode is not None and mode not in GATHER_MODES:
        raise RuleError(f"take_along_axis: mode is one of {', '.join(GATHER_MODES)}, got {mode!r}", ValueError)
    return ShapedArray(out, array.dtype, weak)


@rule("numpy.diagonal", "Array.diagonal")
def diagonal(cx: Context, a: Any, offset: Any = 0, axis1: Any = 0, axis2: Any = 1) -> ShapedArray:
    """`jax.numpy.diagonal`."""
    check_hashable("diagonal", offset=offset, axis1=axis1, axis2=axis2)
    array = as_operand(cx, a, "diagonal")
    shape = array.shape
    if shape is not None and len(shape) < 2:
        raise DimError(f"diagonal: an array of at least 2 dimensions is required, got shape {shape_tuple_str(shape)}")
    start = as_size("diagonal", "the offset", offset)
    if shape is None:
        return ShapedArray(None, array.dtype, None if array.weak_type else array.weak_type)
    # The main diagonal of a square matrix is computed otherwise, and the result strong.
    main = len(shape) == 2 and start in (0, None) and array.dtype != "bool"
    square = main and (False if differ(*shape) else True if shape[0] == shape[1] is not None else None)
    if square and start == 0:
        return ShapedArray((shape[0],), array.dtype, False if array.dtype is not None else None)
    made = diagonals("diagonal", shape, offset, axis1, axis2)
    weak = array.weak_type
    if weak and main and square is not False:
        weak = None
    return ShapedArray(made, array.dtype, weak)


def _concatenated(array: ShapedArray) -> ShapedArray:
    """What parts of an array give that are put together again: weak bools have a strong one for their join."""
    return replace(array, weak_type=False) if array.dtype == "bool" else array


@rule("numpy.delete")
def delete(cx: Context, arr: Any, obj: Any, axis: Any = None, *, assume_unique_indices: Any = False) -> ShapedArray:
    """`jax.numpy.delete`."""
    array = as_operand(cx, arr, "delete")
    if is_unknown(axis):
        return with_shape(array, None)
    if axis is None:
        array, axis = raveled(array), 0
    number = canonicalize_axis("delete", axis, array.ndim)
    shape = array.shape
    size = shape[number] if shape is not None and number is not None else None
    left = left_of("delete", size, obj)
    if isinstance(obj, slice):
        pass
    elif isinstance(obj, int):
        array = _concatenated(array)
    elif is_unknown(obj):
        array = replace(array, weak_type=None) if array.dtype == "bool" and array.weak_type else array
    else:
        which = as_operand(cx, obj, "delete", 1)
        if which.dtype is not None and KINDS[which.dtype] in "fc":
            raise DtypeError(
                f"delete: what to delete is given by integers or bools, got {dtype_name(which.dtype, which.weak_type)}",
                ValueError,
            )
        mask = which.shape if which.dtype == "bool" else None
        if mask is not None and (len(mask) != 1 or differ(mask[0], size)):
            raise ShapeError(
                f"delete: a mask of shape {shape_tuple_str(mask)} does not go with an axis of size "
                f"{'unknown' if size is None else size}",
                ValueError,
            )
        count = size_dim(which.shape)
        if assume_unique_indices is True and which.dtype is not None and KINDS[which.dtype] in "ui":
            left = max_dim(subtract_dims(size, count), 0)
    return with_shape(array, resized_axis(shape, number, left))


@rule("numpy.insert")
def insert(cx: Context, arr: Any, obj: Any, values: Any, axis: Any = None) -> ShapedArray:
    """`jax.numpy.insert`."""
    array, new = as_operand(cx, arr, "insert", 0), as_operand(cx, values, "insert", 2)
    at = None if isinstance(obj, slice) else as_operand(cx, obj, "insert", 1)
    if is_unknown(axis):
        return with_shape(array, None)
    if axis is None:
        array, axis = raveled(array), 0
    number = canonicalize_axis("insert", axis, array.ndim)
    if at is not None and at.ndim is not None and at.ndim > 1:
        raise DimError(f"insert: where to insert is a slice, a scalar or a vector, got {at.ndim} dimensions")
    if at is not None and at.dtype is not None and KINDS[at.dtype] not in "ui" and is_empty(at.shape) is False:
        raise DtypeError(
            f"insert: where to insert is given by integers, got {dtype_name(at.dtype, at.weak_type)}", ValueError
        )
    places = obj if at is None else at.shape
    return with_shape(array, inserted("insert", array.shape, number, places, new.shape))
