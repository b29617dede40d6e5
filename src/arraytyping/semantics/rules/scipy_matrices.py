"""Rules of `jax.scipy.linalg`: matrices of a special form, made of vectors or of their size.

Source: https://github.com/jax-ml/jax/blob/main/jax/_src/scipy/linalg.py.
"""

from __future__ import annotations

from typing import Any, Final

from arraytyping.semantics.avals import UNKNOWN, Shape, ShapedArray, shape_tuple_str
from arraytyping.semantics.rules.compositions import Operations, composition
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.dtype_kinds import ANY_COMPLEX, to_inexact
from arraytyping.semantics.rules.errors import DimError, DtypeError, RuleError, ShapeError
from arraytyping.semantics.rules.hashability import check_hashable
from arraytyping.semantics.rules.named import named
from arraytyping.semantics.rules.operands import as_operand, requested_dtype
from arraytyping.semantics.rules.shapes.broadcasting import broadcast_shapes
from arraytyping.semantics.rules.static_arguments import as_flag, as_size
from arraytyping.semantics.rules.table import rule
from arraytyping.semantics.sizes.dims import add_dims, at_least, differ, exceeds, min_dim, multiply_dims, subtract_dims

__all__: list[str] = []

_arange: Final = named("numpy.arange")
_negative: Final = named("numpy.negative")


def _of_two_vectors(cx: Context, operation: str, column: ShapedArray, row: ShapedArray) -> ShapedArray:
    """A matrix of so many rows and columns, in the dtype that both are promoted to, for each of the leading places."""
    dtype, _ = cx.join(operation, [column, row])
    if column.shape is None or row.shape is None:
        return ShapedArray(None, dtype, False)
    try:
        lead = broadcast_shapes(operation, column.shape[:-1], row.shape[:-1])
    except ShapeError as error:
        raise ShapeError(error.message, ValueError) from None
    return ShapedArray(None if lead is None else (*lead, column.shape[-1], row.shape[-1]), dtype, False)


def _vector(shape: Shape | None) -> Shape | None:
    """A shape of at least one dimension."""
    return (1,) if shape == () else shape


def _at_least_1d(cx: Context, operation: str, x: Any, position: int = 0) -> ShapedArray:
    array = as_operand(cx, x, operation, position)
    return ShapedArray(_vector(array.shape), array.dtype, array.weak_type)


@rule("scipy.linalg.toeplitz")
def toeplitz(cx: Context, c: Any, r: Any = None) -> ShapedArray:
    """`jax.scipy.linalg.toeplitz`: the matrix of a first column and row with equal elements along each diagonal."""
    column = _at_least_1d(cx, "toeplitz", c)
    if r is UNKNOWN:
        return ShapedArray(None, None, False)
    row = column if r is None else _at_least_1d(cx, "toeplitz", r, 1)
    matrix = _of_two_vectors(cx, "toeplitz", column, row)
    sizes = [None if x.shape is None else x.shape[-1] for x in (column, row)]
    if all(at_least(size, 1) for size in sizes) or (column.weak_type is False and row.weak_type is False):
        return matrix
    if 0 not in sizes:  # JAX looks at weak types only where there are elements
        return ShapedArray(matrix.shape, matrix.dtype if matrix.dtype == column.dtype == row.dtype else None, False)
    dtype, _ = cx.join("toeplitz", [ShapedArray(x.shape, x.dtype, False) for x in (column, row)])
    return ShapedArray(matrix.shape, dtype, False)


@rule("scipy.linalg.hankel")
def hankel(cx: Context, c: Any, r: Any = None) -> ShapedArray:
    """`jax.scipy.linalg.hankel`: the matrix of first column and last row with equal elements across each diagonal."""
    column = as_operand(cx, c, "hankel")
    if r is UNKNOWN:
        return ShapedArray(None, None, False)
    row = column if r is None else as_operand(cx, r, "hankel", 1)
    if column.ndim == 0 or row.ndim == 0:
        raise DimError(f"hankel: vectors are required, got {column} and {row}; give arrays of at least 1 dimension")
    return _of_two_vectors(cx, "hankel", column, row)


