"""Elementwise functions of one array of `jax.lax`, which take the dtypes of their primitive and convert nothing.

Source: https://docs.jax.dev/en/latest/jax.lax.html; the primitives of
https://github.com/jax-ml/jax/blob/main/jax/_src/lax/lax.py and special.py beside it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from arraytyping.scalars import DTYPES, UNSIGNED
from arraytyping.semantics.avals import UNKNOWN, NumPyArray, Scalar, ShapedArray, SymbolicDim
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.dtype_kinds import ANY_COMPLEX, ANY_INTEGER
from arraytyping.semantics.rules.errors import DtypeError, RuleError
from arraytyping.semantics.rules.lax_operands import NOT_COMPLEX, NOT_FLOAT, NOT_INEXACT, NOT_INTEGER
from arraytyping.semantics.rules.operands import as_operand
from arraytyping.semantics.rules.refusals import BOOL, INEXACT, Refusal
from arraytyping.semantics.rules.sizes import with_shape
from arraytyping.semantics.rules.static_arguments import as_index
from arraytyping.semantics.rules.table import register, rule
from arraytyping.semantics.rules.unary import Unary, magnitude, real_part, same

__all__ = ["ROWS", "complex_of"]

_COMPLEX_OF: Final = {"float32": "complex64", "float64": "complex128"}


def complex_of(cx: Context, dtype: str) -> str:
    """That of which the operand's is a part."""
    return _COMPLEX_OF.get(dtype, dtype)


_UNSIGNED: Final = Refusal(
    frozenset(("bool", *UNSIGNED, "int2", "int4")), "what it takes is signed: convert first, with x.astype(jnp.int32)"
)
_NO_COMPLEX_OF: Final = Refusal(
    frozenset(DTYPES) - ANY_COMPLEX - {*_COMPLEX_OF},
    "it takes complex numbers, float32 and float64: convert first, with x.astype(jnp.float32)",
)

ROWS: Final = (
    Unary(
        "exp exp2 expm1 log log1p tanh logistic sin cos tan sqrt rsqrt asin acos atan sinh cosh asinh acosh atanh "
        "reciprocal",
        same,
        refuses=(NOT_INEXACT,),
    ),
    Unary("floor ceil cbrt lgamma digamma bessel_i0e bessel_i1e erf erfc erf_inv", same, refuses=(NOT_FLOAT,)),
    Unary("neg sign square", same, refuses=(BOOL,)),
    Unary("bitwise_not", same, refuses=(INEXACT,)),
    Unary("population_count clz", same, refuses=(NOT_INTEGER,)),
    Unary("is_finite", "bool", refuses=(NOT_FLOAT,)),
    Unary("real imag", real_part, refuses=(NOT_COMPLEX,)),
    Unary("abs", magnitude, refuses=(_UNSIGNED,)),
)
"""All functions of one array and nothing else but an accuracy, by the class of their results."""

_WITH_ACCURACY: Final = frozenset(
    ("exp", "exp2", "expm1", "log", "log1p", "tanh", "logistic", "sin", "cos", "tan", "sqrt", "rsqrt", "cbrt")
)
"""The functions of which the accuracy may be chosen, which does not change the type."""


def _enter(row: Unary, name: str) -> None:
    operation = f"lax.{name}"

    def plain(cx: Context, x: Any) -> ShapedArray:
        return row.result(cx, operation, x)

    def with_accuracy(cx: Context, x: Any, *, accuracy: Any = None) -> ShapedArray:
        return row.result(cx, operation, x)

    function: Callable[..., Any] = with_accuracy if name in _WITH_ACCURACY else plain
    register(operation, function)


for _row in ROWS:
    for _name in _row.names.split():
        _enter(_row, _name)


_CONJ: Final = Unary("conj", complex_of, refuses=(_NO_COMPLEX_OF,))
_ROUND: Final = Unary("round", same, refuses=(NOT_FLOAT,))
_INTEGER_POW: Final = Unary("integer_pow", same, refuses=(BOOL,))
_REDUCE_PRECISION: Final = Unary("reduce_precision", same, refuses=(NOT_FLOAT,))


@rule("lax.conj")
def conj(cx: Context, x: Any) -> ShapedArray:
    """`jax.lax.conj`, which makes a complex number of a real one."""
    if x is None:  # JAX asks for its dtype
        raise DtypeError("lax.conj requires an array, got None; make an array of it first", ValueError)
    return _CONJ.result(cx, "lax.conj", x)


@rule("lax.round")
def round_(cx: Context, x: Any, rounding_method: Any = 0) -> ShapedArray:
    """`jax.lax.round`; the methods are numbered 0, away from zero, and 1, to the nearest even number."""
    if (rounding_method is None or isinstance(rounding_method, int | float | complex | str)) and (
        rounding_method not in (0, 1)
    ):
        raise RuleError(
            f"lax.round: {rounding_method!r} is no rounding method; give one of jax.lax.RoundingMethod", ValueError
        )
    return _ROUND.result(cx, "lax.round", x)


@rule("lax.integer_pow")
def integer_pow(cx: Context, x: Any, y: Any) -> ShapedArray:
    """`jax.lax.integer_pow`: the exponent is a Python int."""
    result = _INTEGER_POW.result(cx, "lax.integer_pow", x)
    if y is UNKNOWN or isinstance(y, SymbolicDim | NumPyArray) or (isinstance(y, Scalar) and y.kind != "complex"):
        return result
    if not isinstance(y, int | float):
        raise DtypeError("lax.integer_pow takes a Python int as exponent; lax.pow takes an array")
    if y < 0 and result.dtype in ANY_INTEGER:
        raise DtypeError(
            f"lax.integer_pow: integers cannot be raised to negative powers, got {result.dtype} and {y}; "
            "convert to a float first, with x.astype(jnp.float32)"
        )
    return result


@rule("lax.reduce_precision")
def reduce_precision(cx: Context, operand: Any, exponent_bits: Any, mantissa_bits: Any) -> ShapedArray:
    """`jax.lax.reduce_precision`."""
    operation = "lax.reduce_precision"
    for name, given, least in (("exponent_bits", exponent_bits, 1), ("mantissa_bits", mantissa_bits, 0)):
        count = as_index(operation, name, given)
        if count is not None and count < least:
            raise RuleError(f"{operation}: {name} must be at least {least}, got {count}", ValueError)
    return _REDUCE_PRECISION.result(cx, operation, operand)


@rule("lax.stop_gradient")
def stop_gradient(cx: Context, x: Any) -> Any:
    """`jax.lax.stop_gradient`: the same array, or one made of a number; of a container nothing is said."""
    if x is None:
        return None
    if x is UNKNOWN or isinstance(x, tuple | list):  # perhaps a pytree of a class of its own
        return UNKNOWN
    return with_shape(array := as_operand(cx, x, "lax.stop_gradient"), array.shape)


@rule("lax.stage")
def stage(cx: Context, x: Any, /) -> ShapedArray:
    """`jax.lax.stage`: an array that is part of the computation being traced."""
    return with_shape(array := as_operand(cx, x, "lax.stage"), array.shape)
