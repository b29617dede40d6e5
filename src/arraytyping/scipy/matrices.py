"""Matrices of a special form, made of vectors or of their size, for `arraytyping.scipy.linalg`.

Source: https://docs.jax.dev/en/latest/jax.scipy.html.
"""

from __future__ import annotations

import cmath
from functools import partial
from typing import Any, Final

from arraytyping.nn.operations import composed
from arraytyping.numpy import arange, atleast_1d, concatenate, conj, exp, eye, ones, sqrt, vectorize, zeros_like
from arraytyping.numpy.promoting import promoted, promoted_inexact
from arraytyping.runtime.array_likes import array_from, materialized
from arraytyping.runtime.calling import operation
from arraytyping.semantics.rules import scipy_matrices as scipy_matrices  # the definitions

__all__ = ["circulant", "companion", "dft", "fiedler", "hadamard", "hankel", "hilbert", "toeplitz"]

fiedler: Final = composed("scipy.linalg.fiedler", "a")


def _vector(x: Any) -> Any:
    return atleast_1d(materialized(array_from(x)))


@partial(vectorize, signature="(m),(n)->(m,n)")
def _toeplitz(column: Any, row: Any) -> Any:
    m, n = len(column), len(row)
    elements = concatenate([column[::-1], row[1:]])
    return elements[m - 1 - arange(m)[:, None] + arange(n)]


@partial(vectorize, signature="(m),(n)->(m,n)")
def _hankel(column: Any, row: Any) -> Any:
    return concatenate([column, row[1:]])[arange(len(column))[:, None] + arange(len(row))]


@operation("scipy.linalg.toeplitz", "c", "r")
def toeplitz(c: Any, r: Any = None) -> Any:
    """`jax.scipy.linalg.toeplitz`: the matrix of a first column and row with equal elements along each diagonal."""
    column = _vector(c)
    return _toeplitz(*promoted(column, conj(column) if r is None else _vector(r)))


@operation("scipy.linalg.hankel", "c", "r")
def hankel(c: Any, r: Any = None) -> Any:
    """`jax.scipy.linalg.hankel`: the matrix of first column and last row with equal elements across each diagonal."""
    column = _vector(c)
    return _hankel(*promoted(column, zeros_like(column) if r is None else _vector(r)))


@operation("scipy.linalg.circulant", "c")
def circulant(c: Any) -> Any:
    """`jax.scipy.linalg.circulant`: the square matrix whose columns are those of a vector, each turned by one more."""
    column = _vector(c)
    size = column.shape[-1]
    return column[..., (arange(size)[:, None] - arange(size)) % size]


@operation("scipy.linalg.companion", "a")
def companion(a: Any) -> Any:
    """`jax.scipy.linalg.companion`: the square matrix of the coefficients of a polynomial, of one size less."""
    (x,) = promoted_inexact(_vector(a))

    @partial(vectorize, signature="(n)->(m,m)")
    def of_one(a: Any) -> Any:
        size = len(a) - 1
        return eye(size, k=-1, dtype=a.dtype).at[0].set(-a[1:] / a[0])

    return of_one(x)


@operation("scipy.linalg.hilbert")
def hilbert(n: int) -> Any:
    """`jax.scipy.linalg.hilbert`: the matrix of 1 / (i + j + 1)."""
    place = arange(n, dtype=float)
    return 1 / (place[:, None] + place + 1)


@operation("scipy.linalg.hadamard")
def hadamard(n: int, dtype: Any = int) -> Any:
    """`jax.scipy.linalg.hadamard`: the matrix of 1 and -1 with orthogonal rows, of a power of 2 as its size."""
    matrix = ones((1, 1), dtype=dtype)
    while len(matrix) < n:
        upper, lower = concatenate([matrix, matrix], axis=1), concatenate([matrix, -matrix], axis=1)
        matrix = concatenate([upper, lower])
    return matrix


@operation("scipy.linalg.dft")
def dft(n: int, scale: str | None = None, *, dtype: Any = None) -> Any:
    """`jax.scipy.linalg.dft`: the matrix by which the discrete Fourier transform multiplies."""
    place = arange(n, dtype=complex if dtype is None else dtype)
    matrix = exp(-2j * cmath.pi * place[:, None] * place / n)
    return matrix if scale is None else matrix / (sqrt(n) if scale == "sqrtn" else n)
