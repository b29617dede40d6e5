"""Forms of matrices that unitary matrices transform them to: Hessenberg's, Schur's, and that of three diagonals.

They have no derivatives, in jax neither.

Source: https://docs.jax.dev/en/latest/jax.lax.html#module-jax.lax.linalg; LAPACK's users' guide,
https://www.netlib.org/lapack/lug.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from arraytyping.runtime.calling import operation
from arraytyping.runtime.core import Primitive
from arraytyping.runtime.lax.linalg.matrices import batch_first
from arraytyping.semantics.rules.named import named

__all__ = ["hessenberg", "hessenberg_p", "schur", "schur_p", "tridiagonal", "tridiagonal_p"]

hessenberg_p: Final = Primitive("hessenberg", named("lax.linalg.hessenberg"), multiple_results=True)
schur_p: Final = Primitive("schur", named("lax.linalg.schur"), multiple_results=True)
tridiagonal_p: Final = Primitive("tridiagonal", named("lax.linalg.tridiagonal"), multiple_results=True)
for _primitive in (hessenberg_p, schur_p, tridiagonal_p):
    _primitive.batching_rule = batch_first(_primitive)


@operation("lax.linalg.hessenberg", "a", how="inline")
def hessenberg(a: Any) -> Any:
    """`jax.lax.linalg.hessenberg`: the form with the reflections below it, and the factors of these."""
    return tuple(hessenberg_p.bind(a))


@operation("lax.linalg.schur", "x", how="inline")
def schur(
    x: Any, *, compute_schur_vectors: bool = True, sort_eig_vals: bool = False,
    select_callable: Callable[..., Any] | None = None,
) -> Any:  # fmt: skip
    """`jax.lax.linalg.schur`: the form, real numbers' with blocks of 2 x 2, and the vectors where they are computed."""
    if sort_eig_vals:
        raise NotImplementedError("schur: sort_eig_vals is not implemented; leave the eigenvalues as they come")
    return tuple(schur_p.bind(x, compute_schur_vectors=bool(compute_schur_vectors)))


@operation("lax.linalg.tridiagonal", "a", how="inline")
def tridiagonal(a: Any, *, lower: bool = True) -> Any:
    """`jax.lax.linalg.tridiagonal`: of Hermitian matrices: reflections, the diagonal, that beside it, and factors."""
    return tuple(tridiagonal_p.bind(a, lower=bool(lower)))
