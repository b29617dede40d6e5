"""Counts: of integers, and of values by bins.

Source: https://docs.jax.dev/en/latest/jax.numpy.html; `jax/_src/numpy/lax_numpy.py`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from arraytyping import config
from arraytyping.errors import ConcretizationTypeError
from arraytyping.numpy.arithmetic import add, divide, subtract
from arraytyping.numpy.axes import known_values, raveled, several
from arraytyping.numpy.choosing import maximum, where
from arraytyping.numpy.conversion import asarray
from arraytyping.numpy.creation import ones_like
from arraytyping.numpy.differences import diff
from arraytyping.numpy.gathers import put_at
from arraytyping.numpy.index_arrays import ix_
from arraytyping.numpy.numbering import ravel_multi_index
from arraytyping.numpy.promoting import inexact_dtype, kind_of, promoted_inexact
from arraytyping.numpy.ranges import linspace
from arraytyping.numpy.reductions import amax, amin, sum as total
from arraytyping.numpy.searching import searchsorted
from arraytyping.runtime.array_likes import array_from, concrete_int, convert_to, materialized
from arraytyping.runtime.calling import operation
from arraytyping.runtime.lax.creation import full_of, zeros_of
from arraytyping.runtime.lax.structure import reshape
from arraytyping.runtime.out_shardings import takes_out_sharding
from arraytyping.runtime.transformations.jit import jit
from arraytyping.semantics.avals import ShapedArray

__all__ = ["bincount", "histogram", "histogram2d", "histogram_bin_edges", "histogramdd"]


@jit(static_argnames=("length",))
def _counted(x: Any, weights: Any, length: int) -> Any:
    """The sum of the weights of each integer from 0 on; negative ones count as 0."""
    places = maximum(x, 0)
    weights = weights if weights.aval.shape else full_of(weights, ShapedArray(x.aval.shape, weights.aval.dtype, False))
    start = zeros_of(ShapedArray((length,), weights.aval.dtype, False))
    return put_at(start, places, convert_to(weights, weights.aval.dtype), add=True)


@takes_out_sharding
def bincount(
    x: Any, weights: Any = None, minlength: int = 0, *, length: int | None = None, out_sharding: Any = None
) -> Any:
    """How often each integer from 0 on is there, or the sum of its weights: `jax.numpy.bincount`.

    Raises:
        TypeError: for what are no integers.
        ValueError: for what has not one dimension, and weights of another shape.
        ConcretizationTypeError: if the integers are traced and no length is given.
    """
    values = materialized(array_from(x))
    if values.aval.dtype == "bool":
        values = convert_to(values, "int32")
    if kind_of(values) not in "iu":
        raise TypeError(f"bincount: integers are counted, got {values.aval}")
    if len(values.aval.shape) != 1:
        raise ValueError(f"bincount: an array of 1 dimension is required, got {values.aval}")
    least = concrete_int(minlength, "minlength")
    if length is None:
        known = known_values(values)
        if known is None:
            raise ConcretizationTypeError(
                f"bincount: the greatest of a tracer of {values.aval} decides on the size of the result; give "
                "the argument length"
            )
        length = max(least, int(max(0, known.max())) + 1 if known.size else 0)
    if weights is None:
        given = full_of(1, ShapedArray((), config.promotion().default("int"), False))
    else:
        given = materialized(array_from(weights))
        if given.aval.shape != values.aval.shape:
            raise ValueError(f"bincount: the weights have the shape of x, got {given.aval} and {values.aval}")
    return _counted(values, given, concrete_int(length, "length"))


def _edges(name: str, a: Any, bins: Any, range: Any) -> Any:
    """The edges of bins: as they are given, or so many of one width in a range.

    Raises:
        NotImplementedError: for the name of a method to find them.
        ValueError: for a range that is no pair.
    """
    if isinstance(bins, str):
        raise NotImplementedError(
            f"{name}: bins are a number or edges, got {bins!r}; methods by name are not implemented"
        )
    dtype = inexact_dtype(a.aval.dtype)
    given = bins if isinstance(bins, int) else array_from(bins)
    if not isinstance(given, int) and len(given.aval.shape) == 1:
        return convert_to(materialized(given), dtype)
    count = given if isinstance(given, int) else concrete_int(given, "bins")
    if range is None:
        low, high = amin(a), amax(a)
    else:
        pair = asarray(range)
        if pair.aval.shape != (2,):
            raise ValueError(f"{name}: the range is a pair of numbers, got {range!r:.60}")
        low, high = pair[0], pair[1]
    low, high = (convert_to(v, dtype) for v in (low, high))
    flat = subtract(high, low) == 0
    low, high = where(flat, subtract(low, 0.5), low), where(flat, add(high, 0.5), high)
    return linspace(low, high, count + 1, dtype=dtype)


def histogram_bin_edges(a: Any, bins: Any = 10, range: Any = None, weights: Any = None) -> Any:
    """The edges of bins of one width that hold all values, or those in a range: `jax.numpy.histogram_bin_edges`.

    Raises:
        NotImplementedError: for the name of a method to find them.
        ValueError: for a range that is no pair.
    """
    return _edges("histogram_bin_edges", materialized(array_from(a)), bins, range)


def _as_bins(bins: Any) -> Any:
    """Bins with arrays in the place of NumPy's, and of lists of edges."""
    if isinstance(bins, np.ndarray):
        return array_from(bins)
    if isinstance(bins, tuple | list):
        return type(bins)([array_from(b) if isinstance(b, np.ndarray) else b for b in bins])
    return bins


