"""Quantiles, percentiles and medians, also of what is not NaN.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.numpy.quantile.html.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from arraytyping import config
from arraytyping.numpy.means import aligned_weights, scalar
from arraytyping.numpy.promoting import chosen, one_rank, one_shape, promoted, promoted_inexact
from arraytyping.numpy.reducing import ANY, SUM, Axes, axes_of, kept_shape, reduced, total
from arraytyping.numpy.reductions import is_nan
from arraytyping.runtime.array_likes import array_from, convert_to
from arraytyping.runtime.calling import operation
from arraytyping.runtime.lax.aggregates import slice_along
from arraytyping.runtime.lax.arithmetic import add_p, constant_like, div_p, mul_p, sub_p
from arraytyping.runtime.lax.comparisons import eq_p, le_p, lt_p, max_p, min_p
from arraytyping.runtime.lax.complex_numbers import ones_like
from arraytyping.runtime.lax.cumulative import cumsum_p
from arraytyping.runtime.lax.gathering import GatherDimensionNumbers, GatherScatterMode, gather_p
from arraytyping.runtime.lax.integers import bitwise_not_p, bitwise_or_p, ceil_p, floor_p
from arraytyping.runtime.lax.sorting import sort_p, taken_along
from arraytyping.runtime.lax.structure import broadcast_in_dim_p, broadcast_to, moveaxis, reshape, transpose

__all__ = ["median", "nanmedian", "nanpercentile", "nanquantile", "percentile", "quantile"]


class _Sample(NamedTuple):
    """Elements in order along the last dimension, with their weights; how many of them count, for each sample."""

    values: Any
    weights: Any
    many: Any


def _flattened(x: Any, positions: tuple[int, ...]) -> Any:
    """The array with these dimensions as one, the last."""
    shape = x.aval.shape
    others = [d for d in range(len(shape)) if d not in positions]
    moved = transpose(x, [*others, *sorted(positions)])
    return reshape(moved, (*(shape[d] for d in others), math.prod(shape[d] for d in positions)))


def _between(index: Any, least: Any, greatest: Any) -> Any:
    return max_p.bind(least, min_p.bind(*one_rank(index, greatest)))


def _taken(values: Any, index: Any, q_rank: int) -> Any:
    """The elements at indices: one for all samples, or the dimension of q before those of the samples."""
    rest = values.aval.shape[:-1]
    if index.aval.shape[q_rank:] != rest:  # one index for all samples
        return gather_p.bind(
            values, reshape(index, (*index.aval.shape, 1)),
            dimension_numbers=GatherDimensionNumbers(
                tuple(range(q_rank, q_rank + len(rest))), (len(rest),), (len(rest),), (), ()
            ),
            slice_sizes=(*rest, 1), unique_indices=False, indices_are_sorted=False,
            mode=GatherScatterMode.CLIP, fill_value=None,
        )  # fmt: skip
    along = len(rest)
    if not q_rank:
        return reshape(taken_along(values, reshape(index, (*rest, 1)), along), rest)
    return moveaxis(taken_along(values, moveaxis(index, 0, -1), along), -1, 0)


def _interpolated(sample: _Sample, q: Any, method: str) -> Any:
    """The quantiles by the places of q among the elements: q times one less than how many there are."""
    values, q_rank = sample.values, len(q.aval.shape)
    rest = values.aval.shape[:-1]
    one = constant_like(q, 1)
    many = sample.many
    if many.aval.shape and q_rank:
        shape = (q.aval.shape[0], *rest)
        q = broadcast_in_dim_p.bind(q, shape=shape, broadcast_dimensions=(0,))
        many = broadcast_to(many, shape)
    last = sub_p.bind(many, one)
    place = mul_p.bind(q, last)
    low, high = floor_p.bind(place), ceil_p.bind(place)
    high_weight = sub_p.bind(place, low)
    low_weight = sub_p.bind(one, high_weight)
    integer = config.promotion().default("int")
    low_value, high_value = (
        _taken(values, convert_to(_between(i, constant_like(i, 0), last), integer), q_rank) for i in (low, high)
    )
    if method == "lower":
        return low_value
    if method == "higher":
        return high_value
    if method == "midpoint":
        return mul_p.bind(add_p.bind(low_value, high_value), constant_like(low_value, 0.5))
    if low_weight.aval.shape != low_value.aval.shape:
        dims = tuple(range(q_rank))
        low_weight, high_weight = (
            broadcast_in_dim_p.bind(w, shape=low_value.aval.shape, broadcast_dimensions=dims)
            for w in (low_weight, high_weight)
        )
    if method == "nearest":
        return chosen(le_p.bind(high_weight, constant_like(high_weight, 0.5)), low_value, high_value)
    low_value, high_value = (convert_to(v, q.aval.dtype) for v in (low_value, high_value))
    return add_p.bind(mul_p.bind(low_value, low_weight), mul_p.bind(high_value, high_weight))


def _inverted_cdf(sample: _Sample, q: Any, ignores_nan: bool) -> Any:
    """The quantiles by weight: the first element up to which there is that share of the whole weight."""
    values, q_rank = sample.values, len(q.aval.shape)
    rest, along = values.aval.shape[:-1], len(values.aval.shape) - 1
    weights = ones_like(values) if sample.weights is None else sample.weights
    zero = constant_like(weights, 0)
    bad = bitwise_or_p.bind(lt_p.bind(weights, zero), is_nan(weights))
    of_nan = is_nan(values)
    clean = chosen(bitwise_or_p.bind(bad, of_nan), zero, weights)
    running = cumsum_p.bind(clean, axis=along, reverse=False)
    whole = slice_along(running, values.aval.shape[-1] - 1, values.aval.shape[-1], axis=along)
    target = mul_p.bind(*one_rank(reshape(q, (*q.aval.shape, *(1,) * len(values.aval.shape))), whole))
    running = reshape(running, (*(1,) * q_rank, *running.aval.shape))
    integer = config.promotion().default("int")
    before = total(SUM, lt_p.bind(*one_shape(running, target)), -1, integer)
    last = convert_to(sub_p.bind(sample.many, constant_like(sample.many, 1)), integer)
    index = _between(before, constant_like(before, 0), last)
    result = _taken(values, index, q_rank)
    unknown = reduced(ANY, bad, Axes((along,)), False)
    none = (
        eq_p.bind(sample.many, constant_like(sample.many, 0))
        if ignores_nan
        else reduced(ANY, of_nan, Axes((along,)), False)
    )
    unknown = bitwise_or_p.bind(*one_shape(unknown, none))
    return chosen(broadcast_to(unknown, (*q.aval.shape, *rest)), constant_like(result, math.nan), result)


def _quantile(a: Any, q: Any, axis: Any, method: str, keepdims: Any, weights: Any, ignores_nan: bool) -> Any:
    shape = a.aval.shape
    positions = axes_of(axis, len(shape)).positions
    if weights is None:
        (a,) = promoted_inexact(a)
    else:
        a, weights = promoted_inexact(a, weights)
        if weights.aval.shape != shape:
            weights = broadcast_to(aligned_weights(weights, shape, positions), shape)
        weights = _flattened(weights, positions)
    a, nan = promoted(a, array_from(math.nan))  # a weak array of 32 bits becomes one of the default float
    values = _flattened(a, positions)
    along = len(values.aval.shape) - 1
    spoiled = is_nan(values)
    if not ignores_nan:
        spoiled = reduced(ANY, spoiled, Axes((along,)), True)
    values = chosen(spoiled, nan, values)  # of which no derivative is taken then
    operands = [values] if weights is None else [values, weights]
    values, *others = sort_p.bind(*operands, dimension=along, is_stable=True, num_keys=1)
    if ignores_nan:
        many = total(SUM, bitwise_not_p.bind(is_nan(values)), -1, q.aval.dtype)
    else:
        many = scalar(values.aval.shape[-1], q.aval.dtype)
    sample = _Sample(values, others[0] if others else None, many)
    by_weight = method == "inverted_cdf"
    result = _inverted_cdf(sample, q, ignores_nan) if by_weight else _interpolated(sample, q, method)
    if keepdims:
        result = reshape(result, (*q.aval.shape, *(kept_shape(shape, positions) or (1,))))
    return convert_to(result, a.aval.dtype)


def _quantile_function(name: str, percent: bool) -> Callable[..., Any]:
    ignores_nan = name.startswith("nan")

    def function(
        a: Any, q: Any, axis: Any = None, out: None = None, overwrite_input: bool = False, method: str = "linear",
        keepdims: bool = False, *, weights: Any = None,
    ) -> Any:  # fmt: skip
        if percent:
            (q,) = promoted_inexact(q)
            q = div_p.bind(q, constant_like(q, 100))
        return _quantile(a, q, axis, method, keepdims, weights, ignores_nan)

    def sharded(
        a: Any, q: Any, axis: Any = None, out: None = None, overwrite_input: bool = False, method: str = "linear",
        keepdims: bool = False, *, weights: Any = None, out_sharding: None = None,
    ) -> Any:  # fmt: skip
        return function(a, q, axis, out, overwrite_input, method, keepdims, weights=weights)

    made = sharded if name == "percentile" else function
    made.__name__ = made.__qualname__ = name
    what = "percentiles" if percent else "quantiles"
    without = " of what is not NaN" if ignores_nan else ""
    made.__doc__ = f"The {what} along axes{without}, one for each q: `jax.numpy.{name}`."
    return operation(f"numpy.{name}", "a", "q", "weights")(made)


quantile: Final = _quantile_function("quantile", False)
nanquantile: Final = _quantile_function("nanquantile", False)
percentile: Final = _quantile_function("percentile", True)
nanpercentile: Final = _quantile_function("nanpercentile", True)


def _median_function(name: str) -> Callable[..., Any]:
    ignores_nan = name.startswith("nan")

    def function(
        a: Any, axis: Any = None, out: None = None, overwrite_input: bool = False, keepdims: bool = False
    ) -> Any:
        return _quantile(a, array_from(0.5), axis, "midpoint", keepdims, None, ignores_nan)

    function.__name__ = function.__qualname__ = name
    without = " of what is not NaN" if ignores_nan else ""
    function.__doc__ = f"The median along axes{without}: `jax.numpy.{name}`."
    return operation(f"numpy.{name}", "a")(function)


median: Final = _median_function("median")
nanmedian: Final = _median_function("nanmedian")
