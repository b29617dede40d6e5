"""Choices between values, elementwise: greater and lesser ones, by conditions, within bounds, in the place of NaN.

Source: https://docs.jax.dev/en/latest/jax.numpy.html.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from arraytyping.numpy.comparing import compared, truth
from arraytyping.numpy.promoting import (
    chosen,
    in_result_dtype,
    in_result_type,
    is_complex,
    is_inexact,
    one_rank,
    promoted,
)
from arraytyping.numpy.ufuncs import binary_ufunc
from arraytyping.runtime.array_likes import array_from, convert_to
from arraytyping.runtime.calling import answered, operation
from arraytyping.runtime.lax.arithmetic import constant_like
from arraytyping.runtime.lax.comparisons import eq_p, gt_p, lt_p, max_p, min_p, ne_p
from arraytyping.runtime.lax.complex_numbers import complex_p, imag_p, real_p
from arraytyping.runtime.lax.integers import bitwise_or_p
from arraytyping.runtime.np_dtypes import limits_of
from arraytyping.semantics.avals import ShapedArray

__all__ = ["clip", "fmax", "fmin", "heaviside", "maximum", "minimum", "nan_to_num", "select", "where"]


@binary_ufunc(None, reduce="max")
@answered("numpy.maximum", "x", "y")
def maximum(answer: ShapedArray, x: Any, y: Any, /, *, out: None = None, where: None = None) -> Any:
    """The greater one, NaN if one is, elementwise: `jax.numpy.maximum`."""
    return max_p.bind(*one_rank(*in_result_dtype(answer, x, y)))


@binary_ufunc(None, reduce="min")
@answered("numpy.minimum", "x", "y")
def minimum(answer: ShapedArray, x: Any, y: Any, /, *, out: None = None, where: None = None) -> Any:
    """The lesser one, NaN if one is, elementwise: `jax.numpy.minimum`."""
    return min_p.bind(*one_rank(*in_result_dtype(answer, x, y)))


@answered("numpy.fmax", "x1", "x2")
def fmax(answer: ShapedArray, x1: Any, x2: Any) -> Any:
    """The greater one, the other one if one is NaN, elementwise: `jax.numpy.fmax`."""
    x, y = in_result_type(answer, x1, x2)
    return chosen(bitwise_or_p.bind(compared(gt_p, x, y), ne_p.bind(y, y)), x, y)


@answered("numpy.fmin", "x1", "x2")
def fmin(answer: ShapedArray, x1: Any, x2: Any) -> Any:
    """The lesser one, the other one if one is NaN, elementwise: `jax.numpy.fmin`."""
    x, y = in_result_type(answer, x1, x2)
    return chosen(bitwise_or_p.bind(compared(lt_p, x, y), ne_p.bind(y, y)), x, y)


@answered("numpy.heaviside", "x1", "x2")
def heaviside(answer: ShapedArray, x1: Any, x2: Any, /) -> Any:
    """0 where x1 is negative, 1 where it is positive, x2 where it is 0, elementwise: `jax.numpy.heaviside`."""
    x, y = in_result_type(answer, x1, x2)
    zero, one = constant_like(x, 0), constant_like(x, 1)
    at_zero = chosen(ne_p.bind(x, x), x, y)
    return chosen(lt_p.bind(x, zero), zero, chosen(gt_p.bind(x, zero), one, at_zero))


@answered("numpy.where", "condition", "x", "y", "fill_value")
def _where(
    answer: ShapedArray, condition: Any, x: Any = None, y: Any = None, /, *, size: Any = None, fill_value: Any = None
) -> Any:
    return chosen(truth(condition), *in_result_dtype(answer, x, y))


def where(condition: Any, x: Any = None, y: Any = None, /, *, size: Any = None, fill_value: Any = None) -> Any:
    """Elements of x where the condition holds, else of y; without both, where it holds: `jax.numpy.where`.

    Raises:
        ValueError: if only one of x and y is given, or `size` or `fill_value` with both.
    """
    if x is None and y is None:
        from arraytyping.numpy.searching import nonzero

        return nonzero(condition, size=size, fill_value=fill_value)
    if size is None and fill_value is None:
        return _where(condition, x, y)
    return _where(condition, x, y, size=size, fill_value=fill_value)


@answered("numpy.select", "condlist", "choicelist", "default")
def select(answer: ShapedArray, condlist: Sequence[Any], choicelist: Sequence[Any], default: Any = 0) -> Any:
    """The element of the first choice whose condition holds, else the default: `jax.numpy.select`."""
    result, *choices = in_result_dtype(answer, array_from(default), *choicelist)
    for condition, choice in zip(reversed(condlist), reversed(choices)):
        result = chosen(truth(condition), choice, result)
    return result


@operation("numpy.clip", "arr", "min", "max")
def clip(arr: Any = None, /, min: Any = None, max: Any = None) -> Any:
    """The elements, those outside of the bounds brought to them: `jax.numpy.clip`."""
    if min is not None:
        arr = max_p.bind(*one_rank(*promoted(min, arr)))
    if max is not None:
        arr = min_p.bind(*one_rank(*promoted(max, arr)))
    return arr


def _without_nan(x: Any, nan: Any, posinf: Any, neginf: Any) -> Any:
    info = limits_of(x.aval.dtype)
    posinf = float(info.max) if posinf is None else posinf
    neginf = float(info.min) if neginf is None else neginf
    replaced = ((ne_p, x, nan), (eq_p, constant_like(x, math.inf), posinf), (eq_p, constant_like(x, -math.inf), neginf))
    for primitive, other, value in replaced:
        other = x if primitive is ne_p else other
        x = chosen(primitive.bind(x, other), convert_to(array_from(value), x.aval.dtype), x)
    return x


@operation("numpy.nan_to_num", "x", "nan", "posinf", "neginf")
def nan_to_num(x: Any, copy: bool = True, nan: Any = 0.0, posinf: Any = None, neginf: Any = None) -> Any:
    """The numbers with others in the place of NaN and of infinities: `jax.numpy.nan_to_num`.

    NaN becomes 0 by default, infinity the greatest number.
    """
    if not is_inexact(x):
        return x
    if is_complex(x):
        return complex_p.bind(*(_without_nan(p.bind(x), nan, posinf, neginf) for p in (real_p, imag_p)))
    return _without_nan(x, nan, posinf, neginf)
