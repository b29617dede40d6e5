"""Linear algebra, under `jax.scipy.linalg`'s names: decompositions, and equations that are solved by them.

Source: https://docs.jax.dev/en/latest/jax.scipy.html.
"""

from __future__ import annotations

import functools
from typing import Any, Final

from arraytyping import lax
from arraytyping.nn.operations import composed
from arraytyping.numpy import atleast_2d, concatenate, linalg, pad, vectorize, zeros
from arraytyping.numpy.conversion import asarray
from arraytyping.numpy.promoting import promoted, promoted_inexact
from arraytyping.runtime import whole as whole
from arraytyping.runtime.array_likes import array_from, materialized
from arraytyping.runtime.calling import operation
from arraytyping.runtime.lax.gradients import stop_gradient
from arraytyping.scipy.binomial_matrices import invhilbert, invpascal, pascal
from arraytyping.scipy.factorizations import expm, lu, lu_factor, lu_solve, polar, qr
from arraytyping.scipy.matrices import (
    circulant,
    companion,
    convolution_matrix,
    dft,
    fiedler,
    fiedler_companion,
    hadamard,
    hankel,
    helmert,
    hilbert,
    leslie,
    toeplitz,
)
from arraytyping.scipy.matrix_equations import eigh_tridiagonal, qr_multiply, solve_sylvester
from arraytyping.scipy.matrix_functions import expm_frechet, funm, hessenberg, rsf2csf, schur, sqrtm
from arraytyping.semantics.rules import scipy_linalg as scipy_linalg  # the definitions

__all__ = [
    "block_diag", "cho_factor", "cho_solve", "cholesky", "circulant", "companion", "convolution_matrix", "det", "dft",
    "eigh", "eigh_tridiagonal", "expm", "expm_frechet", "fiedler", "fiedler_companion", "funm", "hadamard", "hankel",
    "helmert", "hessenberg", "hilbert", "inv", "invhilbert", "invpascal", "leslie", "lu", "lu_factor", "lu_solve",
    "pascal", "polar", "qr", "qr_multiply", "rsf2csf", "schur", "solve", "solve_sylvester", "solve_triangular", "sqrtm",
    "svd", "toeplitz",
]  # fmt: skip

cholesky: Final = composed("scipy.linalg.cholesky", "a")
det: Final = composed("scipy.linalg.det", "a")
inv: Final = composed("scipy.linalg.inv", "a")
svd: Final = composed("scipy.linalg.svd", "a")
eigh: Final = composed("scipy.linalg.eigh", "a")


def cho_factor(a: Any, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> tuple[Any, bool]:
    """`jax.scipy.linalg.cho_factor`: the triangular factor, and whether it is the lower one, for `cho_solve`."""
    return cholesky(a, lower=lower), lower


def _triangular(a: Any, b: Any, **options: Any) -> Any:
    """The solution of triangular equations, broadcast over what is before the matrices."""
    a, b = [materialized(x) for x in promoted_inexact(*map(asarray, (a, b)))]
    m, n = a.aval.shape, b.aval.shape
    is_row = len(n) == 1 or (len(m) == len(n) + 1 and m[-1] == n[-1])
    solve: Any = functools.partial(lax.linalg.triangular_solve, left_side=True, **options)
    if is_row:
        return vectorize(lambda a, b: solve(a, b[:, None])[:, 0], signature="(n,n),(n)->(n)")(a, b)
    return vectorize(solve, signature="(n,n),(n,k)->(n,k)")(a, b)


@operation("scipy.linalg.solve_triangular", "a", "b")
def solve_triangular(
    a: Any, b: Any, trans: int | str = 0, lower: bool = False, unit_diagonal: bool = False, overwrite_b: bool = False,
    debug: Any = None, check_finite: bool = True,
) -> Any:  # fmt: skip
    """`jax.scipy.linalg.solve_triangular`: the solution of triangular equations, perhaps with the matrix transposed."""
    return _triangular(
        a, b, lower=lower, unit_diagonal=unit_diagonal, transpose_a=trans not in (0, "N"), conjugate_a=trans in (2, "C")
    )


def _cho_solve(c: Any, b: Any, lower: bool) -> Any:
    first = _triangular(c, b, lower=lower, transpose_a=not lower, conjugate_a=not lower)
    return _triangular(c, first, lower=lower, transpose_a=lower, conjugate_a=lower)


@operation("scipy.linalg.cho_solve", "b")
def _by_factor(c_and_lower: Any, b: Any) -> Any:
    return _cho_solve(c_and_lower[0], b, c_and_lower[1])


def cho_solve(c_and_lower: Any, b: Any, overwrite_b: bool = False, check_finite: bool = True) -> Any:
    """`jax.scipy.linalg.cho_solve`: the solution of equations of which `cho_factor` has factored the matrix."""
    c, lower = c_and_lower
    return _by_factor((asarray(c), bool(lower)), b)


@operation("scipy.linalg.solve", "a", "b")
def solve(
    a: Any, b: Any, lower: bool = False, overwrite_a: bool = False, overwrite_b: bool = False, debug: bool = False,
    check_finite: bool = True, assume_a: str = "gen",
) -> Any:  # fmt: skip
    """`jax.scipy.linalg.solve`: the solution of linear equations; `assume_a="pos"` by Cholesky's decomposition."""
    if assume_a != "pos":
        return linalg.solve(a, b)
    a, b = [materialized(x) for x in promoted_inexact(*map(asarray, (a, b)))]
    factor = cholesky(stop_gradient(a), lower=lower)
    return lax.custom_linear_solve(lambda x: a @ x, b, lambda _, b: _cho_solve(factor, b, lower), symmetric=True)


@operation("scipy.linalg.block_diag", "arrs")
def block_diag(*arrs: Any) -> Any:
    """`jax.scipy.linalg.block_diag`: a matrix with these along its diagonal, in the dtype that they are promoted to."""
    if not arrs:
        return zeros((1, 0))
    blocks = [atleast_2d(materialized(x)) for x in promoted(*map(array_from, arrs))]
    widths = [x.aval.shape[1] for x in blocks]
    rows = [pad(x, ((0, 0), (sum(widths[:i]), sum(widths[i + 1 :])))) for i, x in enumerate(blocks)]
    return concatenate(rows, axis=0)
