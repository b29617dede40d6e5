"""Matrices of binomial coefficients, made of their size, and their inverses, for `arraytyping.scipy.linalg`.

Source: https://docs.jax.dev/en/latest/jax.scipy.html.
"""

from __future__ import annotations

from typing import Any

from arraytyping import lax
from arraytyping.numpy import arange, dot
from arraytyping.runtime import whole as whole
from arraytyping.runtime.calling import operation
from arraytyping.scipy.gamma_functions import comb
from arraytyping.semantics.rules import scipy_binomials as scipy_binomials  # the definitions

__all__ = ["invhilbert", "invpascal", "pascal"]


def _coefficients(place: Any) -> Any:
    """The number of ways to choose so many as the column says of so many as the row says."""
    row, column = place[:, None], place[None, :]
    lower = lax.lgamma(row + 1.0) - lax.lgamma(row - column + 1.0)
    return lax.exp(lower - lax.lgamma(column + 1.0))


@operation("scipy.linalg.pascal")
def pascal(n: int, kind: str | None = None) -> Any:
    """`jax.scipy.linalg.pascal`: Pascal's triangle as a lower or upper matrix, or the product of both."""
    lower = _coefficients(arange(n, dtype="float32"))
    if kind == "lower":
        return lower
    return lower.T if kind == "upper" else dot(lower, lower.T)


@operation("scipy.linalg.invpascal")
def invpascal(n: int, kind: str | None = None) -> Any:
    """`jax.scipy.linalg.invpascal`: the inverse of Pascal's matrix of the same kind, but for rounding."""
    place = arange(n, dtype=float)
    inverse = (-1.0) ** (place[:, None] - place) * _coefficients(place)
    if kind == "lower":
        return inverse
    return inverse.T if kind == "upper" else dot(inverse.T, inverse)


@operation("scipy.linalg.invhilbert")
def invhilbert(n: int) -> Any:
    """`jax.scipy.linalg.invhilbert`: the inverse of the matrix of 1 / (i + j + 1), but for rounding."""
    place = arange(n, dtype=float)
    i, j = place[:, None], place[None, :]
    s = i + j
    return (-1.0) ** s * (s + 1.0) * comb(n + i, n - j - 1) * comb(n + j, n - i - 1) * comb(s, i) ** 2