@rule("scipy.linalg.circulant")
def circulant(cx: Context, c: Any) -> ShapedArray:
    """`jax.scipy.linalg.circulant`: the square matrix whose columns are those of a vector, each turned by one more."""
    array = _at_least_1d(cx, "circulant", c)
    shape = None if array.shape is None else (*array.shape, array.shape[-1])
    return ShapedArray(shape, array.dtype, array.weak_type)


@composition("scipy.linalg.fiedler")
def fiedler(ops: Operations, a: Any) -> Any:
    """`jax.scipy.linalg.fiedler`: the distances of each element of a vector from each."""
    a = ops("numpy.atleast_1d", ops.array(a, "fiedler"))
    return ops("numpy.abs", ops("numpy.subtract", ops("numpy.expand_dims", a, -1), ops("numpy.expand_dims", a, -2)))


@rule("scipy.linalg.companion")
def companion(cx: Context, a: Any) -> ShapedArray:
    """`jax.scipy.linalg.companion`: the square matrix of the coefficients of a polynomial, of one size less."""
    array = _at_least_1d(cx, "companion", a)
    dtype = None if array.dtype is None else to_inexact(array.dtype)
    if array.shape is None:
        return ShapedArray(None, dtype, False)
    if exceeds(2, array.shape[-1]):
        raise ShapeError(
            f"companion: the length of `a` along the last axis must be at least 2, got shape "
            f"{shape_tuple_str(array.shape)}",
            ValueError,
        )
    size = subtract_dims(array.shape[-1], 1)
    return ShapedArray((*array.shape[:-1], size, size), dtype, False)


@rule("scipy.linalg.leslie")
def leslie(cx: Context, f: Any, s: Any) -> ShapedArray:
    """`jax.scipy.linalg.leslie`: the matrix of a first row, and of the elements below the diagonal."""
    births, survivals = _at_least_1d(cx, "leslie", f), _at_least_1d(cx, "leslie", s, 1)
    size, below = [None if x.shape is None else x.shape[-1] for x in (births, survivals)]
    if exceeds(2, size):
        raise ShapeError(f"leslie: the length of f along the last axis must be at least 2, got {births}", ValueError)
    if differ(below, subtract_dims(size, 1)):
        raise ShapeError(f"leslie: s has one element less than f, got {survivals} and {births}", ValueError)
    matrix = _of_two_vectors(cx, "leslie", births, survivals)
    _, weak = cx.join("leslie", [births, survivals])
    return ShapedArray(None if matrix.shape is None else (*matrix.shape[:-2], size, size), matrix.dtype, weak)


@rule("scipy.linalg.fiedler_companion")
def fiedler_companion(cx: Context, a: Any) -> ShapedArray:
    """`jax.scipy.linalg.fiedler_companion`: another matrix with the roots of a polynomial as eigenvalues.

    It is as weak as the coefficients are where there are at most two, and not weak where there are more.
    """
    array = _at_least_1d(cx, "fiedler_companion", a)
    dtype = None if array.dtype is None else to_inexact(array.dtype)
    weak = False if array.weak_type is False or array.dtype == "bool" else None
    if array.shape is None:
        return ShapedArray(None, dtype, weak)
    if array.shape[-1] == 0:
        raise ShapeError(
            f"fiedler_companion: the length of `a` along the last axis must be nonzero, got shape "
            f"{shape_tuple_str(array.shape)}",
            ValueError,
        )
    size = subtract_dims(array.shape[-1], 1)
    if isinstance(size, int) and size < 2 and weak is None:
        weak = array.weak_type
    elif at_least(size, 2):
        weak = False
    return ShapedArray((*array.shape[:-1], size, size), dtype, weak)


