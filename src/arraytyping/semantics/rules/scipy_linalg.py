"""Rules of `jax.scipy.linalg`: decompositions, and equations that are solved by them.

Source: https://github.com/jax-ml/jax/blob/main/jax/_src/scipy/linalg.py.
"""

from __future__ import annotations

from typing import Any, Final

from arraytyping.semantics.avals import UNKNOWN, Shape, ShapedArray
from arraytyping.semantics.rules.compositions import Operations, composition
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.dtype_kinds import to_inexact
from arraytyping.semantics.rules.errors import DimError, RuleError, ShapeError
from arraytyping.semantics.rules.named import named
from arraytyping.semantics.rules.operands import ANY_ARRAY, as_operand
from arraytyping.semantics.rules.shapes.broadcasting import broadcast_shapes
from arraytyping.semantics.rules.table import rule
from arraytyping.semantics.sizes.dims import add_dims, differ

__all__: list[str] = []

_asarray: Final = named("numpy.asarray")
_triangular_solve: Final = named("lax.linalg.triangular_solve")
_permutation: Final = named("lax.linalg.lu_pivots_to_permutation")
_solve: Final = named("numpy.linalg.solve")


def _inexact(ops: Operations, operation: str, a: Any) -> Any:
    return ops.inexact(operation, ops("numpy.asarray", a))[0]


@composition("scipy.linalg.cholesky")
def cholesky(ops: Operations, a: Any, lower: Any = False, overwrite_a: Any = False, check_finite: Any = True) -> Any:
    """`jax.scipy.linalg.cholesky`: the triangular factor, the upper one unless `lower`."""
    a = _inexact(ops, "cholesky", a)

    def transposed(x: Any) -> Any:
        return ops("numpy.conj", ops("numpy.matrix_transpose", x))

    def upper() -> Any:
        return transposed(ops("lax.linalg.cholesky", transposed(a), symmetrize_input=False))

    return ops.choose(lower, lambda: ops("lax.linalg.cholesky", a, symmetrize_input=False), upper)


@composition("scipy.linalg.det")
def det(ops: Operations, a: Any, overwrite_a: Any = False, check_finite: Any = True) -> Any:
    """`jax.scipy.linalg.det`: the determinant."""
    return ops("numpy.linalg.det", a)


@composition("scipy.linalg.inv")
def inv(ops: Operations, a: Any, overwrite_a: Any = False, check_finite: Any = True) -> Any:
    """`jax.scipy.linalg.inv`: the inverse."""
    return ops("numpy.linalg.inv", a)


@composition("scipy.linalg.svd")
def svd(
    ops: Operations, a: Any, full_matrices: Any = True, compute_uv: Any = True, overwrite_a: Any = False,
    check_finite: Any = True, lapack_driver: Any = "gesdd",
) -> Any:  # fmt: skip
    """`jax.scipy.linalg.svd`: the singular values, and the factors beside them."""
    return ops("lax.linalg.svd", _inexact(ops, "svd", a), full_matrices=full_matrices, compute_uv=compute_uv)


@composition("scipy.linalg.eigh")
def eigh(
    ops: Operations, a: Any, b: Any = None, lower: Any = True, eigvals_only: Any = False, overwrite_a: Any = False,
    overwrite_b: Any = False, turbo: Any = True, eigvals: Any = None, type: Any = 1, check_finite: Any = True,
) -> Any:  # fmt: skip
    """`jax.scipy.linalg.eigh`: the eigenvalues of a symmetric or Hermitian matrix, and the eigenvectors."""
    if ops.is_unknown(b, eigvals, type, eigvals_only):
        return UNKNOWN
    if b is not None or eigvals is not None or (isinstance(type, int) and type != 1):
        raise RuleError("eigh: only b=None, eigvals=None and type=1 are implemented; leave them out",
                        NotImplementedError)  # fmt: skip
    vectors, values = ops("lax.linalg.eigh", _inexact(ops, "eigh", a), lower=lower)
    return ops.choose(eigvals_only, lambda: values, lambda: (values, vectors))


def _solved(cx: Context, operation: str, a: Any, b: Any) -> ShapedArray:
    """The solution of triangular equations, broadcast over what is before the matrices."""
    left, right = _asarray(cx, a), _asarray(cx, b)
    dtype, weak = cx.join(operation, [left, right])
    inexact = None if dtype is None else to_inexact(dtype)
    core = [ShapedArray((2, 2), inexact, weak and dtype != "bool") for _ in range(2)]
    result = _triangular_solve(cx, *core, left_side=True)
    return ShapedArray(_solved_shape(operation, left.shape, right.shape), result.dtype, result.weak_type)


def _solved_shape(operation: str, a: Shape | None, b: Shape | None) -> Shape | None:
    if a is not None and len(a) < 2:
        kind = IndexError if len(a) == 1 and b == () else ValueError
        raise DimError(f"{operation}: a matrix is required, got an array of {len(a)} dimensions", kind)
    if b is not None and not b:
        raise DimError(f"{operation}: the right-hand side has at least 1 dimension, got none", ValueError)
    if a is not None:
        _same(operation, a[-2], a[-1], "the matrices are square")
    if a is None or b is None:
        return None
    is_row = len(b) == 1
    if len(a) == len(b) + 1 and len(b) > 1:
        if not (isinstance(a[-1], int) and isinstance(b[-1], int)):
            return None
        is_row = a[-1] == b[-1]
    if is_row:
        _same(operation, a[-1], b[-1], "the right-hand side has as many rows as the matrix")
        batch, own = b[:-1], b[-1:]
    else:
        _same(operation, a[-1], b[-2], "the right-hand side has as many rows as the matrix")
        batch, own = b[:-2], b[-2:]
    try:
        before = broadcast_shapes(operation, a[:-2], batch)
    except ShapeError as error:
        raise ShapeError(error.message, ValueError) from None
    return None if before is None else (*before, *own)


