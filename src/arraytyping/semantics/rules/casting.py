"""Which dtypes cast to which, as `numpy.can_cast` says: NumPy's own table, and what ml_dtypes registers.

The same for NumPy 2.0 to 2.4.  Between integers under a byte and ml_dtypes' floats the releases of ml_dtypes differ
(0.5.0 to 0.5.3 against 0.5.4 and later), so nothing is said of these.

Source: https://numpy.org/doc/stable/reference/generated/numpy.can_cast.html and
https://github.com/jax-ml/ml_dtypes/tree/main/ml_dtypes/_src; the tests compare every pair.
"""

from __future__ import annotations

from typing import Final, Literal

from arraytyping.scalars import COMPLEXES, FLOAT4, FLOAT6, FLOAT8, KINDS, SMALL_FLOATS, bits

__all__ = ["CASTINGS", "Casting", "can_cast"]

Casting = Literal["no", "equiv", "safe", "same_kind", "unsafe"]
CASTINGS: Final = ("no", "equiv", "safe", "same_kind", "unsafe")
"""The values of the parameter `casting`, from the strictest."""

_SUB_BYTE: Final = ("uint1", "uint2", "uint4", "int1", "int2", "int4")
_ML_FLOATS: Final = (*SMALL_FLOATS, "bfloat16")
_KIND_ORDER: Final = "buifc"

_EXCHANGED: Final = frozenset((*FLOAT4, *FLOAT6, *FLOAT8)) - {"float8_e8m0fnu", "float8_e5m2"}
"""The floats under 16 bits that NumPy holds to cast safely to each other, whatever they lose."""

_NUMPY_SAFE: Final[dict[str, tuple[str, ...]]] = {
    # From an integer to the floats; between integers, floats and complexes the width decides.
    "uint8": ("float16", "float32", "float64", "complex64", "complex128"),
    "int8": ("float16", "float32", "float64", "complex64", "complex128"),
    "uint16": ("float32", "float64", "complex64", "complex128"),
    "int16": ("float32", "float64", "complex64", "complex128"),
    "uint32": ("float64", "complex128"),
    "int32": ("float64", "complex128"),
    "uint64": ("float64", "complex128"),
    "int64": ("float64", "complex128"),
}


def can_cast(source: str, target: str, casting: Casting) -> bool | None:
    """Whether a dtype casts to another; None where the releases of ml_dtypes differ."""
    if source == target:
        return True
    if casting in ("no", "equiv"):
        return False
    if source == "bool":
        return True
    if {source, target} & {*_SUB_BYTE} and {source, target} & {*_ML_FLOATS}:
        return None
    if casting == "safe" or source in _SUB_BYTE:
        # NumPy knows no kind of the integers under a byte; they cast as far as is safe, or to NumPy's own types.
        return _safe(source, target) or (casting == "unsafe" and target not in _SUB_BYTE)
    if casting == "same_kind":
        return _safe(source, target) or _same_kind(source, target)
    return not ("float8_e8m0fnu" in (source, target) and {source, target} <= {*SMALL_FLOATS})


def _safe(source: str, target: str) -> bool:
    if source in _ML_FLOATS:
        if target in _ML_FLOATS:
            return source in _EXCHANGED and target in _EXCHANGED
        return target in ("float32", "float64", *COMPLEXES)
    if target in _ML_FLOATS:
        return source in ("uint8", "int8")
    if source in _SUB_BYTE and target not in _SUB_BYTE:
        return target != "bool" and (KINDS[source] == "u" or KINDS[target] != "u")
    a, b = KINDS[source], KINDS[target]
    if a == b:
        return bits(source) < bits(target)
    if (a, b) == ("u", "i"):
        return bits(source) < bits(target) and source not in _SUB_BYTE
    if (a, b) == ("f", "c"):
        return 2 * bits(source) <= bits(target)
    return target in _NUMPY_SAFE.get(source, ())


def _same_kind(source: str, target: str) -> bool:
    if source in _ML_FLOATS:
        if source == "float8_e5m2":
            return target in _EXCHANGED or target in ("bfloat16", "float16")
        if source == "bfloat16":
            return target in _EXCHANGED or target == "float8_e8m0fnu"
        return target == "bfloat16"
    if target in _ML_FLOATS:
        return not (KINDS[source] == "c" and target == "float8_e5m2")
    if target in _SUB_BYTE:
        return True
    return _KIND_ORDER.index(KINDS[source]) <= _KIND_ORDER.index(KINDS[target])
