"""Numerical gradients, differences along whole arrays, angles made continuous.

Source: `gradient`, `ediff1d` and `unwrap` of https://github.com/jax-ml/jax/blob/main/jax/_src/numpy/lax_numpy.py.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from arraytyping.semantics.avals import UNKNOWN, Scalar, ShapedArray, SymbolicDim, shape_tuple_str
from arraytyping.semantics.rules.axes import canonicalize_axis
from arraytyping.semantics.rules.compositions import on_abstract_values
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.dtype_kinds import ANY_COMPLEX, ANY_INTEGER
from arraytyping.semantics.rules.errors import DimError, DtypeError, RuleError, ShapeError
from arraytyping.semantics.rules.hashability import check_hashable
from arraytyping.semantics.rules.operands import as_operand
from arraytyping.semantics.rules.shapes.selecting import resized_axis
from arraytyping.semantics.rules.sizes import size_dim, with_shape
from arraytyping.semantics.rules.table import rule
from arraytyping.semantics.sizes.dims import at_least, differ, max_dim, subtract_dims

__all__: list[str] = []


@rule("numpy.ediff1d")
def ediff1d(cx: Context, ary: Any, to_end: Any = None, to_begin: Any = None) -> Any:
    """`jax.numpy.ediff1d`: of all elements in order, with others at the ends, converted."""
    array = as_operand(cx, ary, "ediff1d")
    ops = on_abstract_values(cx)
    flat = with_shape(array, (max_dim(subtract_dims(size_dim(array.shape), 1), 0),))
    ends = [None if v is None else as_operand(cx, v, "ediff1d") for v in (to_begin, to_end)]
    between = ops("lax.sub", flat, flat)
    parts = [None if v is None else ShapedArray((size_dim(v.shape),), array.dtype, False) for v in ends]
    before, behind = parts
    joined = [part for part in (before, between, behind) if part is not None]
    if to_end is UNKNOWN or to_begin is UNKNOWN:
        return ShapedArray((None,), array.dtype, False if array.weak_type is False else None)
    return ops("numpy.concatenate", joined) if len(joined) > 1 else between


def _axes(axis: Any, rank: int | None) -> list[int] | None:
    """The axes along which there are gradients; None if unknown."""
    if axis is None:
        return None if rank is None else list(range(rank))
    if axis is UNKNOWN or rank is None:
        return None
    numbers = [canonicalize_axis("gradient", one, rank) for one in (axis if isinstance(axis, tuple) else (axis,))]
    known = [n for n in numbers if n is not None]
    return known if len(known) == len(numbers) else None


def _slope(cx: Context, array: ShapedArray, distance: Any, axis: int) -> Any:
    """The gradient along an axis, of points at one distance, or at places of their own."""
    ops = on_abstract_values(cx)
    assert array.shape is not None
    size = array.shape[axis]
    one = with_shape(array, ())
    step = ops("numpy.subtract", one, one)
    if isinstance(distance, ShapedArray) and distance.shape is None:
        return with_shape(ops("numpy.true_divide", step, with_shape(distance, ())), array.shape)
    if not isinstance(distance, ShapedArray) or not distance.shape:
        inner = ops("numpy.true_divide", ops("numpy.multiply", step, 0.5), distance)
        edge = ops("numpy.true_divide", step, distance)
    elif len(distance.shape) == 1:
        if differ(distance.shape[0], size):
            raise ShapeError(
                f"gradient: places along an axis are as many as it has elements, got {distance.shape[0]} and {size}",
                ValueError,
            )
        place = with_shape(distance, ())
        width = ops("numpy.subtract", place, place)
        edge = ops("numpy.true_divide", step, width)
        product = ops("numpy.multiply", width, ops("numpy.add", width, width))
        weight = ops("numpy.true_divide", ops("numpy.negative", width), product)
        term = ops("numpy.multiply", weight, one)
        inner = ops("numpy.add", ops("numpy.add", term, term), term)
    else:
        raise ShapeError(
            f"gradient: distances are a number or a vector, got shape {shape_tuple_str(distance.shape)}", ValueError
        )
    joined = ops("numpy.concatenate", [with_shape(edge, (1,)), with_shape(inner, (1,))])
    return with_shape(joined, array.shape)


def _check_axes(array: ShapedArray, axes: Sequence[int], spacing: Sequence[Any]) -> bool:
    """Whether it is known that the axes are long enough.

    Raises:
        ShapeError: (ValueError) for an axis of fewer than 2 elements.
        RuleError: for another number of distances.
    """
    assert array.shape is not None
    sizes = [array.shape[i] for i in axes]
    if any(isinstance(size, int) and size < 2 for size in sizes):
        raise ShapeError(
            f"gradient takes at least 2 elements along each axis, got shape {shape_tuple_str(array.shape)}", ValueError
        )
    if len(spacing) not in (0, 1, len(axes)):
        raise RuleError(f"gradient: {len(spacing)} distances are given for {len(axes)} axes; give one, or one for each")
    return all(at_least(size, 2) for size in sizes)


@rule("numpy.gradient")
def gradient(cx: Context, f: Any, *varargs: Any, axis: Any = None, edge_order: Any = None) -> Any:
    """`jax.numpy.gradient`: of several axes a list."""
    check_hashable("gradient", axis=axis, edge_order=edge_order)
    if edge_order is not None and edge_order is not UNKNOWN:
        raise RuleError("gradient: edge_order is not implemented; leave it out", NotImplementedError)
    if f is None or None in varargs:
        raise DtypeError("gradient: None is no array; give one", ValueError)
    ops = on_abstract_values(cx)
    array, *spacing = ops.inexact("gradient", f, *varargs)
    axes = _axes(axis, array.ndim)
    if axes is None or array.shape is None:
        return UNKNOWN
    if not axes:
        return []
    _check_axes(array, axes, spacing)
    distances = spacing if len(spacing) == len(axes) else (spacing or [1.0]) * len(axes)
    slopes = [_slope(cx, array, h, i) for h, i in zip(distances, axes)]
    return slopes[0] if len(slopes) == 1 else slopes


@rule("numpy.unwrap")
def unwrap(cx: Context, p: Any, discont: Any = None, axis: Any = -1, period: Any = 2 * math.pi) -> Any:
    """`jax.numpy.unwrap`: multiples of the period are added to angles."""
    check_hashable("unwrap", axis=axis)
    ops = on_abstract_values(cx)
    array = as_operand(cx, p, "unwrap", 0)
    cycle = as_operand(cx, period, "unwrap", "period")
    joined = cx.join("unwrap", (array, cycle))
    array, cycle = ShapedArray(array.shape, *joined), ShapedArray(cycle.shape, *joined)
    if array.dtype in ANY_COMPLEX:
        raise DtypeError(f"unwrap does not take {array.dtype}, which has no order; take jnp.real of it", ValueError)
    if array.shape is None or axis is UNKNOWN or cycle.shape is None:
        return UNKNOWN
    if isinstance(axis, SymbolicDim | Scalar):
        return UNKNOWN
    if not isinstance(axis, int) or not -len(array.shape) <= axis < len(array.shape):
        exception = IndexError if isinstance(axis, int) else TypeError
        raise DimError(f"unwrap: {array} has no axis {axis!r}", exception)
    size = array.shape[axis]
    if size == 0:
        return array
    if not at_least(size, 1) or discont is UNKNOWN or cycle.shape:
        return UNKNOWN
    limit = ops("numpy.true_divide", cycle, 2) if discont is None else discont
    whole = array.dtype in ANY_INTEGER
    interval = ops("numpy.floor_divide" if whole else "numpy.true_divide", cycle, 2)
    steps = ops("numpy.diff", array, axis=axis)
    within = ops("numpy.subtract", ops("numpy.mod", ops("numpy.add", steps, interval), cycle), interval)
    edges = ops("numpy.equal", within, ops("numpy.negative", interval))
    edges = ops("numpy.bitwise_and", edges, ops("numpy.greater", steps, 0))
    within = ops("numpy.where", edges, interval, within)
    small = ops("numpy.less", ops("numpy.abs", steps), limit)
    correction = ops("numpy.where", small, 0, ops("numpy.subtract", within, steps))
    number = axis % len(array.shape)
    others = with_shape(array, resized_axis(array.shape, number, subtract_dims(size, 1)))
    rest = ops("numpy.add", others, ops("numpy.cumsum", correction, axis=axis))
    first = with_shape(array, resized_axis(array.shape, number, 1))
    return ops("numpy.concatenate", [first, rest], axis=axis)
