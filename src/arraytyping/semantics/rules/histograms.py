"""Histograms: counts in bins, and the edges of the bins.

Source: `histogram`, `histogram2d` and `histogramdd` of
https://github.com/jax-ml/jax/blob/main/jax/_src/numpy/lax_numpy.py.
"""

from __future__ import annotations

from typing import Any

from arraytyping.semantics.avals import UNKNOWN, Dim, NumPyArray, Shape, ShapedArray, shape_tuple_str
from arraytyping.semantics.rules.compositions import on_abstract_values
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.errors import RuleError, ShapeError
from arraytyping.semantics.rules.operands import as_operand
from arraytyping.semantics.rules.refusals import TINY, refuse
from arraytyping.semantics.rules.shapes.samples import bins_between
from arraytyping.semantics.rules.static_arguments import as_flag, as_size
from arraytyping.semantics.rules.table import rule
from arraytyping.semantics.sizes.dims import add_dims, at_least, differ

__all__: list[str] = []


def _bins(operation: str, bins: Any) -> Dim:
    """How many bins there are.

    Raises:
        RuleError: (NotImplementedError) for the name of a method to find them.
    """
    if isinstance(bins, str):
        raise RuleError(f"{operation}: bins are a number or edges, got {bins!r}", NotImplementedError)
    if isinstance(bins, NumPyArray | ShapedArray) and bins.shape != ():
        if bins.shape is None or len(bins.shape) != 1:
            return None
        return bins_between(bins.shape[0])
    return as_size(operation, "the number of bins", bins)


def _is_odd(range: Any) -> bool:
    """Whether a range is given that is no pair of numbers."""
    return range is not None and not (
        isinstance(range, tuple | list) and len(range) == 2 and all(isinstance(v, int | float) for v in range)
    )


def _edges(cx: Context, dtype: str | None, count: Dim) -> ShapedArray:
    return ShapedArray((add_dims((count, 1)),), dtype, False)


def _differ(a: Shape | None, b: Shape | None) -> bool:
    """Whether two shapes differ for certain."""
    return a is not None and b is not None and (len(a) != len(b) or any(map(differ, a, b)))


def _weighted(cx: Context, operation: str, a: Any, weights: Any) -> tuple[ShapedArray, ShapedArray]:
    """The values and their weights, of one dtype; without weights those are ones, like the values."""
    ops = on_abstract_values(cx)
    values = as_operand(cx, a, operation, 0)
    if weights is None:
        (values,) = ops.inexact(operation, values)
        return values, values
    given = as_operand(cx, weights, operation, "weights")
    values, given = ops.inexact(operation, values, given)
    return values, given


@rule("numpy.histogram")
def histogram(
    cx: Context, a: Any, bins: Any = 10, range: Any = None, weights: Any = None, density: Any = None
) -> Any:  # fmt: skip
    """`jax.numpy.histogram`: the counts, and the edges, one more than there are bins."""
    if bins is not UNKNOWN:
        as_operand(cx, bins, "histogram", 1)
    if weights is UNKNOWN:
        return UNKNOWN
    values, given = as_operand(cx, a, "histogram", 0), None if weights is None else as_operand(cx, weights, "histogram")
    if given is not None and _differ(values.shape, given.shape):
        raise ShapeError(f"histogram: weights are of the shape of a, got {given} and {values}", ValueError)
    values, given = _weighted(cx, "histogram", a, weights)
    if isinstance(bins, float | complex | bool) or _is_odd(range):
        return UNKNOWN
    count = _bins("histogram", bins)
    if count is not None and not at_least(count, 1):
        return UNKNOWN
    edges = _edges(cx, values.dtype, count)
    if values.dtype is None or given.dtype is None or values.shape is None:
        return UNKNOWN
    ops = on_abstract_values(cx)
    refuse("histogram", values.dtype, (TINY.raising(ValueError),))
    if range is None and isinstance(bins, int):
        ops("numpy.min", values)
    ops("numpy.searchsorted", ShapedArray((2,), edges.dtype, False), values)
    start = ShapedArray((1,), given.dtype, False)
    counts = ops("Array.at.add", start, 0, ShapedArray((), given.dtype, given.weak_type))
    has_density = as_flag(density)
    if has_density is None:
        return UNKNOWN
    if has_density:
        counts = ops("numpy.true_divide", counts, ops("numpy.diff", ShapedArray((2,), edges.dtype, False)))
        counts = ops("numpy.true_divide", counts, ops("numpy.sum", counts))
    return ShapedArray((count,), counts.dtype, counts.weak_type), edges


