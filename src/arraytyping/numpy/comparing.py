"""Comparisons, logic of truth values, and tests of numbers, elementwise.

Source: https://docs.jax.dev/en/latest/jax.numpy.html.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from arraytyping.calling import convert_to, operation
from arraytyping.core import Primitive
from arraytyping.lax import comparisons as lax
from arraytyping.lax.arithmetic import add_p, constant_like, mul_p, sub_p
from arraytyping.lax.complex_numbers import imag_p, real_p
from arraytyping.lax.creation import full_of
from arraytyping.lax.integers import abs_p, bitwise_and_p, bitwise_not_p, bitwise_or_p, bitwise_xor_p
from arraytyping.avals import ShapedArray
from arraytyping.numpy.promoting import one_rank, promoted, promoted_inexact
from arraytyping.scalars import KINDS

__all__ = [
    "equal", "greater", "greater_equal", "iscomplex", "isclose", "isfinite", "isinf", "isnan", "isneginf", "isposinf",
    "isreal", "less", "less_equal", "logical_and", "logical_not", "logical_or", "logical_xor", "not_equal",
]  # fmt: skip


def _is_complex(x: Any) -> bool:
    return KINDS[x.aval.dtype] == "c"


def _lexicographic(primitive: Primitive, x: Any, y: Any) -> Any:
    """Complex numbers are ordered by their real parts, and where these are equal by their imaginary ones."""
    of_real = primitive.bind(real_p.bind(x), real_p.bind(y))
    same = lax.eq_p.bind(real_p.bind(x), real_p.bind(y))
    of_imag = primitive.bind(imag_p.bind(x), imag_p.bind(y))
    from arraytyping.lax.choices import select_n_p

    return select_n_p.bind(same, of_real, of_imag)


def _comparison(name: str, primitive: Primitive) -> Callable[..., Any]:
    def function(x: Any, y: Any, /) -> Any:
        x, y = one_rank(*promoted(x, y))
        if _is_complex(x) and primitive not in (lax.eq_p, lax.ne_p):
            return _lexicographic(primitive, x, y)
        return primitive.bind(x, y)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"`jax.numpy.{name}`, elementwise."
    return operation(f"numpy.{name}", "x", "y")(function)


equal, not_equal = _comparison("equal", lax.eq_p), _comparison("not_equal", lax.ne_p)
less, less_equal = _comparison("less", lax.lt_p), _comparison("less_equal", lax.le_p)
greater, greater_equal = _comparison("greater", lax.gt_p), _comparison("greater_equal", lax.ge_p)


def truth(x: Any) -> Any:
    """Whether each element is not zero."""
    return convert_to(x, "bool")


def _logical(name: str, primitive: Primitive) -> Callable[..., Any]:
    def function(x: Any, y: Any, /, *, out: None = None, where: None = None) -> Any:
        return primitive.bind(*one_rank(*map(truth, promoted(x, y))))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"`jax.numpy.{name}` of the truth values, elementwise."
    return operation(f"numpy.{name}", "x", "y")(function)


logical_and, logical_or = _logical("logical_and", bitwise_and_p), _logical("logical_or", bitwise_or_p)
logical_xor = _logical("logical_xor", bitwise_xor_p)


@operation("numpy.logical_not", "x")
def logical_not(x: Any, /) -> Any:
    """Whether each element is zero: `jax.numpy.logical_not`."""
    return bitwise_not_p.bind(truth(x))


def _all(value: bool, x: Any) -> Any:
    return full_of(value, ShapedArray(x.aval.shape, "bool", False))


def is_infinite(x: Any) -> Any:
    """Whether each element is infinite."""
    if _is_complex(x):
        return bitwise_or_p.bind(is_infinite(real_p.bind(x)), is_infinite(imag_p.bind(x)))
    if KINDS[x.aval.dtype] != "f":
        return _all(False, x)
    return bitwise_and_p.bind(bitwise_not_p.bind(lax.is_finite_p.bind(x)), lax.eq_p.bind(x, x))


@operation("numpy.isnan", "x")
def isnan(x: Any, /) -> Any:
    """Whether each element is not a number: `jax.numpy.isnan`."""
    return lax.ne_p.bind(x, x)


@operation("numpy.isfinite", "x")
def isfinite(x: Any, /) -> Any:
    """Whether each element is neither infinite nor a nan: `jax.numpy.isfinite`."""
    if _is_complex(x):
        return bitwise_and_p.bind(lax.is_finite_p.bind(real_p.bind(x)), lax.is_finite_p.bind(imag_p.bind(x)))
    return lax.is_finite_p.bind(x) if KINDS[x.aval.dtype] == "f" else _all(True, x)


@operation("numpy.isinf", "x")
def isinf(x: Any, /) -> Any:
    """Whether each element is infinite: `jax.numpy.isinf`."""
    return is_infinite(x)


def _infinity(name: str, sign: float) -> Callable[..., Any]:
    def function(x: Any, /, out: None = None) -> Any:
        if KINDS[x.aval.dtype] != "f":
            return _all(False, x)
        positive = lax.gt_p if sign > 0 else lax.lt_p
        return bitwise_and_p.bind(is_infinite(x), positive.bind(x, constant_like(x, 0)))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"`jax.numpy.{name}`, elementwise."
    return operation(f"numpy.{name}", "x")(function)


isposinf, isneginf = _infinity("isposinf", 1), _infinity("isneginf", -1)


@operation("numpy.iscomplex", "x")
def iscomplex(x: Any) -> Any:
    """Whether each element has an imaginary part: `jax.numpy.iscomplex`."""
    imaginary = imag_p.bind(x) if _is_complex(x) else None
    return _all(False, x) if imaginary is None else lax.ne_p.bind(imaginary, constant_like(imaginary, 0))


@operation("numpy.isreal", "x")
def isreal(x: Any) -> Any:
    """Whether each element has no imaginary part: `jax.numpy.isreal`."""
    imaginary = imag_p.bind(x) if _is_complex(x) else None
    return _all(True, x) if imaginary is None else lax.eq_p.bind(imaginary, constant_like(imaginary, 0))


@operation("numpy.isclose", "a", "b", "rtol", "atol")
def isclose(a: Any, b: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: bool = False) -> Any:
    """Whether two numbers differ by no more than the tolerances, elementwise: `jax.numpy.isclose`."""
    from arraytyping.calling import array_from

    x, y = one_rank(*promoted(a, b))
    if KINDS[x.aval.dtype] not in "fc":
        x, y = promoted_inexact(x, y)
    part = {"complex64": "float32", "complex128": "float64"}.get(x.aval.dtype, x.aval.dtype)
    relative, absolute = (convert_to(array_from(t), part) for t in (rtol, atol))
    distance = abs_p.bind(sub_p.bind(x, y))
    bound = add_p.bind(*one_rank(absolute, mul_p.bind(*one_rank(relative, abs_p.bind(y)))))
    close = lax.le_p.bind(*one_rank(distance, bound))
    infinite = bitwise_or_p.bind(is_infinite(x), is_infinite(y))
    same = bitwise_and_p.bind(bitwise_and_p.bind(is_infinite(x), is_infinite(y)), lax.eq_p.bind(x, y))
    result = bitwise_or_p.bind(bitwise_and_p.bind(close, bitwise_not_p.bind(infinite)), same)
    if equal_nan:
        result = bitwise_or_p.bind(result, bitwise_and_p.bind(lax.ne_p.bind(x, x), lax.ne_p.bind(y, y)))
    return result
