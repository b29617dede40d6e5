"""Elementwise functions of one array: a table of rows, one for each class of results.

Source: https://docs.jax.dev/en/latest/jax.numpy.html; `jax/_src/numpy/ufuncs.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from arraytyping.semantics.avals import UNKNOWN, ShapedArray
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.dtype_kinds import ANY_FLOAT, ANY_INEXACT, to_inexact, to_numeric, to_real
from arraytyping.semantics.rules.errors import RuleError
from arraytyping.semantics.rules.operands import as_operand
from arraytyping.semantics.rules.refusals import (
    BOOL,
    COMPLEX,
    INEXACT,
    NARROW_SIGNED,
    SMALL_FLOAT,
    TINY,
    Refusal,
    refuse,
)
from arraytyping.semantics.rules.static_arguments import as_flag
from arraytyping.semantics.rules.table import register, rule

__all__ = ["ROWS", "Unary", "no_out"]


# The dtype of the result, from that of the operand.


def same(cx: Context, dtype: str) -> str:
    """The operand's own."""
    return dtype


def inexact(cx: Context, dtype: str) -> str:
    """A floating or complex one."""
    return to_inexact(dtype)


def numeric(cx: Context, dtype: str) -> str:
    """Not bool."""
    return to_numeric(dtype)


def real_part(cx: Context, dtype: str) -> str:
    """That of the real part."""
    return to_real(dtype)


def magnitude(cx: Context, dtype: str) -> str:
    """That of the absolute value, by way of NumPy's `abs`, which makes an int1 an int8."""
    return "int8" if dtype == "int1" else to_real(dtype)


def inexact_magnitude(cx: Context, dtype: str) -> str:
    """That of the absolute value as a float."""
    return magnitude(cx, to_inexact(dtype))


def default_inexact(cx: Context, dtype: str) -> str:
    """The default float for bool and integers: float64 with x64, unlike `inexact`."""
    return dtype if dtype in ANY_INEXACT else cx.default("float")


# Whether a weak operand of this dtype and rank gives a weak result; None where it cannot be known.


def keeps(dtype: str, ndim: int | None) -> bool | None:
    """Always."""
    return True


def drops(dtype: str, ndim: int | None) -> bool | None:
    """Never."""
    return False


def keeps_scalar(dtype: str, ndim: int | None) -> bool | None:
    """If it has no dimensions: JAX pairs it with a constant that is weak for weak scalars only."""
    return None if ndim is None else ndim == 0


def keeps_scalar_or_bool(dtype: str, ndim: int | None) -> bool | None:
    """If it has no dimensions or is bool already, and so is passed on as it is."""
    return dtype == "bool" or keeps_scalar(dtype, ndim)


def keeps_scalar_number(dtype: str, ndim: int | None) -> bool | None:
    """If it has no dimensions and is not bool."""
    return dtype != "bool" and keeps_scalar(dtype, ndim)


def keeps_inexact(dtype: str, ndim: int | None) -> bool | None:
    """If it is a float or complex; for others the result is made anew."""
    return dtype in ANY_INEXACT


class Unary(NamedTuple):
    """One class of functions: their names, and how dtype and weak type of the result follow from the operand's.

    `dtype` is a name where the result has that dtype whatever the operand's.
    """

    names: str
    dtype: Callable[[Context, str], str] | str
    weak: Callable[[str, int | None], bool | None] = keeps
    refuses: tuple[Refusal, ...] = ()

    def result(self, cx: Context, name: str, x: Any) -> ShapedArray:
        """The abstract value of the result of one of the functions."""
        a = as_operand(cx, x, name)
        if a.dtype is None:
            known = self.dtype if isinstance(self.dtype, str) else None
            return ShapedArray(a.shape, known, False if self.weak is drops else None)
        refuse(name, a.dtype, self.refuses)
        dtype = self.dtype if isinstance(self.dtype, str) else self.dtype(cx, a.dtype)
        weak = a.weak_type and self.weak(a.dtype, a.ndim)
        # A weak bool, which comparisons of weak arrays give, turns strong where it turns into a number.
        return ShapedArray(a.shape, dtype, False if a.dtype == "bool" != dtype else weak)


