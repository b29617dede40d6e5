"""NumPy 1: a scalar's value decides what it promotes to, next to an array of its category or a higher one.

Next to an array, a Python scalar, a NumPy scalar and a 0-d array all count with the narrowest dtype that holds their
value, unless their category (boolean, integer, inexact) is higher than that of all arrays.  Where no array takes part,
they count with their dtype.  An integer that fits the signed type of the same width counts as either.
A Python int is an int64 by itself, as it was everywhere but on Windows.

Sources: https://numpy.org/doc/1.26/reference/generated/numpy.result_type.html; NEP 50,
https://numpy.org/neps/nep-0050-scalar-promotion.html, whose table compares it with NumPy 2.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from arraytyping.scalars import KINDS, bits
from arraytyping.semantics.promotion.jax import WEAK, PromotionError
from arraytyping.semantics.promotion.system import PUBLISHED
from arraytyping.semantics.promotion.table_system import TableSystem
from arraytyping.semantics.promotion.tables import NUMPY, literal

__all__ = ["NumPyLegacy", "NumPyScalar", "PythonScalar", "min_scalar_type", "numpy_legacy"]

PythonScalar = bool | int | float | complex

_CELLS: Final = literal(NUMPY)
_CATEGORIES: Final = {"b": 0, "u": 1, "i": 1, "f": 2, "c": 2}
_HALF: Final = 65000.0
_SINGLE: Final = 3.4e38


@dataclass(frozen=True, slots=True)
class NumPyScalar:
    """A NumPy scalar, or a 0-d array, with its value: `NumPyScalar("int8", 0)` is `np.int8(0)`."""

    dtype: str
    value: PythonScalar


Operand = str | NumPyScalar | PythonScalar
"""The dtype of an array with dimensions, or a scalar."""


def min_scalar_type(scalar: NumPyScalar | PythonScalar) -> str:
    """The narrowest dtype that holds a value, as `numpy.min_scalar_type`; it never leaves the scalar's kind.

    The bounds of float16 and float32 are NumPy's own, a little below their greatest values.

    Raises:
        PromotionError: for an integer outside of 64 bits, which NumPy keeps as a Python object.
    """
    dtype = _dtype(scalar)
    value = scalar.value if isinstance(scalar, NumPyScalar) else scalar
    kind = KINDS[dtype]
    if kind in "ui" and not isinstance(value, complex):
        whole = int(value)
        if whole >= 0:
            return next(f"uint{n}" for n in (8, 16, 32, 64) if whole < 2**n)
        return next(f"int{n}" for n in (8, 16, 32, 64) if whole >= -(2 ** (n - 1)))
    if kind == "f" and not isinstance(value, complex):
        if not math.isfinite(value) or abs(value) < _HALF or dtype == "float16":
            return "float16"
        return "float32" if abs(value) < _SINGLE or dtype == "float32" else "float64"
    if kind == "c":
        number = complex(value)
        within = abs(number.real) < _SINGLE and abs(number.imag) < _SINGLE
        return "complex64" if within or dtype == "complex64" else "complex128"
    return dtype


def _dtype(operand: Operand) -> str:
    """The dtype that an operand has by itself."""
    if isinstance(operand, str):
        return operand
    if isinstance(operand, NumPyScalar):
        return operand.dtype
    if isinstance(operand, bool):
        return "bool"
    if isinstance(operand, int):
        if -(2**63) <= operand < 2**64:
            return "int64" if operand < 2**63 else "uint64"
        raise PromotionError(f"{operand} has more than 64 bits; NumPy 1 makes an array of objects of it", ("int",))
    return "float64" if isinstance(operand, float) else "complex128"


def _promote(a: tuple[str, bool], b: tuple[str, bool]) -> tuple[str, bool]:
    """What two dtypes promote to; the flag says of an unsigned one that its value fits the signed one as well."""
    (one, one_small), (two, two_small) = a, b
    if one_small and not two_small and KINDS[two] not in "bu":
        one = one.removeprefix("u")
    if two_small and not one_small and KINDS[one] not in "bu":
        two = two.removeprefix("u")
    return _CELLS[one, two], one_small and two_small


class NumPyLegacy(TableSystem):
    """NumPy 1; its table is for small values, and `result_type` is for given ones."""

    def result_type(self, *operands: Operand) -> str:
        """The dtype for arrays, given by their dtypes, and scalars, given by their values.

        Raises:
            PromotionError: for a dtype that NumPy does not have, or an integer outside of 64 bits.
            UnknownDtypeError: for something that is no dtype.
            ValueError: for no operands at all.
        """
        if not operands:
            raise ValueError("at least one array or scalar is required")
        self._check(*(_dtype(o) for o in operands if isinstance(o, str | NumPyScalar)))
        categories = [_CATEGORIES[KINDS[_dtype(o)]] for o in operands]
        arrays = [c for c, o in zip(categories, operands, strict=True) if isinstance(o, str)]
        by_value = bool(arrays) and max(arrays) >= max(categories)
        result, *others = (self._counted(o, by_value=by_value) for o in operands)
        for other in others:
            result = _promote(result, other)
        return result[0]

    def _counted(self, operand: Operand, *, by_value: bool) -> tuple[str, bool]:
        if isinstance(operand, str) or not by_value:
            return _dtype(operand), False
        narrow = min_scalar_type(operand)
        value = operand.value if isinstance(operand, NumPyScalar) else operand
        small = KINDS[narrow] == "u" and not isinstance(value, complex) and value < 2 ** (bits(narrow) - 1)
        return narrow, small


def numpy_legacy() -> NumPyLegacy:
    """NumPy 1, which looks at the values of scalars."""
    nodes = {a for a, _ in _CELLS}
    return NumPyLegacy(
        "numpy-legacy",
        (n for n in PUBLISHED if n in nodes),
        lambda a, b: _CELLS.get((a, b)),
        title="NumPy 1, for values that are small; by value in result_type",
        source="https://numpy.org/doc/1.26/reference/generated/numpy.result_type.html",
        scalars=WEAK,
        columns=PUBLISHED,
    )