@jit(static_argnames=("density",))
def _histogram(a: Any, edges: Any, weights: Any, density: bool) -> Any:
    n = edges.aval.shape[0]
    flat = raveled(a)
    place = searchsorted(edges, flat, side="right")
    place = where(flat == edges[n - 1], n - 1, place)
    start = zeros_of(ShapedArray((n,), weights.aval.dtype, False))
    counts = put_at(start, place, convert_to(raveled(weights), weights.aval.dtype), add=True)[1:]
    return divide(divide(counts, diff(edges)), total(counts)) if density else counts


@operation("numpy.histogram", "a", "weights", how="inline")
def _histogram_of(a: Any, bins: Any = 10, range: Any = None, weights: Any = None, density: bool | None = None) -> Any:
    values = materialized(a)
    if weights is None:
        (values,) = map(materialized, promoted_inexact(values))
        given = ones_like(values)
    else:
        values, given = map(materialized, promoted_inexact(values, weights))
    edges = _edges("histogram", values, bins, range)
    return _histogram(values, edges, given, bool(density)), edges


def histogram(
    a: Any, bins: Any = 10, range: Any = None, weights: Any = None, density: bool | None = None
) -> tuple[Any, Any]:
    """How many values there are in each bin, or the sum of their weights, and the edges: `jax.numpy.histogram`.

    Raises:
        TypeError: for the name of a method to find the bins.
        ValueError: for weights of another shape, and a range that is no pair.
    """
    found: tuple[Any, Any] = _histogram_of(a, _as_bins(bins), range, weights, density)
    return found


@operation("numpy.histogram2d", "x", "y", "weights", how="inline")
def _histogram_of_pairs(
    x: Any, y: Any, bins: Any = 10, range: Any = None, weights: Any = None, density: bool | None = None
) -> Any:
    count = len(bins) if several(bins) or (hasattr(bins, "shape") and bins.shape) else 1
    if count not in (1, 2):
        bins = [asarray(bins)] * 2
    counts, (first, second) = _histogram_of_points(asarray([x, y]).T, bins, range, weights, density)
    return counts, first, second


def histogram2d(
    x: Any, y: Any, bins: Any = 10, range: Any = None, weights: Any = None, density: bool | None = None
) -> tuple[Any, Any, Any]:
    """How many pairs of values there are in each bin of a grid, and the edges: `jax.numpy.histogram2d`."""
    found: tuple[Any, Any, Any] = _histogram_of_pairs(x, y, _as_bins(bins), range, weights, density)
    return found


def histogramdd(
    sample: Any, bins: Any = 10, range: Any = None, weights: Any = None, density: bool | None = None
) -> tuple[Any, list[Any]]:
    """How many rows of a matrix there are in each bin of a grid, and the edges by axis: `jax.numpy.histogramdd`.

    Raises:
        ValueError: for what is no matrix, and for weights, ranges or bins that are not as many as needed.
    """
    found: tuple[Any, list[Any]] = _histogram_of_points(sample, _as_bins(bins), range, weights, density)
    return found


@operation("numpy.histogramdd", "sample", "weights", how="inline")
def _histogram_of_points(
    sample: Any, bins: Any = 10, range: Any = None, weights: Any = None, density: bool | None = None
) -> Any:
    rank = sample.aval.shape[1]
    if weights is None:
        (values,) = map(materialized, promoted_inexact(sample))
    else:
        values, weights = map(materialized, promoted_inexact(sample, weights))
    if range is not None and (len(range) != rank or any(r is not None and np.shape(r)[0] != 2 for r in range)):
        raise ValueError(f"histogramdd: the range is {rank} pairs or Nones, got {range!r:.60}")
    each = list(bins) if several(bins) or (hasattr(bins, "shape") and bins.shape) else [bins] * rank
    if len(each) != rank:
        raise ValueError(f"histogramdd: bins for each of {rank} axes are required, got {len(each)}")
    places, all_edges = [], []
    for i, (one, of) in enumerate(zip(each, range or [None] * rank)):
        column = values[:, i]
        edges = _edges("histogramdd", column, one, of)
        place = searchsorted(edges, column, side="right")
        places.append(where(column == edges[-1], subtract(place, 1), place))
        all_edges.append(edges)
    sizes = tuple(e.aval.shape[0] + 1 for e in all_edges)
    flat = ravel_multi_index(tuple(places), sizes, mode="clip")
    counts = reshape(bincount(flat, weights, length=math.prod(sizes)), sizes)[(slice(1, -1),) * rank]
    if density:
        counts = convert_to(counts, values.aval.dtype)
        counts = divide(counts, total(counts))
        for width in ix_(*map(diff, all_edges)):
            counts = divide(counts, width)
    return counts, all_edges