@rule("scipy.linalg.convolution_matrix")
def convolution_matrix(cx: Context, a: Any, n: Any, mode: Any = "full") -> ShapedArray:
    """`jax.scipy.linalg.convolution_matrix`: the matrix by which a vector of n elements is convolved with others."""
    check_hashable("convolution_matrix", n=n, mode=mode)
    columns = as_size("convolution_matrix", "n", n)
    if exceeds(1, columns):
        raise DimError(f"convolution_matrix: n must be a positive integer, got {columns}", ValueError)
    array = as_operand(cx, a, "convolution_matrix")
    shape = array.shape
    if shape is not None and (not shape or shape[-1] == 0):
        raise ShapeError(f"convolution_matrix: a vector with elements is required, got {array}", ValueError)
    if isinstance(mode, str | int | float | None) and mode not in ("full", "valid", "same"):
        raise RuleError(f"convolution_matrix: mode is 'full', 'valid' or 'same', got {mode!r}", ValueError)
    if shape is None:
        return ShapedArray(None, array.dtype, False)
    full, lesser = subtract_dims(add_dims((shape[-1], columns)), 1), subtract_dims(min_dim(shape[-1], columns), 1)
    less = {"full": 0, "same": lesser, "valid": multiply_dims((2, lesser))}
    rows = subtract_dims(full, less[mode]) if isinstance(mode, str) else None
    return ShapedArray((*shape[:-1], rows, columns), array.dtype, False)


@rule("scipy.linalg.hilbert")
def hilbert(cx: Context, n: Any) -> ShapedArray:
    """`jax.scipy.linalg.hilbert`: the matrix of 1 / (i + j + 1)."""
    size = as_size("hilbert", "n", n)
    if exceeds(0, size):
        raise DimError(f"hilbert: n is at least 0, got {size}", TypeError)
    return ShapedArray((size, size), cx.default("float"), False)


@rule("scipy.linalg.hadamard")
def hadamard(cx: Context, n: Any, dtype: Any = int) -> ShapedArray:
    """`jax.scipy.linalg.hadamard`: the matrix of 1 and -1 with orthogonal rows, of a power of 2 as its size."""
    size = as_size("hadamard", "n", n) if not isinstance(n, float) else None
    if isinstance(size, int) and (size < 1 or size & (size - 1)):
        raise DimError(f"hadamard: n must be a positive power of 2, got {size}")
    array = ShapedArray((size, size), requested_dtype(cx, dtype, "hadamard"), False)
    if size is not None and at_least(size, 2):
        _negative(cx, array)
    return array


@rule("scipy.linalg.helmert")
def helmert(cx: Context, n: Any, full: Any = False) -> ShapedArray:
    """`jax.scipy.linalg.helmert`: orthogonal rows, of which all but the first are left unless it is `full`."""
    check_hashable("helmert", n=n, full=full)
    flag = as_flag(full)
    if isinstance(n, int | float) and n < 1:
        raise DimError(f"helmert: n must be a positive integer, got {n}", ValueError)
    shape = _arange(cx, n).shape
    if flag:
        as_size("helmert", "n", n)
    size = None if shape is None else shape[0]
    rows = None if flag is None else size if flag else subtract_dims(size, 1)
    return ShapedArray((rows, size), cx.default("float"), False)


@rule("scipy.linalg.dft")
def dft(cx: Context, n: Any, scale: Any = None, *, dtype: Any = None) -> ShapedArray:
    """`jax.scipy.linalg.dft`: the matrix by which the discrete Fourier transform multiplies."""
    if isinstance(scale, str) and scale not in ("sqrtn", "n"):
        raise RuleError(f"dft: scale must be None, 'sqrtn' or 'n', got {scale!r}", ValueError)
    chosen = cx.default("complex") if dtype is None else requested_dtype(cx, dtype, "dft")
    if chosen is not None and chosen not in ANY_COMPLEX:
        raise DtypeError(f"dft: dtype must be complex, got {chosen}", ValueError)
    size = _arange(cx, n, dtype=chosen or UNKNOWN).shape
    return ShapedArray((None, None) if size is None else (*size, *size), chosen, False)
