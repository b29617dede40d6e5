"""Comparisons, logic of truth values, and tests of numbers, elementwise.

Source: https://docs.jax.dev/en/latest/jax.numpy.html.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

from arraytyping.numpy.promoting import chosen, is_complex, is_float, one_rank, part_dtype, promoted, promoted_inexact
from arraytyping.numpy.ufuncs import binary_ufunc, ufunc
from arraytyping.runtime.array_likes import array_from, convert_to
from arraytyping.runtime.calling import operation
from arraytyping.runtime.core import Primitive
from arraytyping.runtime.lax import comparisons as lax
from arraytyping.runtime.lax.arithmetic import add_p, constant_like, mul_p, sub_p
from arraytyping.runtime.lax.complex_numbers import imag_p, real_p
from arraytyping.runtime.lax.creation import full_of
from arraytyping.runtime.lax.integers import abs_p, bitwise_and_p, bitwise_not_p, bitwise_or_p, bitwise_xor_p
from arraytyping.semantics.avals import ShapedArray

__all__ = [
    "equal", "greater", "greater_equal", "iscomplex", "isclose", "isfinite", "isinf", "isnan", "isneginf", "isposinf",
    "isreal", "less", "less_equal", "logical_and", "logical_not", "logical_or", "logical_xor", "not_equal",
]  # fmt: skip


def compared(primitive: Primitive, x: Any, y: Any) -> Any:
    """The comparison of arrays of one dtype; complex numbers go by their real parts, then by the imaginary ones."""
    if not is_complex(x) or primitive in (lax.eq_p, lax.ne_p):
        return primitive.bind(x, y)
    a, b = real_p.bind(x), real_p.bind(y)
    of_imaginary = primitive.bind(imag_p.bind(x), imag_p.bind(y))
    return chosen(lax.eq_p.bind(a, b), of_imaginary, primitive.bind(a, b))


def _comparison(name: str, primitive: Primitive) -> Callable[[Any, Any], Any]:
    def function(x: Any, y: Any, /) -> Any:
        return compared(primitive, *one_rank(*promoted(x, y)))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"`jax.numpy.{name}`, elementwise."
    return operation(f"numpy.{name}", "x", "y")(function)


equal: Final = _comparison("equal", lax.eq_p)
not_equal: Final = _comparison("not_equal", lax.ne_p)
less: Final = _comparison("less", lax.lt_p)
less_equal: Final = _comparison("less_equal", lax.le_p)
greater: Final = _comparison("greater", lax.gt_p)
greater_equal: Final = _comparison("greater_equal", lax.ge_p)


def truth(x: Any) -> Any:
    """Whether each element is not zero."""
    return convert_to(x, "bool")


def _logical(name: str, primitive: Primitive, identity: bool) -> ufunc:
    def function(x: Any, y: Any, /, *, out: None = None, where: None = None) -> Any:
        return primitive.bind(*one_rank(*map(truth, promoted(x, y))))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"`jax.numpy.{name}` of the truth values, elementwise."
    return binary_ufunc(identity, reduce=name)(operation(f"numpy.{name}", "x", "y")(function))


logical_and: Final = _logical("logical_and", bitwise_and_p, True)
logical_or: Final = _logical("logical_or", bitwise_or_p, False)
logical_xor: Final = _logical("logical_xor", bitwise_xor_p, False)


@operation("numpy.logical_not", "x")
def logical_not(x: Any, /) -> Any:
    """Whether each element is zero: `jax.numpy.logical_not`."""
    return bitwise_not_p.bind(truth(x))


def _all(value: bool, x: Any) -> Any:
    return full_of(value, ShapedArray(x.aval.shape, "bool", False))


def _is_infinite(x: Any) -> Any:
    return lax.eq_p.bind(abs_p.bind(x), constant_like(x, math.inf))


@operation("numpy.isnan", "x")
def isnan(x: Any, /) -> Any:
    """Whether each element is not a number: `jax.numpy.isnan`."""
    return lax.ne_p.bind(x, x)


@operation("numpy.isfinite", "x")
def isfinite(x: Any, /) -> Any:
    """Whether each element is neither infinite nor NaN: `jax.numpy.isfinite`."""
    return _is_finite(x)


def _is_finite(x: Any) -> Any:
    if is_complex(x):
        return bitwise_and_p.bind(lax.is_finite_p.bind(real_p.bind(x)), lax.is_finite_p.bind(imag_p.bind(x)))
    return lax.is_finite_p.bind(x) if is_float(x) else _all(True, x)


@operation("numpy.isinf", "x")
def isinf(x: Any, /) -> Any:
    """Whether each element is infinite: `jax.numpy.isinf`."""
    if is_complex(x):
        return bitwise_or_p.bind(_is_infinite(real_p.bind(x)), _is_infinite(imag_p.bind(x)))
    return _is_infinite(x) if is_float(x) else _all(False, x)


def _infinity(name: str, value: float) -> Callable[..., Any]:
    def function(x: Any, /, out: None = None) -> Any:
        return lax.eq_p.bind(x, constant_like(x, value)) if is_float(x) else _all(False, x)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"`jax.numpy.{name}`, elementwise."
    return operation(f"numpy.{name}", "x")(function)


isposinf: Final = _infinity("isposinf", math.inf)
isneginf: Final = _infinity("isneginf", -math.inf)


@operation("numpy.iscomplex", "x")
def iscomplex(x: Any) -> Any:
    """Whether each element has an imaginary part: `jax.numpy.iscomplex`."""
    if not is_complex(x):
        return _all(False, x)
    imaginary = imag_p.bind(x)
    return lax.ne_p.bind(imaginary, constant_like(imaginary, 0))


@operation("numpy.isreal", "x")
def isreal(x: Any) -> Any:
    """Whether each element has no imaginary part: `jax.numpy.isreal`."""
    if not is_complex(x):
        return _all(True, x)
    imaginary = imag_p.bind(x)
    return lax.eq_p.bind(imaginary, constant_like(imaginary, 0))


@operation("numpy.isclose", "a", "b", "rtol", "atol")
def isclose(a: Any, b: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: bool = False) -> Any:
    """Whether two numbers differ by no more than the tolerances, elementwise: `jax.numpy.isclose`."""
    x, y = one_rank(*promoted_inexact(a, b))
    dtype = part_dtype(x.aval.dtype)
    relative, absolute = (convert_to(array_from(t), dtype) for t in (rtol, atol))
    distance = abs_p.bind(sub_p.bind(x, y))
    bound = add_p.bind(*one_rank(absolute, mul_p.bind(*one_rank(relative, abs_p.bind(y)))))
    in_range = lax.le_p.bind(*one_rank(distance, bound))
    result = bitwise_or_p.bind(*one_rank(lax.eq_p.bind(x, y), bitwise_and_p.bind(*one_rank(_is_finite(y), in_range))))
    if equal_nan:
        both = bitwise_and_p.bind(lax.ne_p.bind(x, x), lax.ne_p.bind(y, y))
        result = bitwise_or_p.bind(*one_rank(result, both))
    return result
