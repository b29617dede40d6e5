"""Statistics of samples, for `arraytyping.scipy.stats`.

Source: https://docs.jax.dev/en/latest/jax.scipy.html.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Any, NamedTuple

from arraytyping import lax
from arraytyping.numpy import (
    any as any_of,
    apply_along_axis,
    arange,
    argmax,
    atleast_1d,
    concatenate,
    cumsum,
    full,
    isnan,
    moveaxis,
    nanstd,
    nonzero,
    ones,
    ravel,
    sqrt,
    std,
    unique,
    vectorize,
    where,
)
from arraytyping.numpy.promoting import promoted_inexact
from arraytyping.runtime import whole as whole
from arraytyping.runtime.array_likes import array_from, materialized
from arraytyping.runtime.calling import operation
from arraytyping.semantics.rules import stats_of_samples as stats_of_samples  # the definitions

__all__ = ["mode", "rankdata", "sem"]


class ModeResult(NamedTuple):
    """The most common elements, and how often each is there."""

    mode: Any
    count: Any


@operation("scipy.stats.sem", "a", "ddof")
def sem(
    a: Any, axis: int | None = 0, ddof: int = 1, nan_policy: str = "propagate", *, keepdims: bool = False
) -> Any:  # fmt: skip
    """`jax.scipy.stats.sem`: the standard error of the mean, the deviation by the root of the number of elements."""
    (sample,) = [materialized(x) for x in promoted_inexact(array_from(a))]
    if nan_policy == "propagate":
        count: Any = sample.size if axis is None else sample.shape[axis]
        deviation = std(sample, axis, ddof=ddof, keepdims=keepdims)
    else:
        count = (~isnan(sample)).sum(axis, keepdims=keepdims)
        deviation = nanstd(sample, axis, ddof=ddof, keepdims=keepdims)
    return deviation / sqrt(count).astype(sample.dtype)


def _ranks(x: Any, method: str) -> Any:
    """The ranks of the elements of a vector, which is NaN everywhere if it is anywhere."""
    size = len(x)
    ordered, places = lax.sort_key_val(x, arange(size))
    inverse = places.argsort()
    if method == "ordinal":
        ranks = (inverse + 1).astype(float)
    else:
        is_new = concatenate([ones(min(size, 1), dtype=bool), ordered[1:] != ordered[:-1]])
        dense = cumsum(is_new)[inverse]
        starts = nonzero(is_new, size=size + 1, fill_value=size)[0].astype(float)
        if method == "dense":
            ranks = dense.astype(float)
        elif method == "max":
            ranks = starts[dense]
        elif method == "min":
            ranks = starts[dense - 1] + 1
        else:
            ranks = 0.5 * (starts[dense] + starts[dense - 1] + 1)
    return where(any_of(isnan(x)), math.nan, ranks)


@operation("scipy.stats.rankdata", "a")
def rankdata(
    a: Any, method: str = "average", *, axis: int | None = None, nan_policy: str = "propagate"
) -> Any:  # fmt: skip
    """`jax.scipy.stats.rankdata`: the place of each element among all, or along an axis, as floats."""
    x = materialized(array_from(a))
    return _ranks(ravel(x), method) if axis is None else apply_along_axis(partial(_ranks, method=method), axis, x)


def _most_common(x: Any) -> tuple[Any, Any]:
    values, counts = unique(x, return_counts=True, size=len(x))
    return values[argmax(counts)], counts.max()


@operation("scipy.stats.mode", "a")
def _mode(a: Any, axis: int | None = 0, nan_policy: str = "propagate", keepdims: bool = False) -> Any:
    x = atleast_1d(materialized(array_from(a)))
    kept = tuple(1 if axis is None or i == axis % x.ndim else n for i, n in enumerate(x.shape))
    x = ravel(x) if axis is None else moveaxis(x, axis, -1)
    shape = kept if keepdims else x.shape[:-1]
    if x.shape[-1] == 0:
        return full(shape, math.nan, dtype=float), full(shape, 0, dtype=float)
    values, counts = vectorize(_most_common, signature="(n)->(),()")(x)
    return values.reshape(shape), counts.reshape(shape)


def mode(a: Any, axis: int | None = 0, nan_policy: str = "propagate", keepdims: bool = False) -> ModeResult:
    """`jax.scipy.stats.mode`: the most common elements, and how often each is there."""
    return ModeResult(*_mode(a, axis, nan_policy, keepdims))
