"""Rounding to integers and to decimals, elementwise.

Source: https://docs.jax.dev/en/latest/jax.numpy.html.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any, Final

from arraytyping.numpy.promoting import (
    chosen,
    in_result_dtype,
    is_complex,
    is_inexact,
    kind_of,
    part_dtype,
    promoted_inexact,
)
from arraytyping.runtime.array_likes import convert_to
from arraytyping.runtime.calling import answered, operation
from arraytyping.runtime.core import Primitive
from arraytyping.runtime.lax.arithmetic import constant_like, div_p, mul_p, sub_p
from arraytyping.runtime.lax.comparisons import ge_p, lt_p
from arraytyping.runtime.lax.complex_numbers import complex_p, imag_p, real_p
from arraytyping.runtime.lax.integers import ceil_p, floor_p, round_p
from arraytyping.runtime.np_dtypes import limits_of
from arraytyping.semantics.avals import ShapedArray

__all__ = ["around", "ceil", "floor", "modf", "rint", "round", "trunc"]


def _to_integers(name: str, primitive: Primitive, doc: str) -> Callable[[Any], Any]:
    def function(x: Any, /) -> Any:
        return primitive.bind(x) if is_inexact(x) else x

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"The {doc}, elementwise: `jax.numpy.{name}`."
    return operation(f"numpy.{name}", "x")(function)


floor: Final = _to_integers("floor", floor_p, "greatest integer that is not above")
ceil: Final = _to_integers("ceil", ceil_p, "least integer that is not below")


@operation("numpy.trunc", "x")
def trunc(x: Any) -> Any:
    """The integer part, elementwise: `jax.numpy.trunc`."""
    if not is_inexact(x):
        return x
    return chosen(lt_p.bind(x, constant_like(x, 0)), ceil_p.bind(x), floor_p.bind(x))


@operation("numpy.modf", "x")
def modf(x: Any, /, out: None = None) -> Any:
    """The fractional and the integer part, elementwise: `jax.numpy.modf`."""
    (x,) = promoted_inexact(x)
    if not is_inexact(x):  # 1-bit and 2-bit integers, of which JAX has no floats
        return sub_p.bind(x, x), x
    whole = chosen(ge_p.bind(x, constant_like(x, 0)), floor_p.bind(x), ceil_p.bind(x))
    return sub_p.bind(x, whole), whole


def _to_even(x: Any) -> Any:
    return round_p.bind(x, rounding_method=1)


def _of_parts(compute: Callable[[Any], Any], x: Any) -> Any:
    if not is_complex(x):
        return compute(x)
    return complex_p.bind(compute(real_p.bind(x)), compute(imag_p.bind(x)))


@answered("numpy.rint", "x")
def rint(answer: ShapedArray, x: Any, /) -> Any:
    """The nearest integer, the even one of two, elementwise: `jax.numpy.rint`."""
    if not is_inexact(x):
        return in_result_dtype(answer, x)[0]
    return _of_parts(_to_even, x)


def _rounded(a: Any, decimals: Any) -> Any:
    places = operator.index(decimals)
    dtype = part_dtype(a.aval.dtype)
    if kind_of(a) in "iu" or places > math.log10(float(limits_of(dtype).max)):
        return a

    def rounded(x: Any) -> Any:
        if places == 0:
            return _to_even(x)
        wide = convert_to(x, "float32") if dtype == "float16" else x
        factor = constant_like(wide, 10**places)
        return convert_to(div_p.bind(_to_even(mul_p.bind(wide, factor)), factor), dtype)

    return _of_parts(rounded, a)


@operation("numpy.round", "a")
def round(a: Any, decimals: int = 0, out: None = None) -> Any:
    """Each element rounded to this many decimals, halves to even ones: `jax.numpy.round`."""
    return _rounded(a, decimals)


@operation("numpy.around", "a")
def around(a: Any, decimals: int = 0, out: None = None) -> Any:
    """The same as `round`: `jax.numpy.around`."""
    return _rounded(a, decimals)
