"""Elementwise functions of two arrays: a table of rows, one for each class of results.

Both operands are promoted to their join; the dtype of the result follows from the join alone.

Source: https://docs.jax.dev/en/latest/type_promotion.html; `jax/_src/numpy/ufuncs.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from arraytyping.semantics.avals import Shape, ShapedArray
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.dtype_kinds import ANY_COMPLEX, ANY_INEXACT
from arraytyping.semantics.rules.errors import DtypeError, ShapeError
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
from arraytyping.semantics.rules.shapes.broadcasting import broadcast_shapes
from arraytyping.semantics.rules.table import register, rule
from arraytyping.semantics.rules.unary import inexact, inexact_magnitude, magnitude, no_out, numeric, same

__all__ = ["ROWS", "Binary", "promoted_shape"]


def promoted_shape(operation: str, *shapes: Shape | None, exception: type[Exception] | None = None) -> Shape | None:
    """The shape of the result of an elementwise function; None if the rank of an operand is unknown.

    Raises:
        ShapeError: if the shapes certainly do not broadcast.  Where `exception` is not given, it is JAX's: TypeError
            from the primitive if the ranks are the same, ValueError from promoting the rank otherwise.
    """
    try:
        return broadcast_shapes(operation, *shapes)
    except ShapeError as error:
        ranks = {len(shape) for shape in shapes if shape}
        raise ShapeError(error.message, exception or (TypeError if len(ranks) == 1 else ValueError)) from None


# Whether two weak operands give a weak result, from the dtype of the join and their ranks; None if unknown.


def keeps(dtype: str, left: int | None, right: int | None) -> bool | None:
    """Always."""
    return True


def drops(dtype: str, left: int | None, right: int | None) -> bool | None:
    """Never."""
    return False


def keeps_scalars(dtype: str, left: int | None, right: int | None) -> bool | None:
    """If neither has dimensions."""
    if left or right:
        return False
    return None if left is None or right is None else True


def keeps_scalar_left(dtype: str, left: int | None, right: int | None) -> bool | None:
    """If the left one has no dimensions."""
    return None if left is None else left == 0


def keeps_but_complex_arrays(dtype: str, left: int | None, right: int | None) -> bool | None:
    """If neither has dimensions or they are not complex."""
    return keeps_scalars(dtype, left, right) if dtype in ANY_COMPLEX else True


class Binary(NamedTuple):
    """One class of functions: their names, and how dtype and weak type of the result follow from the join.

    `dtype` is a name where the result has that dtype whatever the operands'; `clash` is what is raised for shapes
    that do not broadcast, where it does not depend on their ranks.
    """

    names: str
    dtype: Callable[[Context, str], str] | str
    weak: Callable[[str, int | None, int | None], bool | None] = keeps
    refuses: tuple[Refusal, ...] = ()
    clash: type[Exception] | None = None

    def result(self, cx: Context, name: str, x: Any, y: Any) -> ShapedArray:
        """The abstract value of the result of one of the functions."""
        a, b = as_operand(cx, x, name, 0), as_operand(cx, y, name, 1)
        joined, weak = cx.join(name, (a, b))
        shape = promoted_shape(name, a.shape, b.shape, exception=self.clash)
        if joined is None:
            known = self.dtype if isinstance(self.dtype, str) else None
            return ShapedArray(shape, known, False if self.weak("", a.ndim, b.ndim) is False else None)
        refuse(name, joined, self.refuses)
        dtype = self.dtype if isinstance(self.dtype, str) else self.dtype(cx, joined)
        return ShapedArray(shape, dtype, weak and self.weak(joined, a.ndim, b.ndim))


_GCD: Final = (BOOL.raising(ValueError), INEXACT.raising(ValueError), NARROW_SIGNED)

ROWS: Final = (
    Binary("add multiply maximum minimum fmax fmin", same),
    Binary("subtract", same, refuses=(BOOL,)),
    Binary("bitwise_and bitwise_or bitwise_xor", same, refuses=(INEXACT,)),
    Binary("gcd lcm", magnitude, keeps_scalars, _GCD, ValueError),
    Binary("floor_divide remainder mod fmod", numeric, refuses=(COMPLEX,)),
    Binary("left_shift right_shift bitwise_left_shift bitwise_right_shift", numeric, refuses=(INEXACT,)),
    Binary("true_divide divide", inexact),
    Binary("arctan2 atan2 float_power", inexact, refuses=(TINY,)),
    Binary("nextafter", inexact, refuses=(TINY, COMPLEX)),
    Binary("hypot", inexact, keeps_scalars, (TINY, COMPLEX.raising(ValueError))),
    Binary("heaviside", inexact, keeps_scalar_left, (COMPLEX,), ValueError),
    Binary(
        "copysign",
        inexact_magnitude,
        refuses=(TINY.only("uint1", "uint2", "int2"), SMALL_FLOAT, COMPLEX),
        clash=ValueError,
    ),
    Binary("logaddexp", inexact, keeps_but_complex_arrays, (TINY.raising(ValueError),)),
    Binary("logaddexp2", inexact, keeps_scalars, (TINY.raising(ValueError),)),
    Binary("equal not_equal less less_equal greater greater_equal", "bool"),
    Binary("logical_and logical_or logical_xor", "bool", keeps_scalars),
)
"""All functions of two arrays and nothing else but power and ldexp, by the class of their results."""

_BY_KEYWORD: Final = frozenset(("fmax", "fmin", "gcd", "lcm"))
"""The functions that take their arrays by keyword too."""

_UFUNCS: Final = (
    "add subtract multiply maximum minimum bitwise_and bitwise_or bitwise_xor logical_and logical_or logical_xor "
    "logaddexp logaddexp2"
)
"""The functions that are `jax.numpy.ufunc` objects, with NumPy's parameters that JAX does not implement."""


