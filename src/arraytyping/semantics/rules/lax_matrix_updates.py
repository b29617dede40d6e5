"""Rules of `jax.lax.linalg`: products with a transpose, factors that are updated, and polar factors.

Source: https://github.com/jax-ml/jax/blob/main/jax/_src/lax/linalg.py and
https://github.com/jax-ml/jax/blob/main/jax/_src/tpu/linalg/qdwh.py.
"""

from __future__ import annotations

from typing import Any

from arraytyping.semantics.avals import ShapedArray, shape_tuple_str
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.errors import DimError, DtypeError, ShapeError
from arraytyping.semantics.rules.hashability import check_hashable
from arraytyping.semantics.rules.lax_matrix_operands import of_one_dtype, split
from arraytyping.semantics.rules.lax_operands import NOT_FLOAT, NOT_INEXACT
from arraytyping.semantics.rules.operands import as_operand
from arraytyping.semantics.rules.refusals import refuse
from arraytyping.semantics.rules.table import rule
from arraytyping.semantics.sizes.dims import differ, exceeds, known_dim

__all__: list[str] = []


@rule("lax.linalg.symmetric_product")
def symmetric_product(
    cx: Context, a_matrix: Any, c_matrix: Any, *, alpha: Any = 1.0, beta: Any = 0.0, symmetrize_output: Any = False
) -> ShapedArray:
    """`jax.lax.linalg.symmetric_product`: of a matrix with its transpose, and another that is added."""
    operation = "lax.linalg.symmetric_product"
    operands = [as_operand(cx, x, operation, i) for i, x in enumerate((a_matrix, c_matrix))]
    lead, (matrix, square) = split(operation, operands, (2, 2))
    sizes = [] if matrix is None else [matrix[0]]
    if square is not None:
        sizes += square
    if any(differ(sizes[0], size) for size in sizes[1:]):
        shown = " and ".join(map(str, operands))
        raise ShapeError(f"{operation} takes matrices (m, n) and (m, m), got {shown}", ValueError)
    dtype, weak = of_one_dtype(operation, operands, NOT_FLOAT)
    size = known_dim(sizes)
    return ShapedArray(None if lead is None else (*lead, size, size), dtype, weak)


@rule("lax.linalg.cholesky_update")
def cholesky_update(cx: Context, r_matrix: Any, w_vector: Any) -> ShapedArray:
    """`jax.lax.linalg.cholesky_update`: the factor of a matrix to which the square of a vector is added."""
    operation = "lax.linalg.cholesky_update"
    factor, vector = operands = [as_operand(cx, x, operation, i) for i, x in enumerate((r_matrix, w_vector))]
    for operand, rank in ((factor, 2), (vector, 1)):
        if operand.shape is not None and len(operand.shape) != rank:
            raise ShapeError(f"{operation} takes a matrix and a vector, got {factor} and {vector}")
    sizes = [*(factor.shape or ()), *(vector.shape or ())]
    if any(differ(sizes[0], size) for size in sizes[1:]):
        raise ShapeError(f"{operation} takes a square matrix and as long a vector, got {factor} and {vector}",
                         ValueError)  # fmt: skip
    dtype, weak = of_one_dtype(operation, operands, NOT_FLOAT)
    size = known_dim(sizes)
    return ShapedArray((size, size), dtype, weak)


@rule("lax.linalg.qdwh")
def qdwh(
    cx: Context, x: Any, *, is_hermitian: Any = False, max_iterations: Any = None, eps: Any = None,
    dynamic_shape: Any = None,
) -> tuple[ShapedArray, ShapedArray, ShapedArray, ShapedArray]:  # fmt: skip
    """`jax.lax.linalg.qdwh`: the unitary and the positive polar factor, the iterations, and whether they sufficed."""
    operation = "lax.linalg.qdwh"
    check_hashable(operation, is_hermitian=is_hermitian, max_iterations=max_iterations, eps=eps)
    if x is None or isinstance(x, list | tuple):
        raise DtypeError(f"{operation} requires an array; make one of it first, with jnp.asarray", AttributeError)
    array = as_operand(cx, x, operation)
    shape = array.shape
    if shape is not None and len(shape) != 2:
        raise DimError(f"{operation} takes one matrix, got shape {shape_tuple_str(shape)}", ValueError)
    rows, columns = shape or (None, None)
    if exceeds(columns, rows):
        raise ShapeError(f"{operation} takes no wide matrices, got {shape_tuple_str(shape or ())}", ValueError)
    refuse(operation, array.dtype, (NOT_INEXACT.raising(ValueError if eps is None else TypeError),))
    unitary, positive = (ShapedArray((size, columns), array.dtype, False) for size in (rows, columns))
    return unitary, positive, ShapedArray((), cx.default("int"), True), ShapedArray((), "bool", False)
