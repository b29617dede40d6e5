"""Rounding to a number of decimals.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.numpy.round.html.
"""

from __future__ import annotations

from typing import Any, Final

from arraytyping.semantics.avals import UNKNOWN, NumPyArray, Scalar, ShapedArray, SymbolicDim
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.dtype_kinds import ANY_INTEGER, to_real
from arraytyping.semantics.rules.errors import RuleError
from arraytyping.semantics.rules.operands import as_operand
from arraytyping.semantics.rules.refusals import BOOL, refuse
from arraytyping.semantics.rules.table import rule
from arraytyping.semantics.rules.unary import no_out

__all__ = ["round_"]

_MOST_DECIMALS: Final = {"float32": 38, "float64": 308}
"""The most decimals to which JAX rounds a weak dtype; asked for more it returns the array as it is."""

_NO_POWER_OF_TEN: Final = {
    "bfloat16": range(19, 39),
    "float8_e8m0fnu": range(19, 48),
    "float8_e4m3b11fnuz": range(31, 10**9),
    "float8_e4m3fnuz": range(248, 10**9),
    "float8_e4m3fn": range(465, 10**9),
    "float8_e5m2fnuz": range(61440, 10**9),
}
"""The decimals for which JAX makes an array of a power of ten that `ml_dtypes` refuses: it is past 64 bits."""


@rule("numpy.round", "numpy.around", "Array.round")
def round_(cx: Context, a: Any, decimals: Any = 0, out: Any = None) -> ShapedArray:
    """`jax.numpy.round`."""
    array = as_operand(cx, a, "round")
    places = known_decimals(decimals)
    no_out("round", out)
    refuse("round", array.dtype, (BOOL.raising(ValueError),))
    if array.dtype is None:
        return ShapedArray(array.shape, None)
    if array.dtype in ANY_INTEGER:
        if places is not None and places < 0:
            raise RuleError(
                f"round: JAX does not round integers to {places} decimals; make it a float first", NotImplementedError
            )
        return ShapedArray(array.shape, array.dtype, array.weak_type)
    if places is not None and places in _NO_POWER_OF_TEN.get(array.dtype, ()):
        raise RuleError(f"round: 10**{places} is no {array.dtype}; round to fewer decimals, or make it a float32 first")
    return ShapedArray(array.shape, array.dtype, array.weak_type and _stays_weak(array, places))


def _stays_weak(array: ShapedArray, places: int | None) -> bool | None:
    """Whether a weak float or complex stays weak: it is multiplied by a power of ten, weak for weak scalars only."""
    if places == 0 or array.shape == ():
        return True
    most = _MOST_DECIMALS.get(to_real(array.dtype or ""))
    if places is None or most is None:
        return None
    if places > most:
        return True
    return None if array.shape is None else False


def known_decimals(decimals: Any) -> int | None:
    """The number of decimals, or None if it is not known.

    Raises:
        RuleError: for what JAX does not take as one.
    """
    if isinstance(decimals, int):
        return int(decimals)
    if (
        decimals is UNKNOWN
        or isinstance(decimals, SymbolicDim)
        or (isinstance(decimals, Scalar) and decimals.kind in ("int", "bool"))
    ):
        return None
    if isinstance(decimals, NumPyArray) and decimals.shape in (None, ()):
        return None
    # JAX hashes static arguments first.
    unhashable = isinstance(decimals, ShapedArray | NumPyArray | list)
    raise RuleError(
        f"round: the number of decimals is an int known before tracing, got {decimals}; give a Python int",
        ValueError if unhashable else TypeError,
    )


@rule("Array.__round__")
def operator_round(cx: Context, self: Any, ndigits: Any = None) -> ShapedArray:
    """The builtin `round(x)`, which gives integers as for a float, and `round(x, ndigits)`, which does not."""
    if ndigits is None:
        return ShapedArray(round_(cx, self).shape, cx.default("int"))
    if ndigits is UNKNOWN:  # None too
        return ShapedArray(as_operand(cx, self, "round").shape, None)
    return round_(cx, self, ndigits)
