"""Means, also weighted ones, and those of what is not NaN.

Source: https://docs.jax.dev/en/latest/jax.numpy.html.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

from arraytyping.numpy.promoting import inexact_dtype, is_inexact, one_rank, promoted_inexact
from arraytyping.numpy.reducing import SUM, axes_of, total, wide_dtype
from arraytyping.numpy.reductions import is_nan, without_nan
from arraytyping.runtime.array_likes import convert_to, python_scalar
from arraytyping.runtime.calling import answered, operation
from arraytyping.runtime.core import TypedScalar
from arraytyping.runtime.lax.arithmetic import div_p, mul_p
from arraytyping.runtime.lax.collectives import axis_size
from arraytyping.runtime.lax.integers import bitwise_not_p
from arraytyping.runtime.lax.structure import broadcast_to, reshape, transpose
from arraytyping.semantics.avals import ShapedArray

__all__ = ["average", "mean", "nanmean"]


@lru_cache(maxsize=1024)
def scalar(value: float, dtype: str) -> TypedScalar:
    """A constant of this dtype."""
    return TypedScalar(python_scalar(value, dtype), ShapedArray((), dtype, False))


def count(a: Any, axis: Any, keepdims: Any, where: Any, dtype: str) -> Any:
    """How many elements there are along axes, of those that a mask shows, as numbers of this dtype."""
    if where is not None:
        return total(SUM, broadcast_to(where, a.aval.shape), axis, dtype, keepdims)
    axes = axes_of(axis, len(a.aval.shape))
    named = math.prod(axis_size(name) for name in axes.names)
    return scalar(named * math.prod(a.aval.shape[i] for i in axes.positions), dtype)


def mean_of(a: Any, axis: Any, dtype: str | None, keepdims: Any, where: Any) -> Any:
    """The mean, computed in the dtype that is asked for; else in a float, of 32 bits at least."""
    result = inexact_dtype(a.aval.dtype) if dtype is None else dtype
    computed = wide_dtype(result) if dtype is None else result
    many = count(a, axis, keepdims, where, computed)
    return convert_to(div_p.bind(total(SUM, a, axis, computed, keepdims, None, where), many), result)


def asked(answer: ShapedArray, dtype: Any) -> str | None:
    """The dtype that is asked for, which the result has, if one is."""
    return None if dtype is None else answer.dtype


@answered("numpy.mean", "a", "where")
def mean(
    answer: ShapedArray, a: Any, axis: Any = None, dtype: Any = None, out: None = None, keepdims: bool = False, *,
    where: Any = None,
) -> Any:  # fmt: skip
    """The mean along axes: `jax.numpy.mean`."""
    return mean_of(a, axis, asked(answer, dtype), keepdims, where)


def nanmean_of(a: Any, axis: Any, dtype: str | None, keepdims: Any, where: Any) -> Any:
    """The mean of what is not NaN."""
    if not is_inexact(a):
        return mean_of(a, axis, dtype, keepdims, where)
    dtype = dtype or a.aval.dtype
    many = total(SUM, bitwise_not_p.bind(is_nan(a)), axis, dtype, keepdims, None, where)
    return div_p.bind(total(SUM, without_nan(a, 0), axis, dtype, keepdims, None, where), many)


@answered("numpy.nanmean", "a", "where")
def nanmean(
    answer: ShapedArray, a: Any, axis: Any = None, dtype: Any = None, out: None = None, keepdims: bool = False,
    where: Any = None,
) -> Any:  # fmt: skip
    """The mean along axes of what is not NaN: `jax.numpy.nanmean`."""
    return nanmean_of(a, axis, asked(answer, dtype), keepdims, where)


def aligned_weights(weights: Any, shape: tuple[int, ...], axes: tuple[int, ...]) -> Any:
    """Weights along some axes, in the order in which these are named, as an array that goes along all."""
    order = sorted(range(len(axes)), key=axes.__getitem__)
    return reshape(transpose(weights, order), tuple(d if i in axes else 1 for i, d in enumerate(shape)))


@operation("numpy.average", "a", "weights")
def average(a: Any, axis: Any = None, weights: Any = None, returned: bool = False, keepdims: bool = False) -> Any:
    """The mean along axes, weighted; with `returned` the sum of the weights too: `jax.numpy.average`."""
    shape = a.aval.shape
    axes = axes_of(axis, len(shape)).positions
    if weights is None:
        (a,) = promoted_inexact(a)
        result = mean_of(a, axis, None, keepdims, None)
        many: Any = scalar(math.prod(shape[i] for i in axes), result.aval.dtype)
    else:
        a, weights = promoted_inexact(a, weights)
        if shape != weights.aval.shape:
            weights = aligned_weights(weights, shape, axes)
        many = total(SUM, weights, axis, None, keepdims)
        result = div_p.bind(*one_rank(total(SUM, mul_p.bind(a, weights), axis, None, keepdims), many))
    return (result, broadcast_to(many, result.aval.shape)) if returned else result
