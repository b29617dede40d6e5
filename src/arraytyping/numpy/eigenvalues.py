"""Eigenvalues and eigenvectors of square matrices.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.numpy.linalg.eig.html.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from arraytyping.numpy.promoting import promoted_inexact
from arraytyping.runtime.array_likes import materialized
from arraytyping.runtime.calling import operation
from arraytyping.runtime.lax.linalg.general_eigenvalues import eig as decomposed

__all__ = ["eig", "eigvals"]


class EigResult(NamedTuple):
    """Eigenvalues, and eigenvectors in columns."""

    eigenvalues: Any
    eigenvectors: Any


@operation("numpy.linalg.eig", "a")
def eig(a: Any) -> EigResult:
    """The eigenvalues and eigenvectors of square matrices, complex: `jax.numpy.linalg.eig`."""
    (a,) = map(materialized, promoted_inexact(a))
    return EigResult(*decomposed(a, compute_left_eigenvectors=False))


@operation("numpy.linalg.eigvals", "a")
def eigvals(a: Any) -> Any:
    """The eigenvalues of square matrices, complex: `jax.numpy.linalg.eigvals`."""
    (a,) = map(materialized, promoted_inexact(a))
    return decomposed(a, compute_left_eigenvectors=False, compute_right_eigenvectors=False)[0]
