"""Decompositions of matrices, and what follows from singular values: `jax.numpy.linalg`.

Source: https://docs.jax.dev/en/latest/jax.numpy.linalg.html; `jax/_src/numpy/linalg.py`.
"""

from __future__ import annotations

import functools
import math
from typing import Any, NamedTuple

from arraytyping.numpy.arithmetic import add, divide, multiply, subtract
from arraytyping.numpy.choosing import where
from arraytyping.numpy.comparing import isnan
from arraytyping.numpy.contractions import matmul
from arraytyping.numpy.norms import norm
from arraytyping.numpy.parts import abs as absolute, conjugated, sign as sign_of
from arraytyping.numpy.permuting import matrices_transposed
from arraytyping.numpy.promoting import promoted_inexact
from arraytyping.numpy.reductions import amax, any as any_of, sum as total
from arraytyping.numpy.selecting import take_along_axis
from arraytyping.numpy.solving import inv
from arraytyping.numpy.sorting import sorted_along
from arraytyping.runtime.array_likes import array_from, convert_to, materialized
from arraytyping.runtime.calling import operation
from arraytyping.runtime.lax import linalg as lax
from arraytyping.runtime.lax.creation import iota_of, zeros_of
from arraytyping.runtime.lax.slicing import rev_p
from arraytyping.runtime.lax.structure import reshape
from arraytyping.runtime.np_dtypes import limits_of
from arraytyping.runtime.transformations.custom_rules import custom_jvp
from arraytyping.runtime.transformations.jit import jit
from arraytyping.semantics.avals import ShapedArray

__all__ = ["cholesky", "cond", "eigh", "eigvalsh", "lstsq", "matrix_rank", "pinv", "qr", "svd", "svdvals"]


class EighResult(NamedTuple):
    """Eigenvalues, ascending, and eigenvectors in columns."""

    eigenvalues: Any
    eigenvectors: Any


class QRResult(NamedTuple):
    """Orthonormal columns, and an upper triangle."""

    Q: Any
    R: Any


class SVDResult(NamedTuple):
    """Left singular vectors in columns, singular values, descending, and right singular vectors in rows."""

    U: Any
    S: Any
    Vh: Any


def _adjoint(x: Any) -> Any:
    return conjugated(matrices_transposed(x))


def _product(*factors: Any) -> Any:
    return functools.reduce(lambda a, b: matmul(a, b, precision="highest"), factors)


@jit(static_argnames=("upper", "symmetrize_input"))
def cholesky(a: Any, *, upper: bool = False, symmetrize_input: bool = True) -> Any:
    """The triangle whose product with its adjoint is a positive definite matrix: `jax.numpy.linalg.cholesky`."""
    (x,) = promoted_inexact(a)
    factor = lax.cholesky(x, symmetrize_input=symmetrize_input)
    return _adjoint(factor) if upper else factor


@jit(static_argnames=("UPLO", "symmetrize_input"))
def eigh(a: Any, UPLO: str | None = None, symmetrize_input: bool = True) -> EighResult:
    """The eigenvalues and eigenvectors of Hermitian matrices: `jax.numpy.linalg.eigh`.

    Raises:
        ValueError: if `UPLO`, the triangle that is read, is neither "L" nor "U".
    """
    if UPLO not in (None, "L", "U"):
        raise ValueError(f'eigh: UPLO is "L" or "U", got {UPLO!r}')
    (x,) = promoted_inexact(a)
    vectors, values = lax.eigh(x, lower=UPLO != "U", symmetrize_input=symmetrize_input)
    return EighResult(values, vectors)


@jit(static_argnames=("UPLO", "symmetrize_input"))
def eigvalsh(a: Any, UPLO: str | None = "L", *, symmetrize_input: bool = True) -> Any:
    """The eigenvalues of Hermitian matrices: `jax.numpy.linalg.eigvalsh`."""
    return eigh(a, UPLO, symmetrize_input=symmetrize_input).eigenvalues


@jit(static_argnames=("mode",))
def qr(a: Any, mode: str = "reduced") -> Any:
    """Orthonormal columns and an upper triangle, whose product is the matrix: `jax.numpy.linalg.qr`.

    Raises:
        ValueError: for an unknown mode.
        NotImplementedError: for the mode `raw`.
    """
    if mode == "raw":
        raise NotImplementedError("qr: mode 'raw' is not implemented; use 'reduced', 'complete' or 'r'")
    if mode not in ("reduced", "r", "full", "complete"):
        raise ValueError(f"qr: the mode is 'reduced', 'complete' or 'r', got {mode!r}")
    (x,) = promoted_inexact(a)
    q, r = lax.qr(x, pivoting=False, full_matrices=mode == "complete")
    return r if mode == "r" else QRResult(q, r)


