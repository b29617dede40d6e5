"""Rules of the family of permutations by which `jax.lax.linalg.lu` exchanges rows.

Source: `lu_pivots_to_permutation_p` of https://github.com/jax-ml/jax/blob/main/jax/_src/lax/linalg.py.
"""

from __future__ import annotations

from typing import Any

from arraytyping.semantics.avals import NumPyArray, ShapedArray
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.errors import DtypeError, RuleError, ShapeError
from arraytyping.semantics.rules.operands import as_operand
from arraytyping.semantics.rules.static_arguments import as_size
from arraytyping.semantics.rules.table import rule


@rule("lax.linalg.lu_pivots_to_permutation")
def lu_pivots_to_permutation(cx: Context, pivots: Any, permutation_size: Any) -> ShapedArray:
    """`jax.lax.linalg.lu_pivots_to_permutation`: the last dimension of the pivots is as long as the permutation."""
    operation = "lax.linalg.lu_pivots_to_permutation"
    array = as_operand(cx, pivots, operation)
    if isinstance(permutation_size, ShapedArray | NumPyArray):
        raise RuleError(f"{operation}: permutation_size is an array, which is no parameter of a jaxpr; give an int")
    shape = array.shape
    if shape == ():
        raise ShapeError(f"{operation}: pivots have a dimension, got a number")
    count = None if shape is None else shape[-1]
    size = permutation_size  # which JAX compares before it asks whether it is a size
    if not isinstance(size, float):
        size = as_size(operation, "permutation_size", permutation_size)
    if isinstance(count, int) and isinstance(size, int | float) and count > size:
        raise ShapeError(f"{operation}: {count} pivots exchange more than {size} rows", ValueError)
    if array.dtype not in (None, "int32"):
        raise DtypeError(f"{operation}: pivots are int32, got {array}; convert them")
    rows = as_size(operation, "permutation_size", permutation_size)
    return ShapedArray(None if shape is None else (*shape[:-1], rows), array.dtype, array.weak_type)
