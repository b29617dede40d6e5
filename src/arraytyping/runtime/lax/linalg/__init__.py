"""Decompositions of matrices, in the last two dimensions, and triangular systems: `jax.lax.linalg`."""

from arraytyping.runtime.lax.linalg.cholesky import cholesky, cholesky_p
from arraytyping.runtime.lax.linalg.eigenvalues import eigh, eigh_p
from arraytyping.runtime.lax.linalg.forms import (
    hessenberg,
    hessenberg_p,
    schur,
    schur_p,
    tridiagonal,
    tridiagonal_p,
)
from arraytyping.runtime.lax.linalg.general_eigenvalues import eig, eig_p
from arraytyping.runtime.lax.linalg.implementations import EighImplementation, EigImplementation, SvdAlgorithm
from arraytyping.runtime.lax.linalg.lu import lu, lu_p
from arraytyping.runtime.lax.linalg.orthogonal import qr, qr_p
from arraytyping.runtime.lax.linalg.pivots import lu_pivots_to_permutation, lu_pivots_to_permutation_p
from arraytyping.runtime.lax.linalg.polar import qdwh
from arraytyping.runtime.lax.linalg.reflections import householder_product, householder_product_p, ormqr, ormqr_p
from arraytyping.runtime.lax.linalg.singular_values import svd, svd_p
from arraytyping.runtime.lax.linalg.triangular import triangular_solve, triangular_solve_p
from arraytyping.runtime.lax.linalg.tridiagonal_solutions import tridiagonal_solve, tridiagonal_solve_p
from arraytyping.runtime.lax.linalg.updates import (
    cholesky_update,
    cholesky_update_p,
    symmetric_product,
    symmetric_product_p,
)

__all__ = [
    "EigImplementation", "EighImplementation", "SvdAlgorithm", "cholesky", "cholesky_p", "cholesky_update",
    "cholesky_update_p", "eig", "eig_p", "eigh", "eigh_p", "hessenberg", "hessenberg_p", "householder_product",
    "householder_product_p", "lu", "lu_p", "lu_pivots_to_permutation", "lu_pivots_to_permutation_p", "ormqr", "ormqr_p",
    "qdwh", "qr", "qr_p", "schur", "schur_p", "svd", "svd_p", "symmetric_product", "symmetric_product_p",
    "triangular_solve", "triangular_solve_p", "tridiagonal", "tridiagonal_p", "tridiagonal_solve",
    "tridiagonal_solve_p",
]  # fmt: skip
