"""Rules of the family `jax.lax.linalg`: decompositions of matrices, in the last two dimensions, and solutions.

The weak type of the operands is that of all results, integers too.

Source: `linalg_shape_rule` and the rules of each primitive of
https://github.com/jax-ml/jax/blob/main/jax/_src/lax/linalg.py.
"""

from __future__ import annotations

from typing import Any

from arraytyping.semantics.avals import UNKNOWN, Alternatives, Dim, Scalar, Shape, ShapedArray, shape_tuple_str
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.dtype_kinds import to_real
from arraytyping.semantics.rules.errors import RuleError, ShapeError
from arraytyping.semantics.rules.lax_operands import NOT_INEXACT, all_weak, same_dtype, shaped
from arraytyping.semantics.rules.operands import as_operand
from arraytyping.semantics.rules.refusals import refuse
from arraytyping.semantics.rules.shapes.matrices import (
    as_matrix,
    as_square,
    lesser,
    orthogonal_factors,
    singular_factors,
)
from arraytyping.semantics.rules.shapes.reshaping import expanded
from arraytyping.semantics.rules.sizes import with_shape
from arraytyping.semantics.rules.static_arguments import as_flag, as_size
from arraytyping.semantics.rules.table import RULES, rule
from arraytyping.semantics.sizes.dims import differ, exceeds, known_dim, subtract_dims


def _symmetrized(cx: Context, operation: str, x: Any, symmetrize_input: Any) -> ShapedArray | None:
    """The operand, or the mean of it and of its conjugate transpose; None if it is unknown which.

    Raises:
        RuleError: if there is no such mean.
    """
    symmetrize = as_flag(symmetrize_input)
    if symmetrize is None:
        return None
    if not symmetrize:
        return as_operand(cx, x, operation)
    array = shaped(cx, x, operation)
    matrix = as_matrix(operation, array.shape)
    transposed = with_shape(array, None if matrix is None else (*matrix[0], matrix[2], matrix[1]))
    total = RULES["Array.__add__"].function(cx, array, transposed)
    mean = RULES["Array.__truediv__"].function(cx, total, 2)
    assert isinstance(mean, ShapedArray)
    return mean


@rule("lax.linalg.cholesky")
def cholesky(cx: Context, x: Any, *, symmetrize_input: Any = True) -> ShapedArray:
    """`jax.lax.linalg.cholesky`; the mean with the transpose is a float also of integers."""
    operation = "lax.linalg.cholesky"
    array = _symmetrized(cx, operation, x, symmetrize_input)
    if array is None:
        return ShapedArray(None, None)
    square = as_square(operation, as_matrix(operation, array.shape))
    refuse(operation, array.dtype, (NOT_INEXACT,))
    return with_shape(array, None if square is None else (*square[0], square[1], square[1]))


@rule("lax.linalg.triangular_solve")
def triangular_solve(
    cx: Context,
    a: Any,
    b: Any,
    *,
    left_side: Any = False,
    lower: Any = False,
    transpose_a: Any = False,
    conjugate_a: Any = False,
    unit_diagonal: Any = False,
) -> ShapedArray:
    """`jax.lax.linalg.triangular_solve`; an operand `b` of one dimension less is a vector."""
    operation = "lax.linalg.triangular_solve"
    matrix, right = operands = as_operand(cx, a, operation), as_operand(cx, b, operation, 1)
    left = as_flag(left_side)
    shape = right.shape
    if shape is not None and matrix.shape is not None and left is not None:
        vector = len(shape) == len(matrix.shape) - 1
        wide = expanded(operation, shape, (-1 if left else -2,)) if vector else shape
        solved = _solved(operation, matrix, with_shape(right, wide), left)
        drop = len(solved) - (1 if left else 2)
        shape = tuple([d for i, d in enumerate(solved) if not (vector and i == drop)])
    elif shape is not None:
        shape = (None,) * len(shape)
    for operand in operands:
        refuse(operation, operand.dtype, (NOT_INEXACT,))
    return ShapedArray(shape, same_dtype(operation, operands), all_weak(operands))


