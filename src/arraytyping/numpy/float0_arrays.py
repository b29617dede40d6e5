"""Arrays of the dtype float0, which holds nothing, from the functions that make arrays: they are NumPy's, as in JAX.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.jvp.html; `jax/_src/dtypes.py`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from arraytyping.runtime.calling import ON_EXTENDED
from arraytyping.runtime.np_dtypes import float0

__all__: list[str] = []


def _is_float0(value: Any) -> bool:
    return isinstance(value, np.dtype) and value == float0


def _made(function: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    """Nothing in a shape, or in that of an array, where float0 is the dtype."""
    given = inspect.signature(function).bind(*args, **kwargs).arguments
    shape, dtype = given.get("shape"), given.get("dtype")
    if function.rule_name.endswith("_like"):  # type: ignore[attr-defined]
        like = next(iter(given.values()))
        dtype = getattr(like, "dtype", None) if dtype is None else dtype
        shape = like.shape if shape is None and hasattr(like, "shape") else shape
    return np.zeros(shape, float0) if _is_float0(dtype) else NotImplemented


def _kept(function: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    """An array of float0 as it is."""
    return args[0] if _is_float0(getattr(args[0], "dtype", None)) else NotImplemented


for _name in ("zeros", "ones", "empty", "full", "zeros_like", "ones_like", "empty_like", "full_like"):
    ON_EXTENDED.setdefault(f"numpy.{_name}", []).append(_made)
ON_EXTENDED.setdefault("lax.full", []).append(_made)
ON_EXTENDED.setdefault("numpy.asarray", []).append(_kept)