def _enter(row: Binary, name: str) -> None:
    def positional(cx: Context, x: Any, y: Any, /) -> ShapedArray:
        return row.result(cx, name, x, y)

    def keyword(cx: Context, x1: Any, x2: Any) -> ShapedArray:
        return row.result(cx, name, x1, x2)

    def ufunc(cx: Context, x: Any, y: Any, /, *, out: Any = None, where: Any = None) -> ShapedArray:
        no_out(name, out)
        no_out(name, where, "where")
        return row.result(cx, name, x, y)

    register(f"numpy.{name}", keyword if name in _BY_KEYWORD else ufunc if name in _UFUNCS.split() else positional)


for _row in ROWS:
    for _name in _row.names.split():
        _enter(_row, _name)


_DIVMOD: Final = Binary("divmod", numeric, refuses=(COMPLEX,))


@rule("numpy.divmod")
def divmod_(cx: Context, x1: Any, x2: Any, /) -> tuple[ShapedArray, ShapedArray]:
    """`jax.numpy.divmod`: the quotient and the remainder."""
    part = _DIVMOD.result(cx, "divmod", x1, x2)
    return part, part


@rule("numpy.ldexp")
def ldexp(cx: Context, x1: Any, x2: Any, /) -> ShapedArray:
    """`jax.numpy.ldexp`: the operands are not promoted to each other; the result is of the first one's float."""
    a, b = as_operand(cx, x1, "ldexp", 0), as_operand(cx, x2, "ldexp", 1)
    if b.dtype in ANY_INEXACT:
        raise DtypeError(f"ldexp takes an integer exponent, got {b.dtype}; {INEXACT.advice}", ValueError)
    refuse("ldexp", a.dtype, (COMPLEX.raising(ValueError), TINY.raising(ValueError), SMALL_FLOAT.raising(KeyError)))
    shape = promoted_shape("ldexp", a.shape, b.shape)
    return ShapedArray(shape, None if a.dtype is None else inexact(cx, a.dtype))


_ISCLOSE: Final = Binary("isclose", "bool", drops, (TINY,))


@rule("numpy.isclose")
def isclose(cx: Context, a: Any, b: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: Any = False) -> ShapedArray:
    """`jax.numpy.isclose`."""
    result = _ISCLOSE.result(cx, "isclose", a, b)
    for name, tolerance in (("rtol", rtol), ("atol", atol)):
        if tolerance is None:
            raise DtypeError(f"isclose: {name} is a number, got None; leave it out for the default", ValueError)
        if as_operand(cx, tolerance, "isclose", name).shape != ():  # rare: it takes part in broadcasting, in JAX's way
            result = ShapedArray(None, "bool")
    return result
