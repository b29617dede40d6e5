"""Covariances of observations, and their correlations.

Source: https://docs.jax.dev/en/latest/jax.numpy.html; `cov` and `corrcoef` of `jax/_src/numpy/lax_numpy.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arraytyping.numpy.choosing import clip
from arraytyping.numpy.creation import full
from arraytyping.numpy.diagonals import diag
from arraytyping.numpy.elementary import sqrt
from arraytyping.numpy.joining import concatenate
from arraytyping.numpy.means import average
from arraytyping.numpy.promoting import is_complex, one_rank, promoted_inexact
from arraytyping.numpy.reshaping import atleast_2d
from arraytyping.runtime.array_likes import materialized
from arraytyping.runtime.calling import operation
from arraytyping.runtime.lax.complex_numbers import complex_p

__all__ = ["corrcoef", "cov"]


def _variables(x: Any, y: Any, rowvar: bool) -> Any:
    """A row for each variable."""
    arrays = one_rank(*(materialized(a) for a in promoted_inexact(*(v for v in (x, y) if v is not None))))
    first, *rest = arrays
    rows = atleast_2d(first)
    rows = rows.T if not rowvar and first.ndim != 1 else rows
    for a in map(atleast_2d, rest) if rows.shape[0] else ():
        rows = concatenate((rows, a.T if not rowvar and a.shape[0] != 1 else a), axis=0)
    return rows


def _covariance(x: Any, weights: Any, reliabilities: Any, ddof: int) -> Any:
    mean, total = average(x, axis=1, weights=weights, returned=True)
    if weights is None:
        divisor: Any = x.shape[1] - ddof
    elif ddof == 0:
        divisor = total[0]
    elif reliabilities is None:
        divisor = total[0] - ddof
    else:
        divisor = total[0] - ddof * (weights * reliabilities).sum() / total[0]
    x = x - mean[:, None]
    other = x.T if weights is None else (x * weights).T
    return ((x @ other.conj()) / divisor).squeeze()


@operation("numpy.cov", "m", "y", "fweights", "aweights")
def cov(
    m: Any, y: Any = None, rowvar: bool = True, bias: bool = False, ddof: int | None = None, fweights: Any = None,
    aweights: Any = None, dtype: Any = None,
) -> Any:  # fmt: skip
    """`jax.numpy.cov`: the covariances of variables, of which each row (or column) has the observations."""
    x = _variables(m, y, rowvar)
    count = x.shape[1]
    if not x.shape[0]:
        return full((0, 0), 0, dtype=float)
    if not count:
        return full(() if x.shape[0] == 1 else (x.shape[0],) * 2, np.nan, dtype=x.aval.dtype)
    weights = None if fweights is None else abs(fweights)
    reliabilities = None if aweights is None else abs(aweights)
    if reliabilities is not None:
        weights = reliabilities if weights is None else weights * reliabilities
    if dtype is not None:
        x, weights = x.astype(dtype), None if weights is None else weights.astype(dtype)
    return _covariance(x, weights, reliabilities, (0 if bias else 1) if ddof is None else ddof)


@operation("numpy.corrcoef", "x", "y")
def corrcoef(x: Any, y: Any = None, rowvar: bool = True, dtype: Any = None) -> Any:
    """`jax.numpy.corrcoef`: the correlations of variables."""
    c = cov(x, y, rowvar, dtype=dtype)
    if not c.ndim:
        return c / c
    deviation = sqrt(diag(c).real).astype(c.aval.dtype)
    c = c / deviation[:, None] / deviation[None, :]
    if is_complex(c):
        return complex_p.bind(clip(c.real, -1, 1), clip(c.imag, -1, 1))
    return clip(c, -1, 1)
