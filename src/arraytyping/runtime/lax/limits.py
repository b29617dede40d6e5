"""The least and the greatest elements of dtypes.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.numpy.finfo.html, and iinfo there.
"""

from __future__ import annotations

from functools import cache
from typing import Any, cast

import ml_dtypes
import numpy as np

from arraytyping.runtime.np_dtypes import np_dtype
from arraytyping.scalars import KINDS, bits

__all__ = ["extreme", "integer_limits"]


def integer_limits(dtype: str) -> tuple[int, int]:
    """The least and the greatest integer of a dtype."""
    width = bits(dtype)
    return (0, (1 << width) - 1) if KINDS[dtype] == "u" else (-(1 << width - 1), (1 << width - 1) - 1)


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
    limits = cast(Any, ml_dtypes.finfo)(np_dtype(dtype))
    return float(limits.min if lowest else limits.max)
