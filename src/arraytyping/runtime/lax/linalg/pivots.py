"""The permutations that exchanges of rows make.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.lax.linalg.lu_pivots_to_permutation.html.
"""

from __future__ import annotations

from typing import Any, Final

from arraytyping.runtime.calling import operation
from arraytyping.runtime.core import Primitive
from arraytyping.runtime.lax.linalg.matrices import batch_first
from arraytyping.semantics.rules.named import named

__all__ = ["lu_pivots_to_permutation", "lu_pivots_to_permutation_p"]

lu_pivots_to_permutation_p: Final = Primitive("lu_pivots_to_permutation", named("lax.linalg.lu_pivots_to_permutation"))
lu_pivots_to_permutation_p.batching_rule = batch_first(lu_pivots_to_permutation_p)


@operation("lax.linalg.lu_pivots_to_permutation", "pivots", how="inline")
def lu_pivots_to_permutation(pivots: Any, permutation_size: int) -> Any:
    """`jax.lax.linalg.lu_pivots_to_permutation`: what becomes of so many rows by exchanges, one after the other."""
    return lu_pivots_to_permutation_p.bind(pivots, permutation_size=int(permutation_size))
