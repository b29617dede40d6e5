"""Samples without their trend: the mean, or lines that are fitted piece by piece.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.scipy.signal.detrend.html.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from arraytyping.lax import Precision
from arraytyping.numpy import arange, matmul, mean, moveaxis, ones, stack
from arraytyping.numpy.conversion import asarray
from arraytyping.numpy.linalg import lstsq
from arraytyping.numpy.promoting import promoted_inexact
from arraytyping.runtime.array_likes import materialized

__all__ = ["detrend"]


def _without_line(x: Any) -> Any:
    """The columns less the lines that fit them best."""
    n, dtype = x.shape[0], x.dtype
    lines = stack([ones(n, dtype), arange(1, n + 1, dtype=dtype) / asarray(n, dtype)], 1)
    slopes, *_ = lstsq(lines, x)
    return x - matmul(lines, slopes, precision=Precision.HIGHEST)


def detrend(data: Any, axis: int = -1, type: str = "linear", bp: Any = 0, overwrite_data: None = None) -> Any:
    """`jax.scipy.signal.detrend`: the samples along an axis less their mean, or less lines that break at `bp`.

    Raises:
        NotImplementedError: if the data are to be overwritten.
        ValueError: for an unknown trend, and for breaks outside of the samples.
    """
    if overwrite_data is not None:
        raise NotImplementedError("overwrite_data argument not implemented.")
    if type not in ("constant", "linear"):
        raise ValueError("Trend type must be 'linear' or 'constant'.")
    (x,) = promoted_inexact(asarray(data))
    x = materialized(x)
    if type == "constant":
        return x - mean(x, axis=axis, keepdims=True)
    n = x.shape[axis]
    breaks = sorted({0, n, *(int(i) for i in np.ravel(bp))})
    if breaks[0] < 0 or breaks[-1] > n:
        raise ValueError("Breakpoints must be non-negative and less than length of data along given axis.")
    columns = moveaxis(x, axis, 0)
    shape = columns.shape
    columns = columns.reshape(n, -1)
    for start, end in pairwise(breaks):
        columns = columns.at[start:end].set(_without_line(columns[start:end]))
    return moveaxis(columns.reshape(shape), 0, axis)
