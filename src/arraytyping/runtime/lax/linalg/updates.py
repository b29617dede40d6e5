"""Products of matrices with their transposes, and Cholesky factors to which a vector is added.

They have no derivatives, in jax neither.

Source: https://docs.jax.dev/en/latest/jax.lax.html#module-jax.lax.linalg.
"""

from __future__ import annotations

from typing import Any, Final

from arraytyping.runtime.calling import operation
from arraytyping.runtime.core import Primitive
from arraytyping.runtime.lax.arithmetic import add_p
from arraytyping.runtime.lax.linalg.matrices import batch_first, swapped, triangle
from arraytyping.semantics.rules.named import named

__all__ = ["cholesky_update", "cholesky_update_p", "symmetric_product", "symmetric_product_p"]

cholesky_update_p: Final = Primitive("cholesky_update", named("lax.linalg.cholesky_update"))
symmetric_product_p: Final = Primitive("symmetric_product", named("lax.linalg.symmetric_product"))
symmetric_product_p.batching_rule = batch_first(symmetric_product_p)


@operation("lax.linalg.cholesky_update", "r_matrix", "w_vector", how="inline")
def cholesky_update(r_matrix: Any, w_vector: Any) -> Any:
    """`jax.lax.linalg.cholesky_update`: the upper factor of R^T R + w w^T, of R and w."""
    return cholesky_update_p.bind(r_matrix, w_vector)


@operation("lax.linalg.symmetric_product", "a_matrix", "c_matrix", how="inline")
def symmetric_product(
    a_matrix: Any, c_matrix: Any, *, alpha: float = 1.0, beta: float = 0.0, symmetrize_output: bool = False
) -> Any:
    """`jax.lax.linalg.symmetric_product`: alpha A A^T + beta C, perhaps with the lower triangle above it too."""
    result = symmetric_product_p.bind(a_matrix, c_matrix, alpha=float(alpha), beta=float(beta))
    if not symmetrize_output:
        return result
    return add_p.bind(triangle(result, lower=True), swapped(triangle(result, lower=True, offset=-1)))