def _same(operation: str, m: Any, n: Any, why: str) -> None:
    if differ(m, n):
        raise ShapeError(f"{operation}: {why}, got sizes {m} and {n}", ValueError)


@rule("scipy.linalg.solve_triangular")
def solve_triangular(
    cx: Context, a: Any, b: Any, trans: Any = 0, lower: Any = False, unit_diagonal: Any = False,
    overwrite_b: Any = False, debug: Any = None, check_finite: Any = True,
) -> ShapedArray:  # fmt: skip
    """`jax.scipy.linalg.solve_triangular`: of the shape of the right-hand side."""
    if isinstance(trans, int | str) and trans not in (0, 1, 2, "N", "T", "C"):
        raise RuleError(f"solve_triangular: trans is 0, 1, 2, 'N', 'T' or 'C', got {trans!r}", ValueError)
    return _solved(cx, "solve_triangular", a, b)


@rule("scipy.linalg.cho_solve")
def cho_solve(cx: Context, c_and_lower: Any, b: Any, overwrite_b: Any = False, check_finite: Any = True) -> ShapedArray:
    """`jax.scipy.linalg.cho_solve`: of the shape of the right-hand side."""
    if not isinstance(c_and_lower, tuple | list) or len(c_and_lower) != 2:
        return ANY_ARRAY
    return _solved(cx, "cho_solve", c_and_lower[0], b)


@rule("scipy.linalg.lu_solve")
def lu_solve(
    cx: Context, lu_and_piv: Any, b: Any, trans: Any = 0, overwrite_b: Any = False, check_finite: Any = True
) -> ShapedArray:
    """`jax.scipy.linalg.lu_solve`: of the shape of the right-hand side."""
    if not isinstance(lu_and_piv, tuple | list) or len(lu_and_piv) != 2:
        return ANY_ARRAY
    factors, pivots = _asarray(cx, lu_and_piv[0]), _asarray(cx, lu_and_piv[1])
    if factors.ndim is not None and factors.ndim < 2:
        raise DimError(f"lu_solve: a matrix is required, got an array of {factors.ndim} dimensions", ValueError)
    rows = factors.shape[-2] if factors.shape else None
    _permutation(cx, pivots, UNKNOWN if rows is None else rows)
    result = _solved(cx, "lu_solve", factors, b)
    if isinstance(trans, int) and trans not in (0, 1, 2):
        raise RuleError(f"lu_solve: trans is 0, 1 or 2, got {trans!r}", ValueError)
    is_of_matrix = factors.shape and pivots.shape and pivots.shape[:-1] in ((), factors.shape[:-2])
    return ShapedArray(result.shape if is_of_matrix else None, result.dtype, result.weak_type)


@rule("scipy.linalg.solve")
def solve(
    cx: Context, a: Any, b: Any, lower: Any = False, overwrite_a: Any = False, overwrite_b: Any = False,
    debug: Any = False, check_finite: Any = True, assume_a: Any = "gen",
) -> ShapedArray:  # fmt: skip
    """`jax.scipy.linalg.solve`: the solution of linear equations."""
    if not isinstance(assume_a, str):
        return ANY_ARRAY
    if assume_a not in ("gen", "sym", "her", "pos"):
        raise RuleError(f"solve: assume_a is 'gen', 'sym', 'her' or 'pos', got {assume_a!r}", ValueError)
    if assume_a != "pos":
        result: ShapedArray = _solve(cx, a, b)
        return result
    solved = _solved(cx, "solve", a, b)
    left, right = _asarray(cx, a).shape, _asarray(cx, b).shape
    is_simple = left is not None and right is not None and len(left) == 2 and len(right) < 3
    return ShapedArray(solved.shape if is_simple else None, solved.dtype, solved.weak_type)


@rule("scipy.linalg.block_diag")
def block_diag(cx: Context, *arrs: Any) -> ShapedArray:
    """`jax.scipy.linalg.block_diag`: a matrix with these along its diagonal, in the dtype that they are promoted to."""
    if not arrs:
        return ShapedArray((1, 0), cx.default("float"), False)
    blocks = [as_operand(cx, x, "block_diag", i) for i, x in enumerate(arrs)]
    for i, block in enumerate(blocks):
        if block.shape is not None and len(block.shape) > 2:
            raise DimError(
                f"block_diag: blocks have at most 2 dimensions, argument {i} has {len(block.shape)}", ValueError
            )
    dtype, _ = cx.join("block_diag", blocks)
    if any(b.shape is None for b in blocks):
        return ShapedArray((None, None), dtype, False)
    sizes = [(*(1,) * (2 - len(b.shape or ())), *(b.shape or ())) for b in blocks]
    return ShapedArray((add_dims([m for m, _ in sizes]), add_dims([n for _, n in sizes])), dtype, False)
