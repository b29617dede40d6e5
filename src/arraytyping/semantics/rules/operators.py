"""Operators of arrays: each is a function of the NumPy-style interface, with the operands in one order or the other.

A rule is that of the expression, `x + y`, not of the method: where `x.__add__(y)` would return NotImplemented, the
rule says what Python then does.

Source: https://docs.python.org/3/reference/datamodel.html#emulating-numeric-types; `jax/_src/numpy/array_methods.py`.
"""

from __future__ import annotations

from typing import Any, Final

from arraytyping.semantics.avals import UNKNOWN, ShapedArray
from arraytyping.semantics.rules import binary, power, unary  # noqa: F401  # their rules must be in the table before
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.errors import DtypeError
from arraytyping.semantics.rules.operands import is_array, is_python_scalar
from arraytyping.semantics.rules.table import RULES, register

__all__ = ["ARITHMETIC", "COMPARISONS", "UNARY"]

ARITHMETIC: Final = {
    "add": ("+", "add"),
    "sub": ("-", "subtract"),
    "mul": ("*", "multiply"),
    "matmul": ("@", "matmul"),
    "truediv": ("/", "true_divide"),
    "floordiv": ("//", "floor_divide"),
    "mod": ("%", "mod"),
    "divmod": ("divmod()", "divmod"),
    "pow": ("**", "power"),
    "lshift": ("<<", "left_shift"),
    "rshift": (">>", "right_shift"),
    "and": ("&", "bitwise_and"),
    "xor": ("^", "bitwise_xor"),
    "or": ("|", "bitwise_or"),
}
"""The operators that have a reflected one: method -> symbol, function."""

COMPARISONS: Final = {
    "eq": ("==", "equal"),
    "ne": ("!=", "not_equal"),
    "lt": ("<", "less"),
    "le": ("<=", "less_equal"),
    "gt": (">", "greater"),
    "ge": (">=", "greater_equal"),
}
"""The comparisons: method -> symbol, function; Python mirrors them itself."""

UNARY: Final = {"neg": "negative", "pos": "positive", "abs": "abs", "invert": "bitwise_not"}
"""The operators of one array: method -> function."""


def _deferred(symbol: str, self: Any, other: Any, reflected: bool) -> Any:
    """What Python does with an operand that JAX's operators do not know.

    Raises:
        DtypeError: TypeError, as Python does.
    """
    if symbol == "==" and not isinstance(other, tuple | list):
        return False  # Python compares the identities
    if symbol == "!=" and not isinstance(other, tuple | list):
        return True
    if isinstance(other, str | bytes):
        repeats = symbol == "*" and not (isinstance(self, ShapedArray) and self.shape)
        if repeats or (symbol == "%" and reflected):  # a 0-d integer array repeats it; any array is formatted
            return UNKNOWN
    what = "None" if other is None else type(other).__name__
    sides = f"{what} and {self}" if reflected else f"{self} and {what}"
    hint = "make an array of it first" if isinstance(other, tuple | list) else "it has to be an array or a number"
    raise DtypeError(f"unsupported operand types for {symbol}: {sides}; {hint}")


def _enter(method: str, symbol: str, function: str, reflected: bool = False) -> None:
    def operator(cx: Context, self: Any, other: Any, /) -> Any:
        if other is UNKNOWN and symbol in ("==", "!="):  # of None too these give an answer, and no array
            return UNKNOWN
        if not (other is UNKNOWN or is_array(other) or is_python_scalar(other)):
            return _deferred(symbol, self, other, reflected)
        apply = RULES[f"numpy.{function}"].function
        return apply(cx, other, self) if reflected else apply(cx, self, other)

    register(f"Array.__{method}__", operator)


for _method, (_symbol, _function) in ARITHMETIC.items():
    _enter(_method, _symbol, _function)
    _enter(f"r{_method}", _symbol, _function, reflected=True)
for _method, (_symbol, _function) in COMPARISONS.items():
    _enter(_method, _symbol, _function)
for _method, _function in UNARY.items():
    register(f"Array.__{_method}__", RULES[f"numpy.{_function}"].function)