def _solved(operation: str, a: ShapedArray, b: ShapedArray, left: bool) -> Shape:
    """The shape of the solution for matrices on the right.

    Raises:
        ShapeError: if the shapes do not go together.
    """
    matrix, right = as_matrix(operation, a.shape), as_matrix(operation, b.shape)
    assert matrix is not None
    assert right is not None
    if len(matrix[0]) != len(right[0]):
        raise ShapeError(
            f"{operation}: the operands have as many leading dimensions, got {len(matrix[0])} and {len(right[0])}"
        )
    square = as_square(operation, matrix)
    assert square is not None
    lead, size = square
    sizes = [*zip(lead, right[0]), (size, right[1] if left else right[2])]
    if any(differ(m, n) for m, n in sizes):
        raise ShapeError(
            f"{operation}: incompatible shapes, {shape_tuple_str(a.shape or ())} and {shape_tuple_str(b.shape or ())}",
            ValueError,
        )
    known = [known_dim(pair) for pair in sizes]
    return (*known[:-1], *((known[-1], right[2]) if left else (right[1], known[-1])))


@rule("lax.linalg.eig")
def eig(
    cx: Context, x: Any, *, compute_left_eigenvectors: Any = True, compute_right_eigenvectors: Any = True,
    enable_eigvec_derivs: Any = False, implementation: Any = None, use_magma: Any = None,
) -> Any:  # fmt: skip
    """`jax.lax.linalg.eig`: eigenvalues, then left and right eigenvectors where they are asked for; complex."""
    operation = "lax.linalg.eig"
    array = as_operand(cx, x, operation)
    square = as_square(operation, as_matrix(operation, array.shape))
    refuse(operation, array.dtype, (NOT_INEXACT,))
    dtype = None if array.dtype is None else "complex128" if to_real(array.dtype) == "float64" else "complex64"
    vectors = ShapedArray(None if square is None else (*square[0], square[1], square[1]), dtype, array.weak_type)
    values = with_shape(vectors, None if square is None else (*square[0], square[1]))
    sides = [as_flag(side) for side in (compute_left_eigenvectors, compute_right_eigenvectors)]
    return UNKNOWN if None in sides else [values, *[vectors] * sides.count(True)]


@rule("lax.linalg.qr")
def qr(cx: Context, x: Any, *, pivoting: Any = False, full_matrices: Any = True, use_magma: Any = None) -> Any:
    """`jax.lax.linalg.qr`: two matrices, and the pivots where they are asked for."""
    operation = "lax.linalg.qr"
    array = as_operand(cx, x, operation)
    matrix = as_matrix(operation, array.shape)
    refuse(operation, array.dtype, (NOT_INEXACT,))
    full, pivots = as_flag(full_matrices), as_flag(pivoting)
    q = r = p = None
    if matrix is not None:
        q, r = orthogonal_factors(matrix, full)
        p = (*matrix[0], matrix[2])
    two = with_shape(array, q), with_shape(array, r)
    three = (*two, _integers(array, p))
    return Alternatives.of((two, three)) if pivots is None else three if pivots else two


def _integers(array: ShapedArray, shape: Shape | None) -> ShapedArray:
    """An array of int32, as weak as another."""
    return ShapedArray(shape, "int32", array.weak_type)


def _real(array: ShapedArray, shape: Shape | None) -> ShapedArray:
    """An array of real numbers of the width of another, and as weak."""
    return ShapedArray(shape, None if array.dtype is None else to_real(array.dtype), array.weak_type)


def _subset(operation: str, subset_by_index: Any) -> tuple[Dim, Dim] | None:
    """The bounds of a subset; None if they are unknown.

    Raises:
        ShapeError: for what is no pair of integers.
    """
    if not isinstance(subset_by_index, tuple):
        if isinstance(subset_by_index, int | float | complex | Scalar):
            raise ShapeError(f"{operation}: subset_by_index is a pair, got {subset_by_index}; give a tuple")
        return None
    if len(subset_by_index) < 2:
        raise ShapeError(f"{operation}: subset_by_index is a pair, got {len(subset_by_index)} numbers", IndexError)
    low, high = (as_size(operation, "a bound", bound) for bound in subset_by_index[:2])
    if exceeds(low, high):
        raise ShapeError(f"{operation}: the subset {low}:{high} ends before it starts", ValueError)
    return low, high


