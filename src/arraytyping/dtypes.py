"""Dtype names of the ground floor as NumPy's dtypes, and back.

Source: https://docs.jax.dev/en/latest/jax.dtypes.html; ml_dtypes, https://github.com/jax-ml/ml_dtypes.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import ml_dtypes
import numpy as np

from arraytyping.scalars import KINDS

__all__ = ["dtype_name_of", "np_dtype"]


@cache
def np_dtype(name: str) -> np.dtype[Any]:
    """NumPy's dtype of this name; of the narrow ones, ml_dtypes'."""
    return np.dtype(getattr(ml_dtypes, name)) if hasattr(ml_dtypes, name) else np.dtype(name)


@cache
def dtype_name_of(dtype: np.dtype[Any]) -> str | None:
    """The name of a NumPy dtype as an abstract value holds it, whatever its byte order; None if JAX has none such."""
    return dtype.name if dtype.name in KINDS else None
