"""Absolute values and signs, and the parts of complex numbers, elementwise.

Source: https://docs.jax.dev/en/latest/jax.numpy.html.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

from arraytyping.numpy.promoting import (
    in_result_dtype,
    is_complex,
    is_float,
    is_inexact,
    kind_of,
)
from arraytyping.numpy.ufuncs import unary_ufunc
from arraytyping.runtime.calling import answered, operation
from arraytyping.runtime.lax.arithmetic import constant_like, mul_p, neg_p, square_p
from arraytyping.runtime.lax.complex_numbers import conj_p, imag_p, real_p
from arraytyping.runtime.lax.creation import zeros_of
from arraytyping.runtime.lax.elementary import atan2_p
from arraytyping.runtime.lax.integers import abs_p, sign_p
from arraytyping.semantics.avals import ShapedArray

__all__ = [
    "abs", "absolute", "angle", "conj", "conjugate", "fabs", "imag", "negative", "positive", "real", "sign", "square",
]  # fmt: skip


def magnitude(x: Any) -> Any:
    """The absolute value; bool and unsigned integers are their own."""
    return x if kind_of(x) in "bu" else abs_p.bind(x)


def _unary(name: str, compute: Callable[[Any], Any], doc: str) -> Callable[[Any], Any]:
    def function(x: Any, /) -> Any:
        return compute(x)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{doc}, elementwise: `jax.numpy.{name}`."
    return operation(f"numpy.{name}", "x")(function)


def _in_result_dtype(name: str, compute: Callable[[Any], Any], doc: str) -> Callable[[Any], Any]:
    def function(answer: ShapedArray, x: Any, /) -> Any:
        return compute(*in_result_dtype(answer, x))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{doc}, elementwise: `jax.numpy.{name}`."
    return answered(f"numpy.{name}", "x")(function)


def _of_value(name: str, compute: Callable[[Any], Any], doc: str) -> Callable[[Any], Any]:
    def function(val: Any, /) -> Any:
        return compute(val)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{doc}, elementwise: `jax.numpy.{name}`."
    return operation(f"numpy.{name}", "val")(function)


def real_part(x: Any) -> Any:
    """The real part; real numbers are their own."""
    return real_p.bind(x) if is_complex(x) else x


def imaginary_part(x: Any) -> Any:
    """The imaginary part, 0 of real numbers."""
    return imag_p.bind(x) if is_complex(x) else zeros_of(x.aval)


def conjugated(x: Any) -> Any:
    """The complex conjugate; real numbers are their own."""
    return conj_p.bind(x) if is_complex(x) else x


abs: Final = _unary("abs", magnitude, "The absolute value")
absolute: Final = _unary("absolute", magnitude, "The absolute value")
fabs: Final = _in_result_dtype("fabs", abs_p.bind, "The absolute value, as a float")
sign: Final = _unary("sign", sign_p.bind, "The sign, of a complex number the one of absolute value 1")
positive: Final = _unary("positive", lambda x: x, "The same")
square: Final = _in_result_dtype("square", square_p.bind, "The square")
conj: Final = _unary("conj", conjugated, "The complex conjugate")
conjugate: Final = _unary("conjugate", conjugated, "The conjugate")
real: Final = _of_value("real", real_part, "The real part")
imag: Final = _of_value("imag", imaginary_part, "The imaginary part")


@unary_ufunc
@operation("numpy.negative", "x")
def negative(x: Any, /, *, out: None = None, where: None = None) -> Any:
    """The number of the other sign, elementwise: `jax.numpy.negative`."""
    return neg_p.bind(x)


@answered("numpy.angle", "z")
def angle(answer: ShapedArray, z: Any, deg: bool = False) -> Any:
    """The angle of complex numbers in the plane, in degrees if `deg`: `jax.numpy.angle`."""
    real, imaginary = real_part(z), imaginary_part(z)
    if not is_inexact(z) or (is_float(z) and not z.aval.shape):
        real, imaginary = in_result_dtype(answer, real, imaginary)
    radians = atan2_p.bind(imaginary, real)
    return mul_p.bind(radians, constant_like(radians, 180 / math.pi)) if deg else radians
