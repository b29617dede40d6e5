"""Rules of `jax.numpy.linalg`: decompositions, inverses, determinants, solutions, on the last two dimensions.

Integers and bools are made floats first; which of the results are weak follows from how JAX computes them.

Source: https://github.com/jax-ml/jax/blob/main/jax/_src/numpy/linalg.py.
"""

from __future__ import annotations

from typing import Any

from arraytyping.semantics.avals import UNKNOWN, Alternatives, ShapedArray, shape_tuple_str
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.dtype_kinds import to_inexact, to_real
from arraytyping.semantics.rules.errors import RuleError, ShapeError
from arraytyping.semantics.rules.lax_operands import NOT_INEXACT
from arraytyping.semantics.rules.named import named
from arraytyping.semantics.rules.operands import as_operand
from arraytyping.semantics.rules.refusals import refuse
from arraytyping.semantics.rules.shapes.broadcasting import broadcast_shapes
from arraytyping.semantics.rules.shapes.matrices import Matrix, as_matrix
from arraytyping.semantics.rules.sizes import with_shape
from arraytyping.semantics.rules.static_arguments import as_flag
from arraytyping.semantics.rules.table import rule
from arraytyping.semantics.sizes.dims import differ, known_dim

__all__: list[str] = []

_CHOLESKY, _EIGH, _SVD, _QR = (named(f"lax.linalg.{name}") for name in ("cholesky", "eigh", "svd", "qr"))
_MATMUL, _DIAGONAL = named("numpy.matmul"), named("numpy.diagonal")


def _inexact(cx: Context, operation: str, *xs: Any) -> list[ShapedArray]:
    """The arrays in the floating or complex dtype that they are promoted to."""
    arrays = [as_operand(cx, x, operation, i) for i, x in enumerate(xs)]
    dtype, weak = cx.join(operation, arrays)
    inexact = None if dtype is None else to_inexact(dtype)
    return [ShapedArray(a.shape, inexact, weak and dtype != "bool") for a in arrays]


def _squares(operation: str, array: ShapedArray, exception: type[Exception] = ValueError) -> Matrix | None:
    """The shape as that of square matrices; None if its rank is unknown.

    Raises:
        ShapeError: if it is none.
    """
    shape = array.shape
    if shape is None:
        return None
    if len(shape) < 2 or differ(shape[-2], shape[-1]):
        raise ShapeError(
            f"{operation} takes square matrices, in the last two dimensions, got shape {shape_tuple_str(shape)}",
            exception,
        )
    size = known_dim(shape[-2:])
    return shape[:-2], size, size


def _real(array: ShapedArray) -> str | None:
    return None if array.dtype is None else to_real(array.dtype)


@rule("numpy.linalg.cholesky")
def cholesky(cx: Context, a: Any, *, upper: Any = False, symmetrize_input: Any = True) -> Any:
    """`jax.numpy.linalg.cholesky`."""
    (array,) = _inexact(cx, "linalg.cholesky", a)
    return _CHOLESKY(cx, array, symmetrize_input=symmetrize_input)


@rule("numpy.linalg.eigh")
def eigh(cx: Context, a: Any, UPLO: Any = None, symmetrize_input: Any = True) -> Any:
    """`jax.numpy.linalg.eigh`: the values, then the vectors."""
    array = as_operand(cx, a, "linalg.eigh")
    if UPLO is not UNKNOWN and UPLO not in (None, "L", "U"):
        raise RuleError(f"linalg.eigh: UPLO is None, 'L' or 'U', got {UPLO!r}", ValueError)
    (array,) = _inexact(cx, "linalg.eigh", array)
    vectors, values = _EIGH(cx, array, symmetrize_input=symmetrize_input)
    return values, vectors


@rule("numpy.linalg.eigvalsh")
def eigvalsh(cx: Context, a: Any, UPLO: Any = "L", *, symmetrize_input: Any = True) -> Any:
    """`jax.numpy.linalg.eigvalsh`."""
    return eigh(cx, a, UPLO, symmetrize_input)[0]


@rule("numpy.linalg.svd")
def svd(
    cx: Context, a: Any, full_matrices: Any = True, compute_uv: Any = True, hermitian: Any = False,
    subset_by_index: Any = None,
) -> Any:  # fmt: skip
    """`jax.numpy.linalg.svd`: the singular values, between the vectors where they are computed."""
    (array,) = _inexact(cx, "linalg.svd", a)
    if as_flag(hermitian) is False:
        return _SVD(cx, array, full_matrices=full_matrices, compute_uv=compute_uv, subset_by_index=subset_by_index)
    vectors = as_flag(compute_uv)
    values = ShapedArray(None, _real(array))
    three = ShapedArray(None, array.dtype), values, ShapedArray(None, array.dtype)
    return Alternatives.of((three, values)) if vectors is None else three if vectors else values


