"""Covariances of observations, and their correlations.

Source: https://docs.jax.dev/en/latest/jax.numpy.html; `cov` and `corrcoef` of `jax/_src/numpy/lax_numpy.py`.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from arraytyping.numpy.choosing import clip
from arraytyping.numpy.creation import full
from arraytyping.numpy.diagonals import diag
from arraytyping.numpy.elementary import sqrt
from arraytyping.numpy.joining import concatenate
from arraytyping.numpy.means import average
from arraytyping.numpy.promoting import is_complex, promoted_inexact
from arraytyping.numpy.reshaping import atleast_2d
from arraytyping.runtime.array_likes import array_from, materialized
from arraytyping.runtime.lax.complex_numbers import complex_p
from arraytyping.runtime.lax.dtype_arguments import canonical_dtype
from arraytyping.runtime.transformations.jit import jit
from arraytyping.scalars import KINDS

__all__ = ["corrcoef", "cov"]


def _inexact(name: str, dtype: Any) -> str | None:
    """The dtype that is asked for; None for none."""
    if dtype is None:
        return None
    chosen = canonical_dtype(dtype, name)
    if KINDS[chosen] not in "fc":
        raise ValueError(f"{name}: dtype must be a subclass of float or complex; got {chosen}")
    return chosen


def _variables(name: str, x: Any, y: Any, rowvar: bool) -> Any:
    """A row for each variable."""
    arrays = [materialized(a) for a in promoted_inexact(*(array_from(v) for v in (x, y) if v is not None))]
    for what, a in zip(("m", "y"), arrays):
        if a.ndim > 2:
            raise ValueError(f"{name}: {what} has more than 2 dimensions: its shape is {a.shape}")
    first, *rest = arrays
    rows = atleast_2d(first)
    rows = rows.T if not rowvar and first.ndim != 1 else rows
    for a in map(atleast_2d, rest):
        rows = concatenate((rows, a.T if not rowvar and a.shape[0] != 1 else a), axis=0)
    return rows


def _weights(name: str, weights: Any, count: int) -> Any:
    given = materialized(array_from(weights))
    if given.ndim > 1:
        raise RuntimeError(f"cov: {name} has more than 1 dimension: its shape is {given.shape}")
    if given.shape[0] != count:
        raise RuntimeError(f"cov: there are {count} samples, and {name} has {given.shape[0]} items")
    return abs(given)


@functools.partial(jit, static_argnames=("ddof",))
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


def cov(
    m: Any, y: Any = None, rowvar: bool = True, bias: bool = False, ddof: int | None = None, fweights: Any = None,
    aweights: Any = None, dtype: Any = None,
) -> Any:  # fmt: skip
    """`jax.numpy.cov`: the covariances of variables, of which each row (or column) has the observations."""
    chosen = _inexact("cov", dtype)
    x = _variables("cov", m, y, rowvar)
    count = x.shape[1]
    if not x.shape[0]:
        return full((0, 0), 0, dtype=float)
    if not count:
        return full(() if x.shape[0] == 1 else (x.shape[0],) * 2, np.nan, dtype=x.aval.dtype)
    weights = reliabilities = None
    if fweights is not None:
        weights = _weights("fweights", fweights, count)
        if KINDS[weights.aval.dtype] not in "iu":
            raise TypeError(f"cov: fweights must be integers, got {weights.aval.dtype}")
    if aweights is not None:
        reliabilities = _weights("aweights", aweights, count)
        weights = reliabilities if weights is None else weights * reliabilities
    if chosen is not None:
        x, weights = x.astype(chosen), None if weights is None else weights.astype(chosen)
    return _covariance(x, weights, reliabilities, (0 if bias else 1) if ddof is None else ddof)


@jit
def _correlation(c: Any) -> Any:
    if not c.ndim:
        return c / c
    deviation = sqrt(diag(c).real).astype(c.aval.dtype)
    c = c / deviation[:, None] / deviation[None, :]
    if is_complex(c):
        return complex_p.bind(clip(c.real, -1, 1), clip(c.imag, -1, 1))
    return clip(c, -1, 1)


def corrcoef(x: Any, y: Any = None, rowvar: bool = True, dtype: Any = None) -> Any:
    """`jax.numpy.corrcoef`: the correlations of variables."""
    _inexact("corrcoef", dtype)
    return _correlation(cov(x, y, rowvar, dtype=dtype))
