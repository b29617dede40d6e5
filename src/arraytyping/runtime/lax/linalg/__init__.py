"""Decompositions of matrices, in the last two dimensions, and triangular systems: `jax.lax.linalg`."""

from arraytyping.runtime.lax.linalg.cholesky import cholesky
from arraytyping.runtime.lax.linalg.eigenvalues import eigh
from arraytyping.runtime.lax.linalg.general_eigenvalues import eig
from arraytyping.runtime.lax.linalg.lu import lu
from arraytyping.runtime.lax.linalg.orthogonal import qr
from arraytyping.runtime.lax.linalg.singular_values import svd
from arraytyping.runtime.lax.linalg.triangular import triangular_solve

__all__ = ["cholesky", "eig", "eigh", "lu", "qr", "svd", "triangular_solve"]