@rule("numpy.linalg.svdvals")
def svdvals(cx: Context, x: Any, /) -> Any:
    """`jax.numpy.linalg.svdvals`."""
    return svd(cx, x, compute_uv=False)


@rule("numpy.linalg.qr")
def qr(cx: Context, a: Any, mode: Any = "reduced") -> Any:
    """`jax.numpy.linalg.qr`."""
    (array,) = _inexact(cx, "linalg.qr", a)
    if not isinstance(mode, str):
        return UNKNOWN
    if mode not in ("reduced", "r", "full", "complete", "raw"):
        raise RuleError(f"linalg.qr: mode is 'reduced', 'complete', 'r', 'full' or 'raw', got {mode!r}", ValueError)
    if mode == "raw":
        return UNKNOWN
    factors = _QR(cx, array, full_matrices=mode == "complete")
    return factors[1] if mode == "r" else factors


@rule("numpy.linalg.det")
def det(cx: Context, a: Any) -> ShapedArray:
    """`jax.numpy.linalg.det`; of matrices of 2 and 3 rows it is written out, which keeps a weak type."""
    (array,) = _inexact(cx, "linalg.det", a)
    square = _squares("linalg.det", array)
    if square is None:
        return ShapedArray(None, array.dtype, False if array.weak_type is False else None)
    size = square[1]
    if not isinstance(size, int):
        return ShapedArray(square[0], array.dtype, False if array.weak_type is False else None)
    if size not in (2, 3):
        refuse("linalg.det", array.dtype, (NOT_INEXACT,))
        return ShapedArray(square[0], array.dtype, False)
    return with_shape(array, square[0])


@rule("numpy.linalg.slogdet")
def slogdet(cx: Context, a: Any, *, method: Any = None) -> Any:
    """`jax.numpy.linalg.slogdet`: the sign, and the logarithm of the magnitude."""
    (array,) = _inexact(cx, "linalg.slogdet", a)
    square = _squares("linalg.slogdet", array)
    if isinstance(method, str) and method not in ("lu", "qr"):
        raise RuleError(f"linalg.slogdet: method is 'lu' or 'qr', got {method!r}", ValueError)
    lead = None if square is None else square[0]
    refuse("linalg.slogdet", array.dtype, (NOT_INEXACT,))
    size = None if square is None else square[1]
    weak: bool | None = False
    if array.weak_type is not False:  # small ones are written out, which keeps a weak type
        weak = (array.weak_type if size in (1, 2) else False) if isinstance(size, int) else None
    return ShapedArray(lead, array.dtype, weak), ShapedArray(lead, _real(array), weak)


@rule("numpy.linalg.inv")
def inv(cx: Context, a: Any) -> ShapedArray:
    """`jax.numpy.linalg.inv`."""
    array = as_operand(cx, a, "linalg.inv")
    square = _squares("linalg.inv", array)
    dtype = None if array.dtype is None else to_inexact(array.dtype)
    refuse("linalg.inv", dtype, (NOT_INEXACT,))
    return ShapedArray(None if square is None else (*square[0], square[1], square[2]), dtype, False)


@rule("numpy.linalg.pinv")
def pinv(cx: Context, a: Any, rtol: Any = None, hermitian: Any = False, *, rcond: Any = None) -> ShapedArray:
    """`jax.numpy.linalg.pinv`."""
    if rtol is not None and rcond is not None and rtol is not UNKNOWN and rcond is not UNKNOWN:
        raise RuleError("linalg.pinv: rtol and rcond are the same; give one of them", ValueError)
    (array,) = _inexact(cx, "linalg.pinv", a)
    shape = array.shape
    if shape is None or as_flag(hermitian) is not False:
        return ShapedArray(None, array.dtype, False)
    if len(shape) < 2:
        raise ShapeError(f"linalg.pinv takes matrices, got shape {shape_tuple_str(shape)}", ValueError)
    if 0 not in shape[-2:]:
        if None not in shape[-2:]:
            refuse("linalg.pinv", array.dtype, (NOT_INEXACT.raising(ValueError),))
        given = rtol if rcond is None else rcond
        if given is not None and not isinstance(given, int | float):
            return ShapedArray(None, array.dtype, False)
    return ShapedArray((*shape[:-2], shape[-1], shape[-2]), array.dtype, False)


