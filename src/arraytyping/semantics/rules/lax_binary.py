"""Elementwise functions of two arrays and more of `jax.lax`: of one dtype, and of one shape but for sizes of 1.

Source: https://docs.jax.dev/en/latest/jax.lax.html; the primitives of
https://github.com/jax-ml/jax/blob/main/jax/_src/lax/lax.py and special.py beside it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.dtype_kinds import ANY_INEXACT
from arraytyping.semantics.rules.lax_operands import (
    NOT_FLOAT,
    NOT_FLOAT32,
    NOT_INEXACT,
    NOT_INTEGER,
    all_weak,
    broadcast_ranks,
    same_dtype,
)
from arraytyping.semantics.rules.lax_unary import complex_of
from arraytyping.semantics.rules.operands import as_dtype, as_operand
from arraytyping.semantics.rules.refusals import BOOL, COMPLEX, INEXACT, Refusal, refuse
from arraytyping.semantics.rules.table import register, rule
from arraytyping.semantics.rules.unary import same

__all__ = ["ROWS", "Nary"]


@dataclass(frozen=True)
class Nary:
    """One class of functions: their names, and how the dtype of the result follows from the one of all operands.

    `dtype` is a name where the result has that dtype whatever the operands'.
    """

    names: str
    dtype: Callable[[Context, str], str] | str
    refuses: tuple[Refusal, ...] = ()

    @cached_property
    def refused(self) -> frozenset[str]:
        """All dtypes that are refused."""
        return frozenset().union(*(refusal.dtypes for refusal in self.refuses))

    def result(self, cx: Context, operation: str, *arguments: Any) -> ShapedArray:
        """The abstract value of the result of one of the functions."""
        if len(arguments) == 2:  # two arrays of one type, which are most, in half of the time
            x, y = arguments
            if (
                x.__class__ is ShapedArray
                and y.__class__ is ShapedArray
                and (dtype := x.dtype) is not None
                and dtype == y.dtype
                and dtype not in self.refused
                and x.shape == y.shape
            ):
                result = self.dtype if isinstance(self.dtype, str) else self.dtype(cx, dtype)
                return ShapedArray(x.shape, result, x.weak_type and y.weak_type)
        operands = [as_operand(cx, argument, operation, i) for i, argument in enumerate(arguments)]
        shape = broadcast_ranks(operation, *[operand.shape for operand in operands])
        for operand in operands:
            refuse(operation, operand.dtype, self.refuses)
        dtype = same_dtype(operation, operands)
        if isinstance(self.dtype, str):
            dtype = self.dtype
        elif dtype is not None:
            dtype = self.dtype(cx, dtype)
        return ShapedArray(shape, dtype, all_weak(operands))


ROWS: Final = (
    Nary("add sub div", same, (BOOL,)),
    Nary("rem", same, (BOOL, COMPLEX)),
    Nary("max min", same),
    Nary("bitwise_and bitwise_or bitwise_xor", same, (INEXACT,)),
    Nary("shift_left shift_right_arithmetic shift_right_logical", same, (NOT_INTEGER,)),
    Nary("atan2", same, (NOT_INEXACT,)),
    Nary("complex", complex_of, (NOT_FLOAT32,)),
    Nary("eq ne", "bool"),
    Nary("lt le gt ge", "bool", (COMPLEX,)),
)
"""All functions of two arrays and nothing else but `pow`, by the class of their results."""


def _enter(row: Nary, name: str) -> None:
    operation = f"lax.{name}"

    def function(cx: Context, x: Any, y: Any) -> ShapedArray:
        return row.result(cx, operation, x, y)

    register(operation, function)


for _row in ROWS:
    for _name in _row.names.split():
        _enter(_row, _name)


_MUL: Final = Nary("mul", same, (BOOL,))
_MULHI: Final = Nary("mulhi", same, (NOT_INTEGER,))
_OF_FLOATS: Final = Nary("nextafter igamma igammac igamma_grad_a polygamma zeta betainc", same, (NOT_FLOAT,))
_PYTHON: Final = ("bool", "int", "float", "complex")


@rule("lax.mul")
def mul(cx: Context, x: Any, y: Any, *, out_dtype: Any = None) -> ShapedArray:
    """`jax.lax.mul`: where the dtype of the result is named, those of the operands may differ."""
    if out_dtype is None:
        return _MUL.result(cx, "lax.mul", x, y)
    operands = as_operand(cx, x, "lax.mul", 0), as_operand(cx, y, "lax.mul", 1)
    named = as_dtype(out_dtype, "lax.mul")
    for operand in operands:
        refuse("lax.mul", operand.dtype, (BOOL,))
    shape = broadcast_ranks("lax.mul", operands[0].shape, operands[1].shape)
    if named is None:
        return ShapedArray(shape, None)
    dtype = cx.default(named) if isinstance(out_dtype, type) and named in _PYTHON else cx.promotion.canonicalize(named)
    return ShapedArray(shape, dtype, all_weak(operands))


@rule("lax.mulhi")
def mulhi(cx: Context, x: Any, y: Any, /) -> ShapedArray:
    """`jax.lax.mulhi`: the upper half of the product's bits."""
    return _MULHI.result(cx, "lax.mulhi", x, y)


@rule("lax.pow")
def pow_(cx: Context, x: Any, y: Any) -> ShapedArray:
    """`jax.lax.pow`: an inexact base, and an exponent that is an integer or of the same dtype."""
    base, exponent = as_operand(cx, x, "lax.pow", 0), as_operand(cx, y, "lax.pow", 1)
    shape = broadcast_ranks("lax.pow", base.shape, exponent.shape)
    refuse("lax.pow", base.dtype, (NOT_INEXACT,))
    refuse("lax.pow", exponent.dtype, (BOOL,))
    dtype = base.dtype
    if exponent.dtype in ANY_INEXACT:
        dtype = same_dtype("lax.pow", (base, exponent))
    return ShapedArray(shape, dtype, all_weak((base, exponent)))


@rule("lax.nextafter")
def nextafter(cx: Context, x1: Any, x2: Any) -> ShapedArray:
    """`jax.lax.nextafter`."""
    return _OF_FLOATS.result(cx, "lax.nextafter", x1, x2)


@rule("lax.polygamma")
def polygamma(cx: Context, m: Any, x: Any) -> ShapedArray:
    """`jax.lax.polygamma`."""
    return _OF_FLOATS.result(cx, "lax.polygamma", m, x)


@rule("lax.zeta")
def zeta(cx: Context, x: Any, q: Any) -> ShapedArray:
    """`jax.lax.zeta`."""
    return _OF_FLOATS.result(cx, "lax.zeta", x, q)


@rule("lax.betainc")
def betainc(cx: Context, a: Any, b: Any, x: Any) -> ShapedArray:
    """`jax.lax.betainc`."""
    return _OF_FLOATS.result(cx, "lax.betainc", a, b, x)


def _enter_gamma(name: str) -> None:
    operation = f"lax.{name}"

    def function(cx: Context, a: Any, x: Any) -> ShapedArray:
        return _OF_FLOATS.result(cx, operation, a, x)

    register(operation, function)


for _name in ("igamma", "igammac", "igamma_grad_a"):
    _enter_gamma(_name)
