"""Kinds of dtypes as sets of names, and the dtype of another kind in which JAX computes: numeric, inexact, real.

Source: `to_numeric_dtype`, `to_inexact_dtype` and `to_complex_dtype` of
https://github.com/jax-ml/jax/blob/main/jax/_src/dtypes.py.
"""

from __future__ import annotations

from typing import Final

from arraytyping.scalars import COMPLEXES, FLOATS, KINDS, SIGNED, UNSIGNED, bits
from arraytyping.semantics.promotion.jax import NARROW_INTS

__all__ = [
    "ANY_COMPLEX",
    "ANY_FLOAT",
    "ANY_INEXACT",
    "ANY_INTEGER",
    "NARROW_INTEGER",
    "TINY_INTEGER",
    "integer_limits",
    "to_complex",
    "to_inexact",
    "to_numeric",
    "to_real",
]

ANY_INTEGER: Final = frozenset((*UNSIGNED, *SIGNED))
"""The integers; bool is none."""

ANY_FLOAT: Final = frozenset(FLOATS)
"""The real floating types."""

ANY_COMPLEX: Final = frozenset(COMPLEXES)
"""The complex types."""

ANY_INEXACT: Final = ANY_FLOAT | ANY_COMPLEX
"""The floating and complex types."""

NARROW_INTEGER: Final = frozenset(NARROW_INTS)
"""The integers narrower than a byte."""

TINY_INTEGER: Final = frozenset(("uint1", "uint2", "int1", "int2"))
"""The integers of 1 and 2 bits, to which JAX assigns no inexact type."""


def to_numeric(dtype: str) -> str:
    """The dtype for arithmetic that does not take bool: int32 (not the default int) for bool, else the same."""
    return "int32" if dtype == "bool" else dtype


def to_inexact(dtype: str) -> str:
    """The dtype for functions of real numbers: float32 for bool and integers, float64 for those of 64 bits.

    1-bit and 2-bit integers stay what they are, in JAX too; most of these functions then refuse them.
    """
    if dtype in ("int64", "uint64"):
        return "float64"
    return "float32" if dtype == "bool" or dtype in ANY_INTEGER - TINY_INTEGER else dtype


def to_real(dtype: str) -> str:
    """The dtype of a real or an imaginary part."""
    return {"complex64": "float32", "complex128": "float64"}.get(dtype, dtype)


def to_complex(dtype: str) -> str:
    """The complex dtype whose parts hold numbers of this one: of two doubles for those of 64 bits, else of floats."""
    return "complex128" if to_inexact(dtype) in ("float64", "complex128") else "complex64"


def integer_limits(dtype: str) -> tuple[int, int]:
    """The least and the greatest integer of a dtype."""
    width = bits(dtype)
    return (0, (1 << width) - 1) if KINDS[dtype] == "u" else (-(1 << width - 1), (1 << width - 1) - 1)
