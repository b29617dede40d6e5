"""A Python scalar becomes an element of a dtype: which ones NumPy refuses, and what value is stored.

JAX has two ways.  `check_stored` is that of `asarray(1, dtype)` and of lists: NumPy's assignment, which refuses an
int out of range.  `check_filled` is that of `full` and `arange`: ints up to 64 bits wrap.

Source: https://numpy.org/doc/stable/release/2.0.0-notes.html (NEP 50, out-of-bound Python integers), and
`_convert_element_type` of https://github.com/jax-ml/jax/blob/main/jax/_src/lax/lax.py; the tests compare every
dtype with values about its limits.
"""

from __future__ import annotations

import cmath
import math
import struct
from typing import Any, Final

from arraytyping.scalars import KINDS, SMALL_FLOATS, bits
from arraytyping.semantics.avals import Scalar
from arraytyping.semantics.rules.dtype_kinds import integer_limits
from arraytyping.semantics.rules.errors import DtypeError

__all__ = ["check_filled", "check_stored", "stored_value"]

_NARROW_FLOATS: Final = (*SMALL_FLOATS, "bfloat16")
_STRUCT_CODES: Final = {"float16": "e", "float32": "f", "float64": "d"}


def check_stored(operation: str, value: Any, dtype: str) -> None:
    """Check that NumPy assigns a Python scalar to an element of this dtype; only what is known of it counts.

    Raises:
        DtypeError: OverflowError out of range, ValueError for NaN to integer, TypeError for complex to real.
    """
    kind = KINDS[dtype]
    if type(value) is int:
        if kind in "ui":
            # Those under a byte wrap what fits a C long.
            low, high = integer_limits(dtype if bits(dtype) >= 8 else "int64")
            if not low <= value <= high:
                raise _overflow(operation, value, dtype)
        elif kind in "fc":
            _check_float_of_int(operation, value, dtype)
    elif isinstance(value, float) and kind in "ui":
        if math.isnan(value):
            raise DtypeError(f"{operation}: NaN is no {dtype}; convert a float array instead, with astype", ValueError)
        low, high = integer_limits(dtype)
        if math.isinf(value) or not low <= (value if bits(dtype) < 8 else math.trunc(value)) <= high:
            raise _overflow(operation, value, dtype)
    elif _is_complex(value) and kind in "uif":
        raise _complex_to_real(operation, dtype)
    elif isinstance(value, str) and kind != "b":
        _check_read(operation, value, dtype)


def check_filled(operation: str, value: Any, dtype: str, weak_type: bool | None = False) -> None:
    """Check that JAX converts a Python scalar operand to this dtype, wrapping ints of up to 64 bits.

    Raises:
        DtypeError: OverflowError or TypeError for ints past 64 bits, TypeError for complex to real.
    """
    kind = KINDS[dtype]
    if type(value) is int:
        if kind in "ui" and not -(2**63) <= value < 2**64:
            raise _overflow(operation, value, dtype)
        if kind in "fc" and not (0 <= value < 2**64):
            _check_float_of_int(operation, value, dtype)
    elif _is_complex(value) and kind in "uif" and weak_type is False:
        # An infinity or NaN goes to integers another way, which takes it.
        finite = isinstance(value, complex) and cmath.isfinite(value)
        if kind == "f" or finite:
            raise _complex_to_real(operation, dtype)


def stored_value(value: Any, dtype: str | None) -> bool | int | float | complex | None:
    """The value of an element made from a known Python scalar, where it is exactly known, else None."""
    if dtype is None or not isinstance(value, bool | int | float | complex):
        return None
    kind = KINDS[dtype]
    if kind == "b":
        return bool(value)
    if isinstance(value, complex):
        return value if dtype == "complex128" else None
    if kind in "ui":
        if not math.isfinite(value):
            return None
        low, high = integer_limits(dtype)
        return held if low <= (held := math.trunc(value)) <= high else None
    if dtype in _STRUCT_CODES:
        try:
            exact = float(value)
            (rounded,) = struct.unpack(_STRUCT_CODES[dtype], struct.pack(_STRUCT_CODES[dtype], exact))
        except OverflowError:
            return None
        return exact if rounded == exact == value else None
    return None


def _is_complex(value: Any) -> bool:
    return isinstance(value, complex) or (isinstance(value, Scalar) and value.kind == "complex")


def _check_float_of_int(operation: str, value: int, dtype: str) -> None:
    if dtype in _NARROW_FLOATS:
        if not -(2**63) <= value < 2**63:
            raise DtypeError(f"{operation}: the int {value} is too large for {dtype}; give a float", TypeError)
        return
    try:
        float(value)
    except OverflowError:
        raise _overflow(operation, value, dtype) from None


def _check_read(operation: str, text: str, dtype: str) -> None:
    """Check that NumPy reads a number of this dtype out of a string."""
    if dtype in _NARROW_FLOATS or bits(dtype) < 8:
        raise DtypeError(f"{operation}: a string is no {dtype}, got {text!r}; give a number")
    try:
        number = {"f": float, "c": complex}.get(KINDS[dtype], int)(text)
    except ValueError:
        raise DtypeError(f"{operation}: no {dtype} can be read from {text!r}; give a number", ValueError) from None
    check_stored(operation, number, dtype)


def _overflow(operation: str, value: float, dtype: str) -> DtypeError:
    try:
        shown = str(value)
    except ValueError:  # past the limit of digits that Python prints
        shown = "of this size"
    return DtypeError(f"{operation}: the number {shown} is out of range of {dtype}; give a wider dtype", OverflowError)


def _complex_to_real(operation: str, dtype: str) -> DtypeError:
    return DtypeError(f"{operation}: a complex number is no {dtype}; take its .real or .imag first", TypeError)
