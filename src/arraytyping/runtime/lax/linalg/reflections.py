"""Products of reflections that stand below the diagonal of a matrix, as LAPACK's factorizations leave them.

They have no derivatives, in jax neither.

Source: https://docs.jax.dev/en/latest/jax.lax.html#module-jax.lax.linalg; LAPACK's users' guide,
https://www.netlib.org/lapack/lug.
"""

from __future__ import annotations

from typing import Any, Final

from arraytyping.runtime.calling import operation
from arraytyping.runtime.core import Primitive
from arraytyping.runtime.lax.linalg.matrices import batch_first
from arraytyping.semantics.rules.named import named

__all__ = ["householder_product", "householder_product_p", "ormqr", "ormqr_p"]

householder_product_p: Final = Primitive("householder_product", named("lax.linalg.householder_product"))
ormqr_p: Final = Primitive("ormqr", named("lax.linalg.ormqr"))
for _primitive in (householder_product_p, ormqr_p):
    _primitive.batching_rule = batch_first(_primitive)


@operation("lax.linalg.householder_product", "a", "taus", how="inline")
def householder_product(a: Any, taus: Any) -> Any:
    """`jax.lax.linalg.householder_product`: the first columns of the product of reflections."""
    return householder_product_p.bind(a, taus)


@operation("lax.linalg.ormqr", "a", "taus", "c", how="inline")
def ormqr(a: Any, taus: Any, c: Any, *, left: bool = True, transpose: bool = False) -> Any:
    """`jax.lax.linalg.ormqr`: a matrix multiplied by reflections from one side, or by the adjoint of their product."""
    return ormqr_p.bind(a, taus, c, left=bool(left), transpose=bool(transpose))