def _hermitian_svd(x: Any, compute_uv: bool) -> Any:
    vectors, values = lax.eigh(x)
    last = len(values.aval.shape) - 1
    size, sign = absolute(values), sign_of(values)
    if not compute_uv:
        return rev_p.bind(sorted_along([size], last)[0], dimensions=(last,))
    places = iota_of("int32", size.aval.shape, last)
    size, places, sign = (rev_p.bind(v, dimensions=(last,)) for v in sorted_along([size, places, sign], last))
    left = take_along_axis(vectors, reshape(places, (*places.aval.shape[:-1], 1, places.aval.shape[-1])), -1)
    signs = convert_to(reshape(sign, (*sign.aval.shape[:-1], 1, sign.aval.shape[-1])), left.aval.dtype)
    return SVDResult(left, size, _adjoint(multiply(left, signs)))


@jit(static_argnames=("full_matrices", "compute_uv", "hermitian", "subset_by_index"))
def svd(
    a: Any, full_matrices: bool = True, compute_uv: bool = True, hermitian: bool = False,
    subset_by_index: tuple[int, int] | None = None,
) -> Any:  # fmt: skip
    """The singular value decomposition, or the singular values alone: `jax.numpy.linalg.svd`."""
    (x,) = promoted_inexact(a)
    if hermitian:
        return _hermitian_svd(x, compute_uv)
    result = lax.svd(x, full_matrices=full_matrices, compute_uv=compute_uv, subset_by_index=subset_by_index)
    return SVDResult(*result) if compute_uv else result


def svdvals(x: Any, /) -> Any:
    """The singular values, descending: `jax.numpy.linalg.svdvals`."""
    return svd(x, compute_uv=False)


def _epsilon(x: Any) -> float:
    return float(limits_of(x.aval.dtype).eps)


@jit(static_argnames=("hermitian",))
def _rank(M: Any, rtol: Any, hermitian: bool) -> Any:
    (x,) = promoted_inexact(M)
    if len(x.aval.shape) < 2:
        return convert_to(any_of(x != 0), "int32")
    values = svd(x, full_matrices=False, compute_uv=False, hermitian=hermitian)
    if rtol is None:
        many = max(x.aval.shape[-2:])
        rtol = multiply(amax(values, axis=-1), many * _epsilon(values))
    bound = reshape(rtol, (*rtol.aval.shape, 1))
    return total(values > bound, axis=-1)


def matrix_rank(M: Any, rtol: Any = None, *, hermitian: bool = False, tol: Any = None) -> Any:
    """How many singular values are greater than a bound: `jax.numpy.linalg.matrix_rank`.

    Raises:
        ValueError: if both `tol` and `rtol` are given.
    """
    if tol is not None and rtol is not None:
        raise ValueError("matrix_rank: only one of tol or rtol may be specified.")
    bound = tol if rtol is None else rtol
    return _rank(M, None if bound is None else materialized(array_from(bound)), hermitian)


@functools.cache
def _pseudo_inverse(hermitian: bool) -> Any:
    """The pseudo-inverse as a function of the matrix and the bound, with its own derivative."""

    @custom_jvp
    def function(a: Any, rtol: Any) -> Any:
        x = conjugated(a)
        left, values, right = svd(x, full_matrices=False, hermitian=hermitian)
        bound = reshape(rtol, (*(1,) * (len(values.aval.shape) - 1 - len(rtol.aval.shape)), *rtol.aval.shape, 1))
        values = where(values > multiply(bound, values[..., 0:1]), values, math.inf)
        values = convert_to(reshape(values, (*values.aval.shape, 1)), left.aval.dtype)
        inverse = _product(matrices_transposed(right), divide(matrices_transposed(left), values))
        return convert_to(inverse, x.aval.dtype)

    @function.defjvp
    def jvp(primals: Any, tangents: Any) -> tuple[Any, Any]:
        (a, rtol), (da, _) = primals, tangents
        p = function(a, rtol)
        if hermitian:
            a, da = (divide(add(v, _adjoint(v)), 2) for v in (a, da))
        is_wide = a.aval.shape[-2] < a.aval.shape[-1]  # the smaller of the two square products comes first

        def triple(x: Any, y: Any, z: Any) -> Any:
            return _product(x, _product(y, z)) if is_wide else _product(x, y, z)

        s, t = triple(p, _adjoint(p), _adjoint(da)), triple(_adjoint(da), _adjoint(p), p)
        change = subtract(add(s, t), triple(p, da, p))
        return p, subtract(change, add(triple(s, a, p), triple(p, a, t)))

    return function


