"""Matrices of a special form, made of vectors or of their size, for `arraytyping.scipy.linalg`.

Source: https://docs.jax.dev/en/latest/jax.scipy.html.
"""

from __future__ import annotations

import cmath
from functools import partial
from operator import index
from typing import Any, Final

from arraytyping.nn.operations import composed
from arraytyping.numpy import (
    arange,
    array,
    atleast_1d,
    concatenate,
    conj,
    diag,
    empty_like,
    exp,
    eye,
    flip,
    full as constant,
    minimum,
    ones,
    pad,
    select,
    sqrt,
    vectorize,
    where,
    zeros_like,
)
from arraytyping.numpy.promoting import promoted, promoted_inexact
from arraytyping.runtime.array_likes import array_from, materialized
from arraytyping.runtime.calling import operation
from arraytyping.semantics.rules import scipy_matrices as scipy_matrices  # the definitions

__all__ = [
    "circulant", "companion", "convolution_matrix", "dft", "fiedler", "fiedler_companion", "hadamard", "hankel",
    "helmert", "hilbert", "leslie", "toeplitz",
]  # fmt: skip

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


@operation("scipy.linalg.leslie", "f", "s")
def leslie(f: Any, s: Any) -> Any:
    """`jax.scipy.linalg.leslie`: the matrix of a first row, and of the elements below the diagonal."""

    @partial(vectorize, signature="(n),(m)->(n,n)")
    def of_one(f: Any, s: Any) -> Any:
        births, survivals = promoted(f, s)
        return diag(survivals, k=-1).at[0].set(births)

    return of_one(_vector(f), _vector(s))


def _fiedler_companion(a: Any) -> Any:
    """The five diagonals of one matrix: in even rows to the right, in odd ones to the left."""
    size = len(a) - 1
    if size == 0:
        return empty_like(a, shape=(0, 0))
    a = a / a[0]
    if size == 1:
        return -a[1:].reshape(1, 1)
    i, j = arange(size)[:, None], arange(size)
    is_even = i % 2 == 0
    one, zero = array(1, dtype=a.dtype), array(0, dtype=a.dtype)
    places = [
        (i == 0) & (j == 0), is_even & (j == i + 1), is_even & (i > 0) & (j == i - 1),
        (is_even & (j == i + 2)) | (~is_even & (j == i - 2)) | ((i == 1) & (j == 0)),
    ]  # fmt: skip
    return select(places, [-a[1], -a[minimum(i + 2, size)], -a[minimum(i + 1, size)], one], default=zero)


@operation("scipy.linalg.fiedler_companion", "a")
def fiedler_companion(a: Any) -> Any:
    """`jax.scipy.linalg.fiedler_companion`: another matrix with the roots of a polynomial as eigenvalues."""
    (x,) = promoted_inexact(_vector(a))
    return vectorize(_fiedler_companion, signature="(n)->(m,m)")(x)


@operation("scipy.linalg.convolution_matrix", "a")
def convolution_matrix(a: Any, n: int, mode: str = "full") -> Any:
    """`jax.scipy.linalg.convolution_matrix`: the matrix by which a vector of n elements is convolved with others."""
    vector, columns = materialized(array_from(a)), index(n)
    size = vector.shape[-1]
    widths = [(0, 0)] * (vector.ndim - 1) + [(0, columns - 1)]
    column, row = pad(vector, widths), pad(flip(vector, axis=-1), widths)
    less = min(columns, size) - 1
    before = {"full": 0, "same": less // 2, "valid": less}[mode]
    after = {"full": 0, "same": less - less // 2, "valid": less}[mode]
    rows = size + columns - 1
    return toeplitz(column[..., before : rows - after], row[..., size - 1 - before : rows - before])


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


@operation("scipy.linalg.helmert")
def helmert(n: int, full: bool = False) -> Any:
    """`jax.scipy.linalg.helmert`: orthogonal rows, of which all but the first are left unless it is `full`."""
    i, j = arange(n - 1)[:, None], arange(n)
    count = (i + 1).astype(float)
    root = sqrt(count * (count + 1))
    rows = where(j <= i, 1.0 / root, where(j == i + 1, -count / root, zeros_like(root)))
    return concatenate([constant((1, n), 1.0 / sqrt(n), dtype=rows.dtype), rows]) if full else rows


@operation("scipy.linalg.dft")
def dft(n: int, scale: str | None = None, *, dtype: Any = None) -> Any:
    """`jax.scipy.linalg.dft`: the matrix by which the discrete Fourier transform multiplies."""
    place = arange(n, dtype=complex if dtype is None else dtype)
    matrix = exp(-2j * cmath.pi * place[:, None] * place / n)
    return matrix if scale is None else matrix / (sqrt(n) if scale == "sqrtn" else n)
