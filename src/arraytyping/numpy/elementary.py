"""Functions of real and complex numbers, elementwise.

Source: https://docs.jax.dev/en/latest/jax.numpy.html.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

from arraytyping.numpy.promoting import chosen, in_result_dtype, is_complex, one_rank, promoted_inexact
from arraytyping.runtime.calling import answered, operation
from arraytyping.runtime.lax import elementary as lax
from arraytyping.runtime.lax.arithmetic import add_p, constant_like, div_p, integer_pow_p, mul_p, neg_p, square_p
from arraytyping.runtime.lax.comparisons import eq_p, lt_p, max_p, min_p
from arraytyping.runtime.lax.complex_numbers import complex_p, imag_p, ones_like, real_p
from arraytyping.runtime.lax.integers import abs_p, bitwise_or_p
from arraytyping.semantics.avals import ShapedArray

__all__ = [
    "acos", "acosh", "arccos", "arccosh", "arcsin", "arcsinh", "arctan", "arctan2", "arctanh", "asin", "asinh", "atan",
    "atan2", "atanh", "cbrt", "cos", "cosh", "deg2rad", "degrees", "exp", "exp2", "expm1", "hypot", "log", "log10",
    "log1p", "log2", "rad2deg", "radians", "reciprocal", "sin", "sinh", "sqrt", "tan", "tanh",
]  # fmt: skip


def _inexact(name: str, compute: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A function of one array that computes in the dtype of the result."""

    def function(answer: ShapedArray, x: Any, /) -> Any:
        return compute(*in_result_dtype(answer, x))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"`jax.numpy.{name}`, elementwise."
    return answered(f"numpy.{name}", "x")(function)


def _arccosh(x: Any) -> Any:
    """Of complex numbers the result whose real part is not negative."""
    result = lax.acosh_p.bind(x)
    if not is_complex(x):
        return result
    real = real_p.bind(result)
    return chosen(lt_p.bind(real, constant_like(real, 0)), neg_p.bind(result), result)


def _of_parts(compute: Callable[[Any], Any], x: Any) -> Any:
    """A linear function of a real number, of a complex one of both parts."""
    if not is_complex(x):
        return compute(x)
    return complex_p.bind(compute(real_p.bind(x)), compute(imag_p.bind(x)))


def _log2(x: Any) -> Any:
    return _of_parts(lambda part: div_p.bind(part, constant_like(part, math.log(2))), lax.log_p.bind(x))


def _log10(x: Any) -> Any:
    return _of_parts(lambda part: mul_p.bind(part, constant_like(part, 0.4342944819032518)), lax.log_p.bind(x))


def _times(factor: float) -> Callable[[Any], Any]:
    return lambda x: mul_p.bind(x, constant_like(x, factor))


sin: Final = _inexact("sin", lax.sin_p.bind)
cos: Final = _inexact("cos", lax.cos_p.bind)
tan: Final = _inexact("tan", lax.tan_p.bind)
sinh: Final = _inexact("sinh", lax.sinh_p.bind)
cosh: Final = _inexact("cosh", lax.cosh_p.bind)
tanh: Final = _inexact("tanh", lax.tanh_p.bind)
arcsin: Final = _inexact("arcsin", lax.asin_p.bind)
asin: Final = _inexact("asin", lax.asin_p.bind)
arccos: Final = _inexact("arccos", lax.acos_p.bind)
acos: Final = _inexact("acos", lax.acos_p.bind)
arctan: Final = _inexact("arctan", lax.atan_p.bind)
atan: Final = _inexact("atan", lax.atan_p.bind)
arcsinh: Final = _inexact("arcsinh", lax.asinh_p.bind)
asinh: Final = _inexact("asinh", lax.asinh_p.bind)
arccosh: Final = _inexact("arccosh", _arccosh)
acosh: Final = _inexact("acosh", _arccosh)
arctanh: Final = _inexact("arctanh", lax.atanh_p.bind)
atanh: Final = _inexact("atanh", lax.atanh_p.bind)
exp: Final = _inexact("exp", lax.exp_p.bind)
exp2: Final = _inexact("exp2", lax.exp2_p.bind)
expm1: Final = _inexact("expm1", lax.expm1_p.bind)
log: Final = _inexact("log", lax.log_p.bind)
log1p: Final = _inexact("log1p", lax.log1p_p.bind)
log2: Final = _inexact("log2", _log2)
log10: Final = _inexact("log10", _log10)
sqrt: Final = _inexact("sqrt", lax.sqrt_p.bind)
cbrt: Final = _inexact("cbrt", lax.cbrt_p.bind)
reciprocal: Final = _inexact("reciprocal", lambda x: integer_pow_p.bind(x, y=-1))
deg2rad: Final = _inexact("deg2rad", _times(math.pi / 180))
radians: Final = _inexact("radians", _times(math.pi / 180))
rad2deg: Final = _inexact("rad2deg", _times(180 / math.pi))
degrees: Final = _inexact("degrees", _times(180 / math.pi))


def _angle(name: str) -> Callable[[Any, Any], Any]:
    def function(answer: ShapedArray, x1: Any, x2: Any, /) -> Any:
        return lax.atan2_p.bind(*one_rank(*in_result_dtype(answer, x1, x2)))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"The angle of the point `(x2, x1)`, elementwise: `jax.numpy.{name}`."
    return answered(f"numpy.{name}", "x1", "x2")(function)


arctan2: Final = _angle("arctan2")
atan2: Final = _angle("atan2")


@operation("numpy.hypot", "x1", "x2")
def hypot(x1: Any, x2: Any, /) -> Any:
    """The length of the hypotenuse, elementwise, without overflow on the way: `jax.numpy.hypot`."""
    a, b = (abs_p.bind(x) for x in one_rank(*promoted_inexact(x1, x2)))
    large, small = max_p.bind(a, b), min_p.bind(a, b)
    at_zero = eq_p.bind(large, constant_like(large, 0))
    ratio = div_p.bind(small, chosen(at_zero, ones_like(large), large))
    one = constant_like(ratio, 1)
    length = mul_p.bind(large, lax.sqrt_p.bind(add_p.bind(one, square_p.bind(ratio))))
    infinity = constant_like(a, math.inf)
    is_infinite = bitwise_or_p.bind(eq_p.bind(a, infinity), eq_p.bind(b, infinity))
    return chosen(is_infinite, infinity, chosen(at_zero, large, length))