@jit(static_argnames=("hermitian",))
def _pinv(a: Any, rtol: Any, hermitian: bool) -> Any:
    (x,) = promoted_inexact(a)
    *lead, m, n = x.aval.shape
    if not m or not n:
        return zeros_of(ShapedArray((*lead, n, m), x.aval.dtype, False))
    if rtol is None:
        rtol = materialized(array_from(10.0 * max(m, n) * _epsilon(x)))
    return _pseudo_inverse(hermitian)(convert_to(x, x.aval.dtype), rtol)


def pinv(a: Any, rtol: Any = None, hermitian: bool = False, *, rcond: Any = None) -> Any:
    """The pseudo-inverse, by the singular values that are greater than a bound: `jax.numpy.linalg.pinv`.

    Raises:
        ValueError: if both `rtol` and `rcond` are given.
    """
    if rtol is not None and rcond is not None:
        raise ValueError("pinv: only one of rtol and rcond may be specified.")
    bound = rcond if rtol is None else rtol
    return _pinv(a, None if bound is None else materialized(array_from(bound)), hermitian)


@operation("numpy.linalg.lstsq", "a", "b", "rcond")
def _least_squares(a: Any, b: Any, rcond: Any = None) -> Any:
    a, b = promoted_inexact(a, b)
    vector = len(b.aval.shape) == 1
    right = reshape(b, (*b.aval.shape, 1)) if vector else b
    m, n = a.aval.shape
    if not m or not n:
        nothing = ShapedArray((n, right.aval.shape[1]), a.aval.dtype, False)
        x = zeros_of(nothing)
        values, rank = zeros_of(ShapedArray((0,), a.aval.dtype, False)), array_from(0)
        residual = norm(subtract(right, _product(a, x)), axis=0) ** 2
        return (reshape(x, (n,)) if vector else x), residual, materialized(rank), values
    left, values, rows = svd(a, full_matrices=False)
    if rcond is None:
        bound: Any = _epsilon(a) * max(m, n)
    else:
        bound = where(rcond < 0, _epsilon(a), rcond)
    kept = (values > 0) & (values >= multiply(bound, values[0]))
    rank = total(kept)
    safe = convert_to(where(kept, values, 1), a.aval.dtype)
    inverse = where(kept, divide(1, safe), 0)[:, None]
    x = _product(_adjoint(rows), multiply(inverse, _product(_adjoint(left), right)))
    residual = norm(subtract(right, _product(a, x)), axis=0) ** 2
    return (reshape(x, (n,)) if vector else x), residual, rank, values


@operation("numpy.linalg.lstsq", "a", "b", "rcond", how="inline")
def lstsq(a: Any, b: Any, rcond: Any = None, *, numpy_resid: bool = False) -> Any:
    """The x for which a @ x is nearest to b, the squared distance, rank, singular values: `jax.numpy.linalg.lstsq`.

    With `numpy_resid` the distance is left out, as in NumPy, where the rank is not full.
    """
    solution, residual, rank, values = _least_squares(a, b, rcond)
    if numpy_resid:
        m, n = a.aval.shape
        if int(rank) < n or m <= n:
            residual = residual[:0]
    return solution, residual, rank, values


@operation("numpy.linalg.cond", "x")
def cond(x: Any, p: Any = None) -> Any:
    """The condition numbers of matrices, by a norm: `jax.numpy.linalg.cond`."""
    if p in (None, 2, -2):
        values = svdvals(x)
        greatest, least = values[..., 0], values[..., -1]
        if p != -2:
            return divide(greatest, least)
        result = divide(least, greatest)
    else:
        result = multiply(norm(x, ord=p, axis=(-2, -1)), norm(inv(x), ord=p, axis=(-2, -1)))
    return where(isnan(result) & ~any_of(isnan(x), axis=(-2, -1)), math.inf, result)
