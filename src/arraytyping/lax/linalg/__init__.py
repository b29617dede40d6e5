"""Decompositions of matrices, in the last two dimensions, and triangular systems: `jax.lax.linalg`."""

from arraytyping.lax.linalg.cholesky import cholesky
from arraytyping.lax.linalg.eigenvalues import eigh
from arraytyping.lax.linalg.lu import lu
from arraytyping.lax.linalg.orthogonal import qr
from arraytyping.lax.linalg.singular_values import svd
from arraytyping.lax.linalg.triangular import triangular_solve

__all__ = ["cholesky", "eigh", "lu", "qr", "svd", "triangular_solve"]