ROWS: Final = (
    Unary(
        "sin cos tan sinh cosh tanh exp exp2 expm1 log log1p sqrt reciprocal arcsin arccos arctan arcsinh arccosh "
        "arctanh asin acos atan asinh acosh atanh",
        inexact,
        refuses=(TINY,),
    ),
    Unary("cbrt", inexact, refuses=(TINY, COMPLEX)),
    Unary("log2", inexact, drops, (TINY,)),
    Unary("log10", inexact, drops, (TINY.raising(ValueError),)),
    Unary("i0", inexact, refuses=(TINY.raising(ValueError), COMPLEX.raising(ValueError))),
    Unary("spacing", inexact, drops, (TINY.raising(OverflowError), SMALL_FLOAT, COMPLEX.raising(ValueError))),
    # The factor pi/180 is 0 as a tiny integer, except as int1; 180/pi and pi overflow all of them.
    Unary("deg2rad radians", inexact, keeps_scalar, (TINY.only("int1").raising(OverflowError),)),
    Unary("rad2deg degrees sinc", inexact, keeps_scalar, (TINY.raising(OverflowError),)),
    Unary("fabs", inexact_magnitude, refuses=(TINY.only("uint1", "uint2", "int2"), COMPLEX)),
    Unary("rint", default_inexact, keeps_inexact),
    Unary("abs absolute", magnitude, refuses=(NARROW_SIGNED,)),
    Unary("real imag", real_part),
    Unary("sign negative", same, refuses=(BOOL,)),
    Unary("positive conj conjugate", same),
    Unary("floor ceil trunc", same, refuses=(COMPLEX,)),
    Unary("bitwise_not bitwise_invert invert", same, refuses=(INEXACT,)),
    Unary("square", numeric),
    Unary("bitwise_count", "uint8", drops, (INEXACT, NARROW_SIGNED)),
    Unary("isnan", "bool"),
    Unary("isfinite", "bool", keeps_inexact),
    Unary("isinf", "bool", drops),
    Unary("isposinf isneginf", "bool", drops, (COMPLEX.raising(ValueError),)),
    Unary("signbit", "bool", drops, (SMALL_FLOAT, COMPLEX.raising(ValueError))),
    Unary("isreal iscomplex", "bool", keeps_scalar_number),
    Unary("logical_not", "bool", keeps_scalar_or_bool),
)
"""All functions of one array and nothing else, by the class of their results."""

_BY_KEYWORD: Final = frozenset(("i0", "iscomplex", "isreal", "trunc"))
"""The functions that take their array by keyword too."""

_UFUNCS: Final = frozenset(("negative",))
"""The functions that are `jax.numpy.ufunc` objects, with NumPy's parameters that JAX does not implement."""


def no_out(name: str, out: Any, parameter: str = "out") -> None:
    """Refuse a parameter that is there for NumPy's sake only.

    Raises:
        RuleError: if it is given, which certainly fails.
    """
    if out is not None and out is not UNKNOWN:
        raise RuleError(f"{name}: JAX does not implement the argument {parameter}; leave it out", NotImplementedError)


def _enter(row: Unary, name: str) -> None:
    def positional(cx: Context, x: Any, /) -> ShapedArray:
        return row.result(cx, name, x)

    def keyword(cx: Context, x: Any) -> ShapedArray:
        return row.result(cx, name, x)

    def with_out(cx: Context, x: Any, /, out: Any = None) -> ShapedArray:
        no_out(name, out)
        return row.result(cx, name, x)

    def ufunc(cx: Context, x: Any, /, *, out: Any = None, where: Any = None) -> ShapedArray:
        no_out(name, out)
        no_out(name, where, "where")
        return row.result(cx, name, x)

    function: Callable[..., Any] = positional
    if name in _BY_KEYWORD:
        function = keyword
    elif name in ("isposinf", "isneginf"):
        function = with_out
    elif name in _UFUNCS:
        function = ufunc
    register(f"numpy.{name}", function)
    if name in ("conj", "conjugate", "real", "imag"):
        register(f"Array.{name}", function)


for _row in ROWS:
    for _name in _row.names.split():
        _enter(_row, _name)


_MODF: Final = Unary("modf", inexact, refuses=(COMPLEX,))
_FREXP: Final = Unary(
    "frexp",
    inexact,
    drops,
    (TINY.raising(ValueError), SMALL_FLOAT.raising(KeyError), COMPLEX),
)


@rule("numpy.modf")
def modf(cx: Context, x: Any, /, out: Any = None) -> tuple[ShapedArray, ShapedArray]:
    """`jax.numpy.modf`: the fractional and the integral part."""
    part = _MODF.result(cx, "modf", x)
    no_out("modf", out)
    return part, part


@rule("numpy.frexp")
def frexp(cx: Context, x: Any, /) -> tuple[ShapedArray, ShapedArray]:
    """`jax.numpy.frexp`: the mantissa and the exponent."""
    mantissa = _FREXP.result(cx, "frexp", x)
    return mantissa, ShapedArray(mantissa.shape, "int32")


@rule("numpy.angle")
def angle(cx: Context, z: Any, deg: Any = False) -> ShapedArray:
    """`jax.numpy.angle`: real floats without dimensions give the default float, those with dimensions their own."""
    a = as_operand(cx, z, "angle")
    default = cx.default("float")
    if a.dtype is None:
        return ShapedArray(a.shape, None)
    if a.dtype in ANY_INEXACT:
        dtype = to_real(a.dtype)
        weak = a.weak_type
        if a.dtype in ANY_FLOAT:
            if a.shape is None and dtype != default:
                return ShapedArray(None, None)
            if a.shape == ():
                dtype, weak = default, False
            elif a.shape is None:
                weak = weak and None
        # The angle in degrees is that in radians times a constant.
        in_degrees = as_flag(deg)
        if weak and in_degrees is not False and a.shape != ():
            weak = False if in_degrees and a.shape is not None else None
        return ShapedArray(a.shape, dtype, weak)
    return ShapedArray(a.shape, default)
