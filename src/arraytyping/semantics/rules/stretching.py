"""Functions that repeat elements: broadcasting to a shape or to one another, tiling, repeating along an axis.

Source: https://docs.jax.dev/en/latest/jax.numpy.html and https://numpy.org/doc/stable/user/basics.broadcasting.html.
"""

from __future__ import annotations

import math
from typing import Any

from arraytyping.semantics.avals import UNKNOWN, Dim, NumPyArray, Scalar, ShapedArray, shape_tuple_str
from arraytyping.semantics.rules.axes import canonicalize_axis
from arraytyping.semantics.rules.binary import promoted_shape
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.errors import DimError, ShapeError
from arraytyping.semantics.rules.operands import as_operand
from arraytyping.semantics.rules.reshaping import raveled
from arraytyping.semantics.rules.shapes.broadcasting import stretched
from arraytyping.semantics.rules.shapes.repeating import repeated, tiled
from arraytyping.semantics.rules.sizes import with_shape
from arraytyping.semantics.rules.static_arguments import as_size, as_sizes, is_unknown
from arraytyping.semantics.rules.table import rule

__all__: list[str] = []


@rule("numpy.broadcast_to")
def broadcast_to(cx: Context, array: Any, shape: Any, *, out_sharding: Any = None) -> ShapedArray:
    """`jax.numpy.broadcast_to`."""
    operand = as_operand(cx, array, "broadcast_to")
    target = as_sizes("broadcast_to", "a size of the shape", shape)
    if target is None:
        return with_shape(operand, None)
    made = target if operand.shape is None else stretched("broadcast_to", operand.shape, target)
    if any(isinstance(d, int) and d < 0 for d in target):
        raise ShapeError(f"broadcast_to: sizes are not negative, got the shape {shape_tuple_str(target)}", TypeError)
    return with_shape(operand, made)


@rule("numpy.broadcast_arrays")
def broadcast_arrays(cx: Context, *args: Any) -> tuple[ShapedArray, ...]:
    """`jax.numpy.broadcast_arrays`; each array keeps its dtype."""
    arrays = [as_operand(cx, a, "broadcast_arrays", i) for i, a in enumerate(args)]
    shape = promoted_shape("broadcast_arrays", *(a.shape for a in arrays), exception=ValueError)
    return tuple(with_shape(a, shape) for a in arrays)


@rule("numpy.broadcast_shapes")
def numpy_broadcast_shapes(cx: Context, *shapes: Any) -> Any:
    """`jax.numpy.broadcast_shapes`, a tuple of Python ints."""
    given = [as_sizes("broadcast_shapes", "a size of the shape", s) for s in shapes]
    for dims in given:
        if dims is not None and any(isinstance(d, int) and d < 0 for d in dims):
            raise ShapeError(
                f"broadcast_shapes: sizes are not negative, got the shape {shape_tuple_str(dims)}",
                TypeError if len(given) > 1 or len(dims) else ValueError,
            )
    shape = promoted_shape("broadcast_shapes", *given, exception=ValueError)
    return UNKNOWN if shape is None else tuple(Scalar("int") if d is None else d for d in shape)


@rule("numpy.tile")
def tile(cx: Context, A: Any, reps: Any) -> ShapedArray:
    """`jax.numpy.tile`."""
    array = as_operand(cx, A, "tile")
    counts = as_sizes("tile", "a number of repetitions", reps)
    return with_shape(array, tiled("tile", array.shape, counts))


@rule("numpy.repeat", "Array.repeat")
def repeat(
    cx: Context,
    a: Any,
    repeats: Any,
    axis: Any = None,
    *,
    total_repeat_length: Any = None,
    out_sharding: Any = None,
) -> ShapedArray:
    """`jax.numpy.repeat`, by one number for all elements or one for each, which may be traced beside a length."""
    array = as_operand(cx, a, "repeat")
    each = as_operand(cx, repeats, "repeat", 1)
    total = None if total_repeat_length is None else as_size("repeat", "total_repeat_length", total_repeat_length)
    if is_unknown(axis):
        return ShapedArray(None, array.dtype, _perhaps_dropped(array))
    if array.shape == () and axis is not None and total_repeat_length is None and type(repeats) is float:
        if math.isfinite(repeats) and int(repeats) < 0:
            raise ShapeError(f"repeat: repeats are not negative, got {repeats}", TypeError)
        return with_shape(array, (int(repeats) if math.isfinite(repeats) else None,))
    if axis is None:
        array, axis = raveled(array), 0
    shape = array.shape
    if shape == ():
        if each.size not in (1, None):
            raise ShapeError(f"repeat: a scalar is repeated by one number, got {each.size}", ValueError)
        count = as_size("repeat", "repeats", repeats) if total_repeat_length is None and not each.shape else total
        if isinstance(count, int) and count < 0:
            raise ShapeError(f"repeat: repeats are not negative, got {count}", TypeError)
        return with_shape(array, (count,))
    if total_repeat_length is None and not _is_vector(repeats):
        canonicalize_axis("repeat", axis, array.ndim)
        unknown = is_unknown(repeats) or each.shape is None
        count = None if unknown else as_size("repeat", "repeats", repeats)
        weak = array.weak_type if each.shape == () else _perhaps_dropped(array)
        return ShapedArray(repeated("repeat", shape, count, axis), array.dtype, weak)
    return _repeated_each(array, each, axis, total, asked=total_repeat_length is not None)


def _is_vector(repeats: Any) -> bool:
    """Whether the numbers of repetitions are surely several, one for each element."""
    return isinstance(repeats, ShapedArray | NumPyArray) and repeats.shape not in (None, ())


def _repeated_each(array: ShapedArray, each: ShapedArray, axis: Any, total: Dim, *, asked: bool) -> ShapedArray:
    """The array with each element along the axis repeated by a number of its own."""
    shape = array.shape
    number = as_size("repeat", "axis", axis)
    if shape is None or not isinstance(number, int):
        return ShapedArray(None if shape is None else (None,) * len(shape), array.dtype, _perhaps_dropped(array))
    if not -len(shape) <= number < len(shape):
        raise DimError(f"repeat: an array of shape {shape_tuple_str(shape)} has no axis {number}", IndexError)
    number %= len(shape)
    size = shape[number]
    if each.size not in (1, None) and isinstance(size, int) and each.size != size:
        raise ShapeError(
            f"repeat: {each.size} numbers of repetitions for an axis of size {size}; give 1 or {size}", ValueError
        )
    dims = list(shape)
    weak = array.weak_type
    if not asked:
        dims[number] = 0 if size == 0 else None
        weak = _perhaps_dropped(array)
    elif total == 0:  # JAX makes a new, empty array here
        dims[number], weak = 0, False if array.dtype is not None else None
    elif total is None or size is None or not isinstance(size, int):
        dims[number], weak = None, _perhaps_dropped(array)
    else:
        dims[number] = 0 if size == 0 else total
    return ShapedArray(tuple(dims), array.dtype, weak)


def _perhaps_dropped(array: ShapedArray) -> bool | None:
    """The weak type of a result that is strong in some cases and keeps that of the array in the others."""
    return None if array.weak_type else array.weak_type
