"""The forms of Schur and Hessenberg, and functions of matrices, for `arraytyping.scipy.linalg`.

Source: https://docs.jax.dev/en/latest/jax.scipy.html; of the square root, A. Bjorck and S. Hammarling, "A Schur method
for the square root of a matrix"; of functions, G. H. Golub and C. F. Van Loan, "Matrix Computations", 11.1.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from arraytyping import lax, numpy as jnp
from arraytyping.numpy.conversion import asarray
from arraytyping.numpy.promoting import promoted
from arraytyping.runtime import whole as whole
from arraytyping.runtime.array_likes import materialized
from arraytyping.runtime.calling import operation
from arraytyping.runtime.np_dtypes import np_dtype
from arraytyping.runtime.transformations.differentiation import jvp
from arraytyping.scipy.factorizations import expm
from arraytyping.semantics.rules import scipy_matrix_functions as scipy_matrix_functions  # the definitions
from arraytyping.semantics.rules.scipy_matrix_functions import to_complex

__all__ = ["expm_frechet", "funm", "hessenberg", "rsf2csf", "schur", "sqrtm"]


def _as_complex(x: Any) -> Any:
    return x.astype(np_dtype(to_complex(x.aval.dtype)))


def _adjoint(x: Any) -> Any:
    return jnp.conj(x.T)


@operation("scipy.linalg.schur", "a")
def schur(a: Any, output: str = "real") -> Any:
    """`jax.scipy.linalg.schur`: the form, and the unitary matrix that transforms to it."""
    return lax.linalg.schur(_as_complex(a) if output == "complex" else a)


@operation("scipy.linalg.hessenberg", "a")
def hessenberg(a: Any, *, calc_q: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    """`jax.scipy.linalg.hessenberg`: the form, and the unitary matrix that transforms to it if `calc_q`."""
    if a.shape[-1] == 0:
        return (jnp.zeros_like(a), jnp.zeros_like(a)) if calc_q else jnp.zeros_like(a)
    packed, factors = lax.linalg.hessenberg(a)
    form = jnp.triu(packed, -1)
    if not calc_q:
        return form
    inner = lax.linalg.householder_product(packed[..., 1:, :-1], factors)
    return form, jnp.zeros(a.shape, a.dtype).at[..., 0, 0].set(1).at[..., 1:, 1:].set(inner)


def _root_of_triangle(t: Any) -> Any:
    """The square root of an upper triangular matrix, column by column, each from the diagonal upwards."""
    roots = jnp.sqrt(jnp.diag(t))

    def column(j: Any, u: Any) -> Any:
        def element(step: Any, u: Any) -> Any:
            i = j - 1 - step
            known = dot(u[i], u[:, j])  # what is not computed yet is 0
            value = jnp.where(t[i, j] == known, 0.0, (t[i, j] - known) / (roots[i] + roots[j]))
            return u.at[i, j].set(value)

        return lax.fori_loop(0, j, element, u)

    return lax.fori_loop(0, len(roots), column, jnp.diag(roots))


def dot(a: Any, b: Any) -> Any:
    """The product, as precise as can be."""
    return jnp.matmul(a, b, precision="highest")


@operation("scipy.linalg.sqrtm", "A")
def sqrtm(A: Any, blocksize: int = 1) -> Any:
    """`jax.scipy.linalg.sqrtm`: the square root of a matrix, which is complex."""
    form, vectors = lax.linalg.schur(_as_complex(A))
    return dot(dot(vectors, _root_of_triangle(form)), _adjoint(vectors))


def _without_block(m: Any, t: Any, z: Any) -> tuple[Any, Any]:
    """Both matrices after the rotation of the rows m - 1 and m that makes the element below the diagonal 0."""
    places = jnp.arange(t.shape[0])
    low = t[m, m - 1]
    eigenvalue = jnp.linalg.eigvals(lax.dynamic_slice(t, (m - 1, m - 1), (2, 2)))[0] - t[m, m]
    length = jnp.linalg.norm(jnp.stack([eigenvalue, low])).astype(t.dtype)
    c, s = eigenvalue / length, low / length
    turn = jnp.stack([jnp.stack([jnp.conj(c), s]), jnp.stack([-s, c])])
    rows = lax.dynamic_slice_in_dim(t, m - 1, 2, axis=0)
    rows = jnp.where(places >= m - 1, turn @ rows, rows)
    t = lax.dynamic_update_slice_in_dim(t, rows, m - 1, axis=0)
    columns = lax.dynamic_slice_in_dim(t, m - 1, 2, axis=1)
    columns = jnp.where(places[:, None] < m + 1, columns @ _adjoint(turn), columns)
    t = lax.dynamic_update_slice_in_dim(t, columns, m - 1, axis=1)
    of_z = lax.dynamic_slice_in_dim(z, m - 1, 2, axis=1) @ _adjoint(turn)
    return t, lax.dynamic_update_slice_in_dim(z, of_z, m - 1, axis=1)


def _complex_form(t: Any, z: Any) -> tuple[Any, Any]:
    size = t.shape[0]
    if size == 1:
        return t, z
    epsilon = jnp.finfo(t.dtype).eps

    def step(i: Any, state: Any) -> Any:
        t, z = state
        m = size - i
        is_block = jnp.abs(t[m, m - 1]) > epsilon * (jnp.abs(t[m - 1, m - 1]) + jnp.abs(t[m, m]))
        t, z = lax.cond(is_block, _without_block, lambda m, t, z: (t, z), m, t, z)
        return t.at[m, m - 1].set(0.0), z

    result: tuple[Any, Any] = lax.fori_loop(1, size, step, (t, z))
    return result


@operation("scipy.linalg.rsf2csf")
def rsf2csf(T: Any, Z: Any, check_finite: bool = True) -> Any:
    """`jax.scipy.linalg.rsf2csf`: the complex form of Schur of the real one, and its vectors."""
    form, vectors = (materialized(x) for x in promoted(asarray(T), asarray(Z)))
    dtype = to_complex(form.aval.dtype)
    form, vectors = (lax.convert_element_type(x, np_dtype(dtype)) for x in (form, vectors))
    return jnp.vectorize(_complex_form, signature="(n,n),(n,n)->(n,n),(n,n)")(form, vectors)


def _by_diagonals(f: Any, t: Any) -> tuple[Any, Any]:
    """The function of a triangular matrix of which the diagonal is known, and the least gap between eigenvalues."""
    size = t.shape[0]
    places = jnp.arange(size)

    def element(p: Any, i: Any, state: Any) -> Any:
        f, least = state
        j = i + p
        between = (places > i) & (places < j)
        row, column = jnp.where(between, t[i], 0), jnp.where(between, t[:, j], 0)
        value = t[i, j] * (f[j, j] - f[i, i]) + row @ jnp.where(between, f[:, j], 0)
        value = value - jnp.where(between, f[i], 0) @ column
        gap = t[j, j] - t[i, i]
        f = f.at[i, j].set(jnp.where(gap != 0, value / gap, value))
        return f, jnp.minimum(least, jnp.abs(gap))

    def diagonal(p: Any, state: Any) -> Any:
        return lax.fori_loop(0, size - p, lambda i, inner: element(p, i, inner), state)

    result: tuple[Any, Any] = lax.fori_loop(1, size, diagonal, (f, jnp.abs(t[0, 0])))
    return result


@operation("scipy.linalg.funm", how="inline")
def funm(A: Any, func: Callable[[Any], Any], disp: bool = True) -> Any:
    """`jax.scipy.linalg.funm`: a function of a matrix, which is complex, and an estimate of the error unless `disp`.

    The function is called with all eigenvalues.
    """
    t, z = rsf2csf(*lax.linalg.schur(asarray(A)))
    f, least = _by_diagonals(jnp.diag(func(jnp.diag(t))).astype(t.dtype), t)
    value = z @ f @ _adjoint(z)
    if disp:
        return value
    tolerance = float(jnp.finfo(value.dtype).eps)
    least = jnp.where(least == 0.0, tolerance, least)
    error = tolerance / least * jnp.linalg.norm(jnp.triu(t, 1), 1)
    bounded = jnp.minimum(1, jnp.maximum(tolerance, error))
    return value, jnp.where(jnp.any(jnp.isinf(value)), math.inf, bounded)


@operation("scipy.linalg.expm_frechet")
def expm_frechet(A: Any, E: Any, *, method: str | None = None, compute_expm: bool = True) -> Any:
    """`jax.scipy.linalg.expm_frechet`: the exponential, unless it is not asked for, and its derivative."""
    value, derivative = jvp(expm, (asarray(A),), (asarray(E),))
    return (value, derivative) if compute_expm else derivative
