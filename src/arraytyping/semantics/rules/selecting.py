"""Functions that select elements by their places: take, diagonals, deletion and insertion.

Source: https://docs.jax.dev/en/latest/jax.numpy.html.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from arraytyping.scalars import KINDS
from arraytyping.semantics.avals import Dim, Shape, ShapedArray, dtype_name, join_shapes, shape_tuple_str
from arraytyping.semantics.rules.axes import canonicalize_axis
from arraytyping.semantics.rules.binary import promoted_shape
from arraytyping.semantics.rules.broadcasting import broadcast_dims
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.errors import DimError, DtypeError, RuleError, ShapeError
from arraytyping.semantics.rules.hashability import check_hashable
from arraytyping.semantics.rules.operands import as_operand
from arraytyping.semantics.rules.reshaping import raveled
from arraytyping.semantics.rules.sizes import is_empty, size_dim, with_shape, without_axis
from arraytyping.semantics.rules.slices import slice_size
from arraytyping.semantics.rules.static_arguments import as_size, is_unknown
from arraytyping.semantics.rules.stretching import check_stretches
from arraytyping.semantics.rules.table import rule
from arraytyping.semantics.sizes.dims import add_dims, at_least, differ, max_dim, min_dim, subtract_dims

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
    if number is None:
        # Of a size of 0 the array itself may be left, see below.
        sure = none is False or len(at.shape) == 1
        return with_shape(array, (None,) * (len(shape) - 1 + len(at.shape)) if sure else None)
    size = shape[number]
    if size == 0 and none is False:
        raise ShapeError(f"take: axis {number} has size 0, so there is nothing to take from it", IndexError)
    if none is False and at.dtype is not None and KINDS[at.dtype] in ("bfc" if mode == "clip" else "fc"):
        raise DtypeError(
            f"take: the indices are integers, got {dtype_name(at.dtype, at.weak_type)}",
            TypeError if mode == "wrap" and KINDS[at.dtype] == "c" else ValueError,
        )
    taken = shape[:number] + at.shape + shape[number + 1 :]
    if none is False or at_least(size, 1):
        return with_shape(array, taken)
    # Nothing taken from an axis of size 0 leaves the array as it is, whatever the shape of the indices.
    if size == 0 and none:
        return with_shape(array, shape)
    return with_shape(array, join_shapes(taken, shape[:number] + (0,) + shape[number + 1 :]))


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
    if array.shape is not None and at.shape is not None and len(array.shape) != len(at.shape):
        raise DimError(
            f"take_along_axis: the array has {len(array.shape)} dimensions and the indices {len(at.shape)}; "
            "they have to have as many"
        )
    rank = at.ndim if array.ndim is None else array.ndim
    number = canonicalize_axis("take_along_axis", axis, rank)
    size = array.shape[number] if array.shape is not None and number is not None else None
    # A new, strong array is made where there is nothing to take from.
    weak = array.weak_type
    if weak and not at_least(size, 1):
        weak = False if size == 0 else None
    if array.shape is None or at.shape is None or number is None:
        return ShapedArray(None if rank is None else (None,) * rank, array.dtype, weak)
    others = (*array.shape[:number], 1, *array.shape[number + 1 :])
    out = promoted_shape("take_along_axis", at.shape, others, exception=ValueError)
    if at_least(size, 1) and not is_unknown(mode) and mode is not None and mode not in GATHER_MODES:
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
    first, second = (canonicalize_axis("diagonal", i, len(shape)) for i in (axis1, axis2))
    if first is not None and first == second:
        raise DimError("diagonal: axis1 and axis2 are one and the same; give two different ones", TypeError)
    weak = array.weak_type
    if weak and main and square is not False:
        weak = None
    if first is None or second is None:
        return ShapedArray((None,) * (len(shape) - 1), array.dtype, weak)
    rest = tuple(d for i, d in enumerate(shape) if i not in (first, second))
    return ShapedArray((*rest, _diagonal_size(shape[first], shape[second], start)), array.dtype, weak)


def _diagonal_size(rows: Dim, columns: Dim, offset: Dim) -> Dim:
    """The size of a diagonal."""
    if 0 in (rows, columns):
        return 0
    if not isinstance(offset, int):
        return None
    return max_dim(min_dim(add_dims((rows, min(offset, 0))), add_dims((columns, -max(offset, 0)))), 0)


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
    left: Dim = None
    if isinstance(obj, slice):
        cut = slice_size("delete", obj, size)
        left = subtract_dims(size, cut)
    elif isinstance(obj, int):
        if isinstance(size, int):
            canonicalize_axis("delete", obj, size)
        left = subtract_dims(size, 1)
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
    if shape is None:
        return with_shape(array, None)
    if number is None:
        return with_shape(array, (None,) * len(shape))
    return with_shape(array, (*shape[:number], left, *shape[number + 1 :]))


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
    shape = array.shape
    if shape is None:
        return with_shape(array, None)
    if number is None:
        return with_shape(array, (None,) * len(shape))
    count = slice_size("insert", obj, shape[number]) if isinstance(obj, slice) else _inserted(at)
    if new.shape is None or (at is not None and at.shape is None) or count is None:
        added: Dim = None
    else:
        sizes = (1,) * (len(shape) - len(new.shape)) + new.shape
        if count == 1 and at is not None and at.shape == ():
            sizes = _moved_first(sizes, number)
        if number >= len(sizes):
            added = None
        elif count == 1:
            added = sizes[number]
        else:
            try:
                added = broadcast_dims(count, sizes[number])
            except ValueError:
                raise ShapeError(
                    f"insert: values of shape {shape_tuple_str(new.shape)} do not go with {count} places", ValueError
                ) from None
        if added is not None and is_empty(made := (*shape[:number], added, *shape[number + 1 :])) is False:
            check_stretches("insert", sizes, made)
    return with_shape(array, (*shape[:number], add_dims((shape[number], added)), *shape[number + 1 :]))


def _inserted(at: ShapedArray | None) -> Dim:
    """The number of places at which to insert; None if unknown."""
    if at is None or at.shape is None:
        return None
    return at.shape[0] if at.shape else 1


def _moved_first(sizes: Shape, axis: int) -> Shape:
    """The sizes with the first moved to an axis."""
    rest = without_axis(sizes, 0)
    return (*rest[:axis], sizes[0], *rest[axis:])