@rule("numpy.linalg.solve")
def solve(cx: Context, a: Any, b: Any) -> ShapedArray:
    """`jax.numpy.linalg.solve`; a right side of one dimension is a vector, of more dimensions matrices."""
    matrix, right = _inexact(cx, "linalg.solve", a, b)
    if matrix.shape is not None and len(matrix.shape) < 2:
        raise ShapeError(
            f"linalg.solve: the left side needs two dimensions at least, got shape {shape_tuple_str(matrix.shape)}",
            ValueError,
        )
    dtype, weak = matrix.dtype, matrix.weak_type
    if matrix.shape is None or right.shape is None:
        return ShapedArray(None, dtype, weak)
    square = _squares("linalg.solve", matrix)
    assert square is not None
    lead, size, _ = square
    if not right.shape:
        raise ShapeError("linalg.solve: the right side needs one dimension at least, got shape ()", ValueError)
    vector = len(right.shape) == 1
    rows = right.shape[-1] if vector else right.shape[-2]
    if differ(size, rows):
        raise ShapeError(
            f"linalg.solve: {shape_tuple_str(matrix.shape)} and {shape_tuple_str(right.shape)} do not go together: the "
            f"right side needs {size} rows{'' if vector else ' in its last dimension but one'}",
            ValueError,
        )
    refuse("linalg.solve", dtype, (NOT_INEXACT,))
    rows = known_dim((size, rows))
    if vector:
        return ShapedArray((*lead, rows), dtype, weak)
    try:
        lead = broadcast_shapes("linalg.solve", lead, right.shape[:-2]) or ()
    except ShapeError as error:
        raise ShapeError(error.message, ValueError) from None
    return ShapedArray((*lead, rows, right.shape[-1]), dtype, weak)


@rule("numpy.linalg.matrix_power")
def matrix_power(cx: Context, a: Any, n: Any) -> ShapedArray:
    """`jax.numpy.linalg.matrix_power`."""
    array = as_operand(cx, a, "linalg.matrix_power")
    square = _squares("linalg.matrix_power", array, TypeError)
    if isinstance(n, float | complex | str | tuple | list) or n is None:
        raise RuleError(f"linalg.matrix_power: the exponent is an int, got {n!r}")
    if square is not None:
        array = with_shape(array, (*square[0], square[1], square[2]))
    if not isinstance(n, int):
        return ShapedArray(array.shape, None)
    if n == 0:
        return ShapedArray(array.shape, array.dtype, False)
    if n < 0:
        array = inv(cx, array)
    if n in (-1, 1):
        return array
    made = _MATMUL(cx, array, array)
    assert isinstance(made, ShapedArray)
    return made


@rule("numpy.linalg.diagonal")
def diagonal(cx: Context, x: Any, /, *, offset: Any = 0) -> Any:
    """`jax.numpy.linalg.diagonal`: of the last two dimensions."""
    return _DIAGONAL(cx, as_operand(cx, x, "linalg.diagonal"), offset, -2, -1)


@rule("numpy.linalg.matrix_rank")
def matrix_rank(cx: Context, M: Any, rtol: Any = None, *, hermitian: Any = False, tol: Any = None) -> ShapedArray:
    """`jax.numpy.linalg.matrix_rank`."""
    if rtol is not None and tol is not None and rtol is not UNKNOWN and tol is not UNKNOWN:
        raise RuleError("linalg.matrix_rank: rtol and tol are the same; give one of them", ValueError)
    (array,) = _inexact(cx, "linalg.matrix_rank", M)
    if array.shape is None:
        return ShapedArray(None, None)
    if len(array.shape) < 2:
        return ShapedArray((), "int32", False)
    known = (rtol is None or isinstance(rtol, int | float)) and (tol is None or isinstance(tol, int | float))
    if as_flag(hermitian) is False:
        refuse("linalg.matrix_rank", array.dtype, (NOT_INEXACT,))
    matrix = as_matrix("linalg.matrix_rank", array.shape)
    assert matrix is not None
    if rtol is None and tol is None and 0 in matrix[1:]:
        raise ShapeError(f"linalg.matrix_rank: there is no rank of {array}, which has no items", ValueError)
    return ShapedArray(matrix[0] if known else None, cx.default("int"), False)
