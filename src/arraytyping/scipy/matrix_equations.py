"""Sylvester's equation, products with a unitary factor, and eigenvalues of three diagonals: of `scipy.linalg`.

Source: https://docs.jax.dev/en/latest/jax.scipy.html; of the equation, R. H. Bartels and G. W. Stewart, "Solution of
the matrix equation AX + XB = C".
"""

from __future__ import annotations

import math
from functools import partial
from typing import Any

from arraytyping import lax, numpy as jnp
from arraytyping.numpy.conversion import asarray
from arraytyping.numpy.promoting import is_complex, promoted_inexact
from arraytyping.runtime import whole as whole
from arraytyping.runtime.array_likes import materialized
from arraytyping.runtime.calling import operation
from arraytyping.scipy.matrix_functions import schur
from arraytyping.semantics.rules import scipy_matrix_equations as scipy_matrix_equations  # the definitions

__all__ = ["eigh_tridiagonal", "qr_multiply", "solve_sylvester"]


def _inexact(*xs: Any) -> list[Any]:
    return [materialized(x) for x in promoted_inexact(*map(asarray, xs))]


def _adjoint(x: Any) -> Any:
    return jnp.conj(x.T)


def _of_triangles(r: Any, s: Any, f: Any) -> Any:
    """The matrix Y with R Y + Y S = F, of an upper R and a lower S, from the last column to the first."""
    count = s.shape[0]
    one = jnp.eye(r.shape[0], dtype=r.dtype)

    def column(step: Any, y: Any) -> Any:
        j = count - 1 - step
        right = f[:, j] - y @ s[:, j]  # the columns that are not known yet are 0
        solved = lax.linalg.triangular_solve(r + s[j, j] * one, right[:, None], left_side=True)
        return y.at[:, j].set(solved[:, 0])

    return lax.fori_loop(0, count, column, jnp.zeros_like(f))


def _sylvester(a: Any, b: Any, c: Any, tol: Any, *, method: str) -> Any:
    if method == "schur":
        r, u = schur(a, "complex")
        s, v = schur(_adjoint(b), "complex")
        x = u @ _of_triangles(r, _adjoint(s), _adjoint(u) @ c.astype(r.dtype) @ v) @ _adjoint(v)
    else:
        (of_a, u), (of_b, v) = jnp.linalg.eig(a), jnp.linalg.eig(b)
        inner = jnp.linalg.solve(u, c.astype(of_a.dtype) @ v) / (of_a[:, None] + of_b)
        x = u @ inner @ jnp.linalg.inv(v)
    if not is_complex(c):
        x = x.real
    sums = jnp.linalg.eigvals(a)[:, None] + jnp.linalg.eigvals(b)
    return jnp.where(jnp.any(jnp.abs(sums) < tol), jnp.zeros_like(x) * math.nan, x)


@operation("scipy.linalg.solve_sylvester")
def solve_sylvester(A: Any, B: Any, C: Any, *, method: str = "schur", tol: float = 1e-8) -> Any:
    """`jax.scipy.linalg.solve_sylvester`: the matrix X with A X + X B = C.

    It is NaN where an eigenvalue of A and one of B sum to less than `tol`.
    """
    solve = partial(_sylvester, method=method)
    return jnp.vectorize(solve, signature="(m,m),(n,n),(m,n),()->(m,n)")(*_inexact(A, B, C), tol)


@operation("scipy.linalg.qr_multiply")
def qr_multiply(
    a: Any, c: Any, mode: str = "right", pivoting: bool = False, conjugate: bool = False, overwrite_a: bool = False,
    overwrite_c: bool = False,
) -> Any:  # fmt: skip
    """`jax.scipy.linalg.qr_multiply`: a matrix multiplied by the unitary factor of another, and the triangular one."""
    matrix, multiplied = _inexact(a, c)
    is_row = multiplied.ndim == 1
    if is_row:
        multiplied = multiplied[:, None] if mode == "left" else multiplied[None, :]
    q, *rest = lax.linalg.qr(matrix, pivoting=bool(pivoting), full_matrices=False)
    if conjugate:
        q = jnp.conj(q)
    product = jnp.matmul(*((q, multiplied) if mode == "left" else (multiplied, q)), precision="highest")
    lead = product.shape[:-2]
    factors = [jnp.broadcast_to(x, (*lead, *x.shape[len(x.shape) - rank :])) for x, rank in zip(rest, (2, 1))]
    return (product.ravel() if is_row else product, *factors)


@operation("scipy.linalg.eigh_tridiagonal")
def eigh_tridiagonal(
    d: Any, e: Any, *, eigvals_only: bool = False, select: str = "a", select_range: tuple[int, int] | None = None,
    tol: Any = None, key: Any = None,
) -> Any:  # fmt: skip
    """`jax.scipy.linalg.eigh_tridiagonal`: the eigenvalues of a matrix of three diagonals, and the eigenvectors.

    They are LAPACK's of the whole matrix, as exact as can be whatever the tolerance is.
    """
    diagonal, beside = asarray(d), asarray(e)
    size = diagonal.shape[0]
    if size < 2:
        values = diagonal.real
        return values if eigvals_only else (values, jnp.eye(size, dtype=diagonal.dtype))
    matrix = jnp.diag(diagonal.real.astype(diagonal.dtype)) + jnp.diag(jnp.conj(beside), -1) + jnp.diag(beside, 1)
    vectors, values = lax.linalg.eigh(matrix, symmetrize_input=False)
    if select == "i" and select_range is not None:
        chosen = jnp.arange(select_range[0], select_range[1] + 1)
        values, vectors = (jnp.take(x, chosen, axis=-1, mode="clip") for x in (values, vectors))
    return values if eigvals_only else (values, vectors)