def _several(cx: Context, operation: str, bins: Any, rank: int) -> list[Dim] | None:
    """How many bins there are along each dimension; None if that is not known."""
    if isinstance(bins, int):
        return [int(bins)] * rank
    if not isinstance(bins, tuple | list):
        return None
    if len(bins) != rank:
        raise ShapeError(f"{operation}: bins for each of {rank} dimensions are required, got {len(bins)}", ValueError)
    if any(isinstance(b, float | complex | bool) or b is None for b in bins):
        return None
    return [_bins(operation, b) for b in bins]


def _counted(
    cx: Context, operation: str, sample: ShapedArray, bins: Any, range: Any, weights: Any, density: Any
) -> Any:
    """The counts, and the edges of each dimension; `UNKNOWN` if not all of it is known."""
    if sample.shape is not None and len(sample.shape) != 2:
        raise ShapeError(f"{operation}: points are the rows of a matrix, got {sample}", ValueError)
    if weights is UNKNOWN or range is not None or sample.shape is None:
        return UNKNOWN
    ops = on_abstract_values(cx)
    points, rank = sample.shape
    if weights is None:
        (values,) = ops.inexact(operation, sample)
        dtype: str | None = cx.default("int")
    else:
        given = as_operand(cx, weights, operation, "weights")
        if given.shape is not None and (len(given.shape) != 1 or differ(given.shape[0], points)):
            raise ShapeError(
                f"{operation}: one weight for each point is required, got shape {shape_tuple_str(given.shape)}",
                ValueError,
            )
        values, given = ops.inexact(operation, sample, given)
        dtype = given.dtype
    if not isinstance(rank, int) or rank == 0 or not at_least(points, 1):
        return UNKNOWN
    counts = _several(cx, operation, bins, rank)
    if counts is None or values.dtype is None or not all(n is not None and at_least(n, 1) for n in counts):
        return UNKNOWN
    refuse(operation, values.dtype, (TINY.raising(ValueError),))
    ops("numpy.min", values)
    ops("numpy.searchsorted", ShapedArray((2,), values.dtype, False), values)
    has_density = as_flag(density)
    if has_density is None:
        return UNKNOWN
    result = ShapedArray(tuple(counts), dtype, False)
    if has_density:
        whole = ShapedArray(result.shape, values.dtype, False)
        whole = ops("numpy.true_divide", whole, ops("numpy.sum", whole))
        width = ops("numpy.diff", ShapedArray((2,), values.dtype, False))
        result = ops("numpy.true_divide", whole, width)
    return result, [_edges(cx, values.dtype, n) for n in counts]


@rule("numpy.histogramdd")
def histogramdd(
    cx: Context, sample: Any, bins: Any = 10, range: Any = None, weights: Any = None, density: Any = None
) -> Any:  # fmt: skip
    """`jax.numpy.histogramdd`: the counts, and the edges of each dimension in a list."""
    return _counted(cx, "histogramdd", as_operand(cx, sample, "histogramdd"), bins, range, weights, density)


@rule("numpy.histogram2d")
def histogram2d(
    cx: Context, x: Any, y: Any, bins: Any = 10, range: Any = None, weights: Any = None, density: Any = None
) -> Any:  # fmt: skip
    """`jax.numpy.histogram2d`: the counts, and the edges of both dimensions."""
    first, second = as_operand(cx, x, "histogram2d", 0), as_operand(cx, y, "histogram2d", 1)
    pair = on_abstract_values(cx)("numpy.asarray", [first, second])
    if not isinstance(pair, ShapedArray) or pair.shape is None:
        return UNKNOWN
    if len(pair.shape) == 2 and isinstance(bins, tuple | list) and len(bins) != 2:
        return UNKNOWN
    points = ShapedArray(pair.shape[::-1], pair.dtype, pair.weak_type)
    found = _counted(cx, "histogram2d", points, bins, range, weights, density)
    return found if found is UNKNOWN else (found[0], *found[1])
