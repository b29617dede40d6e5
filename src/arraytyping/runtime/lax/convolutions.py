"""Convolutions.

The cotangents of both operands are convolutions again, with batch and feature dimensions exchanged; a batch goes into
the batch dimension, or into groups of features.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.lax.conv_general_dilated.html;
https://github.com/jax-ml/jax/blob/main/jax/_src/lax/convolution.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from arraytyping.runtime.array_likes import convert_to
from arraytyping.runtime.core import Primitive
from arraytyping.runtime.lax.bilinear import bilinear
from arraytyping.runtime.lax.creation import zeros_of
from arraytyping.runtime.lax.slicing import rev_p
from arraytyping.runtime.lax.structure import reshape, transpose
from arraytyping.runtime.tracing.batching import Axis
from arraytyping.runtime.tracing.tangents import Zero
from arraytyping.runtime.tracing.transposing import is_linear
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.rules.dimension_numbers import ConvDimensionNumbers
from arraytyping.semantics.rules.named import named
from arraytyping.semantics.rules.shapes.convolutions import dilated

__all__ = ["ConvDimensionNumbers", "ConvGeneralDilatedDimensionNumbers", "conv_general_dilated_p"]

ConvGeneralDilatedDimensionNumbers = tuple[str, str, str] | ConvDimensionNumbers | None
"""What a convolution takes for its `dimension_numbers`."""

conv_general_dilated_p: Final = Primitive("conv_general_dilated", named("lax.conv_general_dilated"))


def _merged(x: Any, source: int, into: int) -> Any:
    """One dimension made part of another, the slower one; `into` is counted without it."""
    rank = len(x.aval.shape)
    order = [d for d in range(rank) if d != source]
    order.insert(into, source)
    shape = [n for d, n in enumerate(x.aval.shape) if d != source]
    shape[into] *= x.aval.shape[source]
    return reshape(transpose(x, order), tuple(shape))


def _split(x: Any, dimension: int, count: int) -> Any:
    """One dimension as two, the first of which has this size."""
    shape = x.aval.shape
    return reshape(x, (*shape[:dimension], count, shape[dimension] // count, *shape[dimension + 1 :]))


def _swapped(spec: Sequence[int]) -> tuple[int, ...]:
    return (spec[1], spec[0], *spec[2:])


def _sizes(shape: Sequence[int], spec: Sequence[int]) -> list[int]:
    return [shape[d] for d in spec[2:]]


def _as(x: Any, dtype: str) -> Any:
    return x if x.aval.dtype == dtype else convert_to(x, dtype)


def _left_cotangent(ct: Any, x: Any, y: Any, params: dict[str, Any]) -> Any:
    n: ConvDimensionNumbers = params["dimension_numbers"]
    groups, parts = params["feature_group_count"], params["batch_group_count"]
    strides, spread, holes = params["window_strides"], params["lhs_dilation"], params["rhs_dilation"]
    sizes = zip(
        _sizes(x.aval.shape, n.lhs_spec), _sizes(y.aval.shape, n.rhs_spec), _sizes(ct.aval.shape, n.out_spec),
        params["padding"], strides, spread, holes,
    )  # fmt: skip
    pads = []
    for size, window, out, (low, _), stride, base, hole in sizes:
        reach = dilated(window, hole)
        before = reach - low - 1
        pads.append((before, dilated(size, base) + reach - 1 - dilated(out, stride) - before))
    if max(groups, parts) > 1:  # the groups go from the output features to the input features
        y = _merged(_split(y, n.rhs_spec[0], max(groups, parts)), n.rhs_spec[0], n.rhs_spec[1])
    flipped = _as(rev_p.bind(y, dimensions=tuple(n.rhs_spec[2:])), ct.aval.dtype)
    out = conv_general_dilated_p.bind(
        ct, flipped, window_strides=spread, padding=tuple(pads), lhs_dilation=strides, rhs_dilation=holes,
        dimension_numbers=ConvDimensionNumbers(n.out_spec, _swapped(n.rhs_spec), n.lhs_spec),
        feature_group_count=max(groups, parts), batch_group_count=1, precision=params["precision"],
        preferred_element_type=params["preferred_element_type"],
    )  # fmt: skip
    if parts > 1:
        out = _merged(_split(out, n.lhs_spec[1], parts), n.lhs_spec[1], n.lhs_spec[0])
    return _as(out, x.aval.dtype)


def _right_cotangent(ct: Any, x: Any, y: Any, params: dict[str, Any]) -> Any:
    if 0 in ct.aval.shape:
        return Zero(y.aval)
    n: ConvDimensionNumbers = params["dimension_numbers"]
    groups, parts = params["feature_group_count"], params["batch_group_count"]
    strides, spread, holes = params["window_strides"], params["lhs_dilation"], params["rhs_dilation"]
    sizes = zip(
        _sizes(x.aval.shape, n.lhs_spec), _sizes(y.aval.shape, n.rhs_spec), _sizes(ct.aval.shape, n.out_spec),
        params["padding"], strides, spread, holes,
    )  # fmt: skip
    pads = []
    for size, window, out, (low, _), stride, base, hole in sizes:
        reach = dilated(window, hole)
        pads.append((low, dilated(out, stride) - dilated(size, base) + reach - low - 1))
    out = conv_general_dilated_p.bind(
        _as(x, ct.aval.dtype), ct, window_strides=holes, padding=tuple(pads), lhs_dilation=spread,
        rhs_dilation=strides,
        dimension_numbers=ConvDimensionNumbers(_swapped(n.lhs_spec), _swapped(n.out_spec), _swapped(n.rhs_spec)),
        feature_group_count=parts, batch_group_count=groups,
        precision=params["precision"], preferred_element_type=params["preferred_element_type"],
    )  # fmt: skip
    return _as(out, y.aval.dtype)


def _transpose(ct: Any, x: Any, y: Any, **params: Any) -> list[Any]:
    if is_linear(x):
        return [_left_cotangent(ct, x, y, params), None]
    return [None, _right_cotangent(ct, x, y, params)]


def _in_groups(x: Any, batch: int, dimension: int, groups: int) -> Any:
    """The batch put into a dimension of groups, as a faster part of it than the groups."""
    place = dimension + (batch <= dimension)
    split = _split(x, place, groups)
    merged = _merged(split, batch + (batch > place), dimension + 1)
    return _merged(merged, dimension, dimension)


def _batch(axis: Axis, args: Sequence[Any], dims: Sequence[int | None], **params: Any) -> tuple[Any, int]:
    (x, y), (dx, dy) = args, dims
    n: ConvDimensionNumbers = params["dimension_numbers"]
    groups, parts = params["feature_group_count"], params["batch_group_count"]
    if axis.size == 0:
        return zeros_of(_empty_aval(args, dims, params)), 0
    if dx is not None and dy is not None:
        if parts > 1:
            x, params = _merged(x, dx, n.lhs_spec[0]), {**params, "batch_group_count": parts * axis.size}
        else:
            x, params = _merged(x, dx, n.lhs_spec[1]), {**params, "feature_group_count": groups * axis.size}
        out = conv_general_dilated_p.bind(x, _merged(y, dy, n.rhs_spec[0]), **params)
        return _split(out, n.out_spec[1], axis.size), n.out_spec[1]
    if dx is not None:
        x = _merged(x, dx, n.lhs_spec[0]) if parts == 1 else _in_groups(x, dx, n.lhs_spec[0], parts)
        out = conv_general_dilated_p.bind(x, y, **params)
        return _split(out, n.out_spec[0], axis.size), n.out_spec[0]
    assert dy is not None
    count = max(groups, parts)
    if count == 1:
        out = conv_general_dilated_p.bind(x, _merged(y, dy, n.rhs_spec[0]), **params)
        return _split(out, n.out_spec[1], axis.size), n.out_spec[1]
    out = conv_general_dilated_p.bind(x, _in_groups(y, dy, n.rhs_spec[0], count), **params)
    features = n.out_spec[1]
    out = _split(_split(out, features, count), features + 1, axis.size)
    return _merged(out, features, features + 1), features


def _empty_aval(args: Sequence[Any], dims: Sequence[int | None], params: dict[str, Any]) -> ShapedArray:
    avals = [
        a.aval if d is None else ShapedArray((*a.aval.shape[:d], *a.aval.shape[d + 1 :]), a.aval.dtype)
        for a, d in zip(args, dims)
    ]
    one = conv_general_dilated_p.abstract_eval(avals, params)
    return ShapedArray((0, *one.shape), one.dtype)


bilinear(conv_general_dilated_p)
conv_general_dilated_p.transpose_rule = _transpose
conv_general_dilated_p.batching_rule = _batch
