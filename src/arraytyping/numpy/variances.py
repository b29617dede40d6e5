"""Variances and standard deviations, also of what is not NaN.

Source: https://docs.jax.dev/en/latest/jax.numpy.html.
"""

from __future__ import annotations

import math
from typing import Any

from arraytyping import config
from arraytyping.numpy.means import asked, count, mean_of, nanmean_of
from arraytyping.numpy.promoting import chosen, inexact_dtype, is_complex, one_rank, part_dtype, promoted
from arraytyping.numpy.reducing import SUM, total, wide_dtype
from arraytyping.numpy.reductions import is_nan
from arraytyping.runtime.array_likes import array_from, convert_to
from arraytyping.runtime.calling import answered
from arraytyping.runtime.core import TypedScalar
from arraytyping.runtime.lax.arithmetic import constant_like, div_p, mul_p, square_p, sub_p
from arraytyping.runtime.lax.comparisons import gt_p, le_p
from arraytyping.runtime.lax.complex_numbers import conj_p, ones_like, real_p
from arraytyping.runtime.lax.elementary import sqrt_p
from arraytyping.runtime.lax.integers import bitwise_not_p
from arraytyping.semantics.avals import ShapedArray

__all__ = ["nanstd", "nanvar", "std", "var"]


def _dtypes(given: str, dtype: str | None) -> tuple[str, str]:
    """The dtype in which a variance is computed, and that of the result."""
    if dtype is not None:
        return wide_dtype(dtype), dtype
    inexact = inexact_dtype(given)
    return wide_dtype(inexact), part_dtype(inexact)


def _squared(x: Any) -> Any:
    """The square of the magnitude."""
    return real_p.bind(mul_p.bind(x, conj_p.bind(x))) if is_complex(x) else square_p.bind(x)


def _variance(a: Any, axis: Any, dtype: str | None, correction: Any, keepdims: Any, where: Any, mean: Any) -> Any:
    computed, result_dtype = _dtypes(a.aval.dtype, dtype)
    a = convert_to(a, computed)
    center = mean_of(a, axis, computed, True, where) if mean is None else convert_to(mean, computed)
    squares = _squared(sub_p.bind(a, center))
    real = squares.aval.dtype
    many = sub_p.bind(*one_rank(count(a, axis, keepdims, where, real), convert_to(array_from(correction), real)))
    sum_of_squares = total(SUM, squares, axis, real, keepdims, None, where)
    result = convert_to(div_p.bind(*one_rank(sum_of_squares, many)), result_dtype)
    nan = TypedScalar(math.nan, ShapedArray((), config.promotion().default("float"), True))
    return chosen(gt_p.bind(many, constant_like(many, 0)), *promoted(result, nan))


@answered("numpy.var", "a", "ddof", "where", "mean", "correction", looks_at=("ddof", "correction"))
def var(
    answer: ShapedArray, a: Any, axis: Any = None, dtype: Any = None, out: None = None, ddof: Any = 0,
    keepdims: bool = False, *, where: Any = None, mean: Any = None, correction: Any = None,
) -> Any:  # fmt: skip
    """The variance along axes: `jax.numpy.var`."""
    return _variance(a, axis, asked(answer, dtype), ddof if correction is None else correction, keepdims, where, mean)


@answered("numpy.std", "a", "ddof", "where", "mean", "correction", looks_at=("ddof", "correction"))
def std(
    answer: ShapedArray, a: Any, axis: Any = None, dtype: Any = None, out: None = None, ddof: Any = 0,
    keepdims: bool = False, *, where: Any = None, mean: Any = None, correction: Any = None,
) -> Any:  # fmt: skip
    """The standard deviation along axes: `jax.numpy.std`."""
    correction = ddof if correction is None else correction
    correction = 0 if correction is None else correction
    return sqrt_p.bind(_variance(a, axis, asked(answer, dtype), correction, keepdims, where, mean))


def _nan_variance(a: Any, axis: Any, dtype: str | None, ddof: Any, keepdims: Any, where: Any, mean: Any) -> Any:
    computed, result_dtype = _dtypes(a.aval.dtype, dtype)
    a = convert_to(a, computed)
    center = nanmean_of(a, axis, computed, True, where) if mean is None else convert_to(mean, computed)
    deviations = sub_p.bind(a, center)
    squares = _squared(chosen(is_nan(a), constant_like(deviations, 0), deviations))
    many = total(SUM, bitwise_not_p.bind(is_nan(a)), axis, None, keepdims, None, where)
    many = sub_p.bind(*one_rank(*promoted(many, array_from(ddof))))
    too_few = le_p.bind(many, constant_like(many, 0))
    result = total(SUM, squares, axis, None, keepdims, None, where)
    result = chosen(too_few, constant_like(result, math.nan), result)
    divisor = chosen(too_few, ones_like(many), many)
    return convert_to(div_p.bind(*one_rank(result, convert_to(divisor, result.aval.dtype))), result_dtype)


@answered("numpy.nanvar", "a", "ddof", "where", "mean")
def nanvar(
    answer: ShapedArray, a: Any, axis: Any = None, dtype: Any = None, out: None = None, ddof: Any = 0,
    keepdims: bool = False, where: Any = None, mean: Any = None,
) -> Any:  # fmt: skip
    """The variance along axes of what is not NaN: `jax.numpy.nanvar`."""
    return _nan_variance(a, axis, asked(answer, dtype), ddof, keepdims, where, mean)


@answered("numpy.nanstd", "a", "ddof", "where", "mean")
def nanstd(
    answer: ShapedArray, a: Any, axis: Any = None, dtype: Any = None, out: None = None, ddof: Any = 0,
    keepdims: bool = False, where: Any = None, mean: Any = None,
) -> Any:  # fmt: skip
    """The standard deviation along axes of what is not NaN: `jax.numpy.nanstd`."""
    return sqrt_p.bind(_nan_variance(a, axis, asked(answer, dtype), ddof, keepdims, where, mean))
