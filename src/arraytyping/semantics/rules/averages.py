"""Weighted averages.

Source: `_average` of https://github.com/jax-ml/jax/blob/main/jax/_src/numpy/reductions.py.
"""

from __future__ import annotations

from typing import Any

from arraytyping.semantics.avals import UNKNOWN, Alternatives, Shape, ShapedArray, shape_tuple_str
from arraytyping.semantics.rules.axes import canonicalize_axis
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.dtype_kinds import to_inexact
from arraytyping.semantics.rules.errors import ShapeError
from arraytyping.semantics.rules.hashability import check_hashable
from arraytyping.semantics.rules.operands import as_operand
from arraytyping.semantics.rules.reduction_arguments import summed
from arraytyping.semantics.rules.shapes.reductions import Axes, reduced_axes
from arraytyping.semantics.rules.static_arguments import as_flag
from arraytyping.semantics.rules.table import rule
from arraytyping.semantics.sizes.dims import differ


def check_weights(operation: str, a: Shape | None, weights: Shape | None, axis: Any, axes: Axes) -> None:
    """Check that weights have the shape of the array, or that of its axes that are reduced, in the order given.

    Raises:
        ShapeError: (ValueError) if they certainly have neither.
    """
    if a is None or weights is None or _may_equal(a, weights):
        return
    if axis is None:
        raise ShapeError(
            f"{operation}: weights of shape {shape_tuple_str(weights)} for an array of shape {shape_tuple_str(a)} "
            "need an axis; name the axis that they run along",
            ValueError,
        )
    if axes.numbers is not None and not _may_equal(along := tuple(a[i] for i in axes.numbers), weights):
        raise ShapeError(
            f"{operation}: weights of shape {shape_tuple_str(weights)} have neither the shape of the array, "
            f"{shape_tuple_str(a)}, nor that of its reduced axes, {shape_tuple_str(along)}",
            ValueError,
        )


def _may_equal(a: Shape, b: Shape) -> bool:
    """Whether two shapes can be the same."""
    return len(a) == len(b) and not any(map(differ, a, b))


@rule("numpy.average")
def average(
    cx: Context, a: Any, axis: Any = None, weights: Any = None, returned: Any = False, keepdims: Any = False
) -> Any:
    """`jax.numpy.average`: with `returned`, the sum of the weights too."""
    check_hashable("average", returned=returned, keepdims=keepdims)
    operand = as_operand(cx, a, "average")
    for one in axis if isinstance(axis, tuple | list) else ():
        canonicalize_axis("average", one, None)  # whether each is an integer comes first
    axes = reduced_axes("average", axis, operand.ndim, named=False)
    dtype = operand.dtype
    if weights is not None:
        given = as_operand(cx, weights, "average", "weights")
        joined, _ = cx.join("average", (operand, given))
        if weights is not UNKNOWN:
            dtype = joined
            check_weights("average", operand.shape, given.shape, axis, axes)
        else:
            dtype = None
    result = None if dtype is None else to_inexact(dtype)
    if weights is not None and weights is not UNKNOWN:
        result = summed(cx, "average", result)
    value = ShapedArray(axes.reduce(operand.shape, as_flag(keepdims)), result, False)
    pair = as_flag(returned)
    if pair is None:
        return Alternatives.of((value, (value, value)))
    return (value, value) if pair else value
