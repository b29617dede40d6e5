"""Rules of `jax.lax.linalg`: matrices in the forms of Hessenberg and Schur and of three diagonals, and reflections.

Source: `linalg_shape_rule` and the rules of each primitive of
https://github.com/jax-ml/jax/blob/main/jax/_src/lax/linalg.py.
"""

from __future__ import annotations

from typing import Any

from arraytyping.semantics.avals import Alternatives, ShapedArray, shape_tuple_str
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.dtype_kinds import to_real
from arraytyping.semantics.rules.errors import ShapeError
from arraytyping.semantics.rules.lax_matrix_operands import of_one_dtype, split
from arraytyping.semantics.rules.lax_operands import NOT_INEXACT, equal_shapes
from arraytyping.semantics.rules.operands import as_operand
from arraytyping.semantics.rules.refusals import refuse
from arraytyping.semantics.rules.shapes.matrices import as_matrix, as_square
from arraytyping.semantics.rules.sizes import with_shape
from arraytyping.semantics.rules.static_arguments import as_flag
from arraytyping.semantics.rules.table import rule
from arraytyping.semantics.sizes.dims import differ, exceeds, subtract_dims

__all__: list[str] = []


@rule("lax.linalg.hessenberg")
def hessenberg(cx: Context, a: Any) -> tuple[ShapedArray, ShapedArray]:
    """`jax.lax.linalg.hessenberg`: the form with the reflections below it, and the factors of these."""
    operation = "lax.linalg.hessenberg"
    array = as_operand(cx, a, operation)
    square = as_square(operation, as_matrix(operation, array.shape))
    refuse(operation, array.dtype, (NOT_INEXACT,))
    if square is None:
        return with_shape(array, None), with_shape(array, None)
    lead, size = square
    return with_shape(array, (*lead, size, size)), with_shape(array, (*lead, subtract_dims(size, 1)))


@rule("lax.linalg.schur")
def schur(
    cx: Context, x: Any, *, compute_schur_vectors: Any = True, sort_eig_vals: Any = False, select_callable: Any = None
) -> Any:
    """`jax.lax.linalg.schur`: the form, and the vectors where they are computed."""
    operation = "lax.linalg.schur"
    array = as_operand(cx, x, operation)
    square = as_square(operation, as_matrix(operation, array.shape))
    refuse(operation, array.dtype, (NOT_INEXACT,))
    form = with_shape(array, None if square is None else (*square[0], square[1], square[1]))
    flag = as_flag(compute_schur_vectors)
    return Alternatives.of(((form, form), (form,))) if flag is None else (form, form) if flag else (form,)


@rule("lax.linalg.tridiagonal")
def tridiagonal(cx: Context, a: Any, *, lower: Any = True) -> tuple[ShapedArray, ShapedArray, ShapedArray, ShapedArray]:
    """`jax.lax.linalg.tridiagonal`: the reflections in a matrix, the diagonal, that beside it, and factors."""
    operation = "lax.linalg.tridiagonal"
    array = as_operand(cx, a, operation)
    square = as_square(operation, as_matrix(operation, array.shape))
    if square is not None and square[1] == 0:
        raise ShapeError(f"{operation} takes square matrices with elements, got size 0", ValueError)
    refuse(operation, array.dtype, (NOT_INEXACT,))
    real = ShapedArray(None, None if array.dtype is None else to_real(array.dtype), array.weak_type)
    if square is None:
        return with_shape(array, None), real, real, with_shape(array, None)
    lead, size = square
    less = (*lead, subtract_dims(size, 1))
    diagonals = with_shape(real, (*lead, size)), with_shape(real, less)
    return with_shape(array, (*lead, size, size)), *diagonals, with_shape(array, less)


@rule("lax.linalg.tridiagonal_solve")
def tridiagonal_solve(
    cx: Context, dl: Any, d: Any, du: Any, b: Any, *, perturb_singular: Any = False
) -> ShapedArray:  # fmt: skip
    """`jax.lax.linalg.tridiagonal_solve`: of the shape of the right-hand side."""
    operation = "lax.linalg.tridiagonal_solve"
    operands = [as_operand(cx, x, operation, i) for i, x in enumerate((dl, d, du, b))]
    lead, (*diagonals, right) = split(operation, operands, (1, 1, 1, 2))
    equal_shapes(operation, *diagonals, None if right is None else right[:1])
    dtype, weak = of_one_dtype(operation, operands, NOT_INEXACT)
    return ShapedArray(None if lead is None or right is None else (*lead, *right), dtype, weak)


@rule("lax.linalg.householder_product")
def householder_product(cx: Context, a: Any, taus: Any) -> ShapedArray:
    """`jax.lax.linalg.householder_product`: the product of reflections, of the shape of the matrix that has them."""
    operation = "lax.linalg.householder_product"
    operands = [as_operand(cx, x, operation, i) for i, x in enumerate((a, taus))]
    lead, (matrix, factors) = split(operation, operands, (2, 1))
    if matrix is not None and exceeds(matrix[1], matrix[0]):
        raise ShapeError(f"{operation} takes no wide matrices, got {shape_tuple_str(matrix)}", ValueError)
    if matrix is not None and factors is not None and any(exceeds(factors[0], size) for size in matrix):
        raise ShapeError(f"{operation}: {factors[0]} factors for a matrix {shape_tuple_str(matrix)}", ValueError)
    dtype, weak = of_one_dtype(operation, operands, NOT_INEXACT)
    return ShapedArray(None if lead is None or matrix is None else (*lead, *matrix), dtype, weak)


@rule("lax.linalg.ormqr")
def ormqr(cx: Context, a: Any, taus: Any, c: Any, *, left: Any = True, transpose: Any = False) -> ShapedArray:
    """`jax.lax.linalg.ormqr`: a matrix multiplied by reflections, of its own shape."""
    operation = "lax.linalg.ormqr"
    operands = [as_operand(cx, x, operation, i) for i, x in enumerate((a, taus, c))]
    lead, (matrix, _, multiplied) = split(operation, operands, (2, 1, 2))
    flag = as_flag(left)
    if matrix is not None and multiplied is not None and flag is not None:
        size = multiplied[0 if flag else 1]
        if differ(matrix[0], size):
            raise ShapeError(f"{operation}: reflections of {matrix[0]} elements and a matrix with {size}", ValueError)
    dtype, weak = of_one_dtype(operation, operands, NOT_INEXACT)
    return ShapedArray(None if lead is None or multiplied is None else (*lead, *multiplied), dtype, weak)
