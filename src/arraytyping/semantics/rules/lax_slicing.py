"""Rules of the family: functions of `jax.lax` that cut an array by static bounds, or pad it.

Source: `_slice_shape_rule` of https://github.com/jax-ml/jax/blob/main/jax/_src/lax/slicing.py and `_pad_shape_rule` of
https://github.com/jax-ml/jax/blob/main/jax/_src/lax/lax.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from arraytyping.semantics.avals import Dim, Shape, ShapedArray, shape_tuple_str
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.errors import DimError, ShapeError
from arraytyping.semantics.rules.lax_dimensions import as_ints, axis_in_list, truncated_axis
from arraytyping.semantics.rules.lax_operands import all_weak, same_dtype, shaped
from arraytyping.semantics.rules.operands import as_operand
from arraytyping.semantics.rules.shapes.convolutions import dilated
from arraytyping.semantics.rules.sizes import with_shape, without_axis
from arraytyping.semantics.rules.static_arguments import as_flag, as_size
from arraytyping.semantics.rules.table import rule
from arraytyping.semantics.sizes.dims import add_dims, divide_dim, exceeds, subtract_dims

Bounds = tuple[Dim, Dim, Dim, Dim]
"""The size of a dimension, where its slice starts and ends, and the stride."""


@rule("lax.slice")
def slice_(cx: Context, operand: Any, start_indices: Any, limit_indices: Any, strides: Any = None) -> ShapedArray:
    """`jax.lax.slice`: bounds within the array, counted from its start."""
    array = as_operand(cx, operand, "lax.slice")
    given: list[Shape | None] = [
        array.shape,
        as_ints("lax.slice", "a start", start_indices),
        as_ints("lax.slice", "a limit", limit_indices),
        None if strides is None else as_ints("lax.slice", "a stride", strides),
    ]
    ranks = {len(g) for g in given if g is not None}
    if len(ranks) > 1:
        raise ShapeError(
            "lax.slice takes a start, a limit and a stride for each dimension of the operand, got "
            + ", ".join(
                f"{len(g)} {name}"
                for g, name in zip(given, ("dimensions", "starts", "limits", "strides"))
                if g is not None
            )
        )
    if not ranks:
        return with_shape(array, None)
    unknown = (None,) * ranks.pop()
    if strides is None:
        given[3] = (1,) * len(unknown)
    return with_shape(array, _sliced("lax.slice", list(zip(*[unknown if g is None else g for g in given]))))


def _sliced(operation: str, bounds: Sequence[Bounds]) -> Shape:
    """The sizes of the slices.

    Raises:
        ShapeError: (TypeError) if bounds do not ascend from 0 to the size; (ZeroDivisionError) for a stride of 0.
    """
    for size, *slice_bounds in bounds:
        start, limit, stride = slice_bounds
        ascending = combinations((0, start, limit, size), 2)
        if any(exceeds(a, b) for a, b in ascending) or (isinstance(stride, int) and stride < 0):
            raise ShapeError(
                f"{operation}: a slice goes from a start to a limit within 0 to the size of the dimension, in positive "
                f"strides, got {shape_tuple_str((start, limit, stride))} for size {shape_tuple_str((size,))[1:-2]}"
            )
    return tuple([_count(operation, *b) for b in bounds])


def _count(operation: str, size: Dim, start: Dim, limit: Dim, stride: Dim) -> Dim:
    if stride == 0:
        raise ShapeError(f"{operation}: a stride is positive, got 0", ZeroDivisionError)
    if limit == 0 or size == 0 or (start is not None and start == size):
        return 0
    count = subtract_dims(limit, start)
    if stride == 1 or count in (0, 1):
        return count
    return divide_dim(add_dims((count, stride, -1)), stride)


@rule("lax.slice_in_dim")
def slice_in_dim(
    cx: Context, operand: Any, start_index: Any, limit_index: Any, stride: Any = 1, axis: Any = 0
) -> ShapedArray:
    """`jax.lax.slice_in_dim`: negative bounds count from the end; nothing is clipped."""
    operation = "lax.slice_in_dim"
    array = shaped(cx, operand, operation)
    number = axis_in_list(operation, _axis(operation, axis), array.ndim)
    shape = array.shape
    size = None if shape is None or number is None else shape[number]
    start = 0 if start_index is None else _from_end(as_size(operation, "the start", start_index), size)
    limit = size if limit_index is None else _from_end(as_size(operation, "the limit", limit_index), size)
    step = as_size(operation, "the stride", stride)
    if shape is None or number is None:
        return with_shape(array, None if shape is None else (None,) * len(shape))
    (count,) = _sliced(operation, [(size, start, limit, step)])
    return with_shape(array, (*shape[:number], count, *shape[number + 1 :]))


def _axis(operation: str, axis: Any) -> int | None:
    """An axis by which a tuple is subscripted."""
    number = as_size(operation, "axis", axis)
    return number if isinstance(number, int) else None


def _from_end(index: Dim, size: Dim) -> Dim:
    """An index counted from the start."""
    return add_dims((index, size)) if isinstance(index, int) and index < 0 else index


@rule("lax.index_in_dim")
def index_in_dim(cx: Context, operand: Any, index: Any, axis: Any = 0, keepdims: Any = True) -> ShapedArray:
    """`jax.lax.index_in_dim`."""
    operation = "lax.index_in_dim"
    place = as_size(operation, "the index", index)
    given = truncated_axis(operation, axis)
    array = shaped(cx, operand, operation)
    shape, number = array.shape, axis_in_list(operation, given, array.ndim)
    keep = as_flag(keepdims)
    if shape is None:
        return with_shape(array, None)
    if number is None or keep is None:
        return with_shape(array, None if keep is None else (None,) * (len(shape) - (not keep)))
    size = shape[number]
    if isinstance(size, int) and (size == 0 or (isinstance(place, int) and not -size <= place < size)):
        raise DimError(
            f"{operation}: index {'?' if place is None else place} is out of bounds for axis {number} with size {size}",
            IndexError,
        )
    rest = without_axis(shape, number)
    return with_shape(array, (*rest[:number], 1, *rest[number:]) if keep else rest)


@rule("lax.pad")
def pad(cx: Context, operand: Any, padding_value: Any, padding_config: Any) -> ShapedArray:
    """`jax.lax.pad`: widths before, after and between the elements; negative ones before and after cut off."""
    array, value = operands = as_operand(cx, operand, "lax.pad"), as_operand(cx, padding_value, "lax.pad", 1)
    if not isinstance(padding_config, tuple | list):
        as_ints("lax.pad", "a triple of widths", padding_config)
    if value.ndim not in (None, 0):
        raise ShapeError(f"lax.pad: padding_value must be a scalar, got {value}", ValueError)
    shape = array.shape
    if isinstance(padding_config, tuple | list):
        if any(isinstance(triple, list) for triple in padding_config):
            raise ShapeError("lax.pad: a list of three widths cannot be hashed; give a tuple of tuples", TypeError)
        if shape is None:
            shape = (None,) * len(padding_config)
        if len(padding_config) != len(shape):
            raise ShapeError(
                f"lax.pad: {len(padding_config)} triples of widths for an array of {len(shape)} dimensions; give one "
                "for each",
                ValueError,
            )
        widths = [_widths(triple) for triple in padding_config]
        if any(isinstance(i, int) and i < 0 for _, _, i in widths):
            raise ShapeError("lax.pad: the width between elements is not negative", ValueError)
        shape = tuple([_padded(size, *triple) for size, triple in zip(shape, widths)])
        if any(exceeds(0, d) for d in shape):
            raise ShapeError(
                f"lax.pad: more is cut off than there is; the shape is {shape_tuple_str(shape)}", ValueError
            )
    elif shape is not None:
        shape = (None,) * len(shape)
    return ShapedArray(shape, same_dtype("lax.pad", operands), all_weak(operands))


def _widths(triple: Any) -> tuple[Dim, Dim, Dim]:
    """The three widths of a dimension.

    Raises:
        ShapeError: (ValueError) if they are not three.
        DimError: (TypeError) if they are no integers.
    """
    if not isinstance(triple, tuple | list):
        as_ints("lax.pad", "a width", triple)
        return None, None, None
    if len(triple) != 3:
        raise ShapeError(
            f"lax.pad: three widths for each dimension, before, after and between, got {len(triple)}", ValueError
        )
    low, high, interior = (as_size("lax.pad", "a width", w) for w in triple)
    return low, high, interior


def _padded(size: Dim, low: Dim, high: Dim, interior: Dim) -> Dim:
    between = size if size in (0, 1) else dilated(size, interior + 1) if isinstance(interior, int) else None
    return add_dims((low, high, between))