def _check_subset_hashable(operation: str, subset_by_index: Any) -> None:
    """Refuse a list, as JAX does before it looks at the shape.

    Raises:
        ShapeError: (TypeError) for a list.
    """
    if isinstance(subset_by_index, list):
        raise ShapeError(f"{operation}: subset_by_index is a list, which cannot be hashed; give a tuple")


def _span(bounds: tuple[Dim, Dim] | None) -> Dim:
    if bounds is None:
        return None
    low, high = bounds
    return subtract_dims(high, low)


@rule("lax.linalg.eigh")
def eigh(
    cx: Context,
    x: Any,
    *,
    lower: Any = True,
    symmetrize_input: Any = True,
    sort_eigenvalues: Any = True,
    subset_by_index: Any = None,
    implementation: Any = None,
) -> tuple[ShapedArray, ShapedArray]:
    """`jax.lax.linalg.eigh`: the vectors, then the values."""
    operation = "lax.linalg.eigh"
    array = _symmetrized(cx, operation, x, symmetrize_input)
    if array is None:
        return ShapedArray(None, None), ShapedArray(None, None)
    _check_subset_hashable(operation, subset_by_index)
    square = as_square(operation, as_matrix(operation, array.shape))
    count = None if subset_by_index is None else _span(_subset(operation, subset_by_index))
    refuse(operation, array.dtype, (NOT_INEXACT,))
    if square is None:
        return with_shape(array, None), _real(array, None)
    lead, size = square
    count = size if subset_by_index is None else count
    return with_shape(array, (*lead, size, count)), _real(array, (*lead, count))


@rule("lax.linalg.svd")
def svd(
    cx: Context,
    x: Any,
    *,
    full_matrices: Any = True,
    compute_uv: Any = True,
    subset_by_index: Any = None,
    algorithm: Any = None,
) -> Any:
    """`jax.lax.linalg.svd`: the singular values, between the vectors where they are computed."""
    operation = "lax.linalg.svd"
    array = as_operand(cx, x, operation)
    matrix = as_matrix(operation, array.shape)
    _check_subset_hashable(operation, subset_by_index)
    full, vectors = as_flag(full_matrices), as_flag(compute_uv)
    u = s = v = None
    if matrix is not None:
        rank = lesser(*matrix[1:])
        if subset_by_index is not None:
            if full and _is_other(subset_by_index, rank):
                raise RuleError(f"{operation}: full_matrices and subset_by_index cannot both be given", ValueError)
            rank = lesser(rank, _span(_subset(operation, subset_by_index)))
        u, s, v = singular_factors(matrix, full, rank)
    refuse(operation, array.dtype, (NOT_INEXACT,))
    values = _real(array, s)
    three = with_shape(array, u), values, with_shape(array, v)
    return Alternatives.of((three, values)) if vectors is None else three if vectors else values


def _is_other(subset_by_index: Any, rank: Dim) -> bool:
    """Whether a subset is certainly not given as that of all."""
    if not isinstance(subset_by_index, tuple):
        return isinstance(subset_by_index, int | float | complex | Scalar)
    numbers = zip(subset_by_index, (0, rank))
    return len(subset_by_index) != 2 or any(
        isinstance(a, int | float) and isinstance(b, int) and a != b for a, b in numbers
    )


@rule("lax.linalg.lu")
def lu(cx: Context, x: Any) -> tuple[ShapedArray, ShapedArray, ShapedArray]:
    """`jax.lax.linalg.lu`: the factors in one matrix, the pivots and the permutation."""
    array = as_operand(cx, x, "lax.linalg.lu")
    matrix = as_matrix("lax.linalg.lu", array.shape)
    refuse("lax.linalg.lu", array.dtype, (NOT_INEXACT,))
    if matrix is None:
        return with_shape(array, None), _integers(array, None), _integers(array, None)
    lead, rows, columns = matrix
    pivots = _integers(array, (*lead, lesser(rows, columns)))
    return with_shape(array, array.shape), pivots, _integers(array, (*lead, rows))
