"""The least and the greatest elements of dtypes.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.numpy.finfo.html, and iinfo there.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from arraytyping.runtime.np_dtypes import limits_of, np_dtype
from arraytyping.scalars import KINDS
from arraytyping.semantics.rules.dtype_kinds import integer_limits

__all__ = ["extreme"]


@cache
def extreme(dtype: str, *, lowest: bool) -> bool | int | float | complex:
    """The lowest or the highest element: an infinity where there is one; what a maximum or a minimum starts from."""
    kind = KINDS[dtype]
    if kind == "b":
        return not lowest
    if kind in "iu":
        return integer_limits(dtype)[0 if lowest else 1]
    infinity = -np.inf if lowest else np.inf
    if kind == "c":  # in the order of the real parts, then of the imaginary ones
        return complex(infinity, 0)
    with np.errstate(all="ignore"):
        there = float(np.asarray(infinity).astype(np_dtype(dtype)))
    if there == infinity:
        return there
    limits = limits_of(dtype)
    return float(limits.min if lowest else limits.max)
