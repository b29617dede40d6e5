"""Names of dtypes as NumPy's dtypes, and back.

Source: https://docs.jax.dev/en/latest/jax.dtypes.html; ml_dtypes, https://github.com/jax-ml/ml_dtypes.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import ml_dtypes
import numpy as np

from arraytyping import config
from arraytyping.scalars import ABSTRACT, KINDS, bits

__all__ = [
    "canonicalize_dtype",
    "dtype_name_of",
    "float0",
    "itemsize_bits",
    "limits_of",
    "np_class",
    "np_dtype",
    "scalar_type_of",
]

float0: Final = np.dtype([("float0", np.void, 0)])
"""The dtype of the tangents of integers and bools, which holds nothing."""


@cache
def np_dtype(name: str) -> np.dtype[Any]:
    """NumPy's dtype of this name; of the narrow ones, ml_dtypes'."""
    return np.dtype(getattr(ml_dtypes, name)) if hasattr(ml_dtypes, name) else np.dtype(name)


@cache
def dtype_name_of(dtype: np.dtype[Any]) -> str | None:
    """The name of a NumPy dtype as an abstract value holds it, whatever its byte order; None if JAX has none such."""
    return dtype.name if dtype.name in KINDS else None


@cache
def limits_of(dtype: str) -> Any:
    """What `iinfo` says of an integer dtype, or `finfo` of a floating one: its bits, least and greatest numbers."""
    info: Any = ml_dtypes.iinfo if KINDS[dtype] in "iu" else ml_dtypes.finfo
    return info(np_dtype(dtype))


def np_class(scalar: str) -> type[Any]:
    """NumPy's class of the name of a scalar type, which may be one that stands for several dtypes."""
    if scalar in ABSTRACT:
        found: type[Any] = getattr(np, scalar)
        return found
    return np_dtype("bool" if scalar == "bool_" else scalar).type


def canonicalize_dtype(dtype: Any, allow_extended_dtype: bool = False) -> np.dtype[Any]:
    """The dtype that arrays have for which this one is asked: one of 32 bits for one of 64, unless x64 is on.

    Raises:
        TypeError: for what is no dtype of NumPy.
    """
    kind = None if isinstance(dtype, type) else getattr(dtype, "type", None)
    if allow_extended_dtype and isinstance(kind, type) and kind.__module__.startswith("arraytyping."):
        return dtype  # type: ignore[no-any-return]  # of keys
    given = np.dtype(dtype)
    name = dtype_name_of(given)
    return given if name is None else np_dtype(config.promotion().canonicalize(name))


def itemsize_bits(dtype: Any) -> int:
    """The bits of one element.

    Raises:
        TypeError: for what is no dtype of JAX.
    """
    name = dtype_name_of(np.dtype(dtype))
    if name is None:
        raise TypeError(f"{dtype!r} is no dtype of JAX; give one such as float32 or 'float32'")
    return bits(name)


def scalar_type_of(x: Any) -> type[bool | int | float | complex]:
    """The Python type of the elements of an array, a scalar, or of what has a dtype.

    Raises:
        TypeError: if it is of no dtype of JAX.
    """
    try:
        name = dtype_name_of(np.dtype(x.dtype) if hasattr(x, "dtype") else np.asarray(x).dtype)
    except TypeError:  # NumPy takes it for nothing that it knows
        name = None
    if name is None:
        raise TypeError(f"{x!r:.60} has no dtype of JAX")
    return {"b": bool, "u": int, "i": int, "f": float, "c": complex}[KINDS[name]]
