"""Rules of `jax.scipy.linalg`: Sylvester's equation, products with a unitary factor, and matrices of three diagonals.

Source: https://github.com/jax-ml/jax/blob/main/jax/_src/scipy/linalg.py.
"""

from __future__ import annotations

from typing import Any, Final

from arraytyping.semantics.avals import UNKNOWN, Alternatives, Dim, Shape, ShapedArray, shape_tuple_str
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.dtype_kinds import ANY_COMPLEX, to_inexact, to_real
from arraytyping.semantics.rules.errors import DimError, DtypeError, RuleError, ShapeError
from arraytyping.semantics.rules.hashability import check_hashable
from arraytyping.semantics.rules.lax_operands import NOT_INEXACT
from arraytyping.semantics.rules.named import named
from arraytyping.semantics.rules.refusals import refuse
from arraytyping.semantics.rules.shapes.broadcasting import broadcast_shapes
from arraytyping.semantics.rules.shapes.matrices import lesser
from arraytyping.semantics.rules.static_arguments import as_flag, as_size, is_constant
from arraytyping.semantics.rules.table import rule
from arraytyping.semantics.sizes.dims import (
    add_dims,
    any_differ,
    at_least,
    differ,
    exceeds,
    known_dim,
    multiply_dims,
    subtract_dims,
)

__all__: list[str] = []

_asarray: Final = named("numpy.asarray")


def _promoted(cx: Context, operation: str, *xs: Any) -> tuple[list[Shape | None], str | None, bool | None]:
    arrays = [_asarray(cx, x) for x in xs]
    dtype, weak = cx.join(operation, arrays)
    return [a.shape for a in arrays], None if dtype is None else to_inexact(dtype), weak and dtype != "bool"


@rule("scipy.linalg.solve_sylvester")
def solve_sylvester(
    cx: Context, A: Any, B: Any, C: Any, *, method: Any = "schur", tol: Any = 1e-8
) -> ShapedArray:  # fmt: skip
    """`jax.scipy.linalg.solve_sylvester`: the matrix X with A X + X B = C, real if all are."""
    check_hashable("solve_sylvester", method=method)
    shapes, dtype, _ = _promoted(cx, "solve_sylvester", A, B, C)
    for shape in reversed(shapes):
        if shape is not None and len(shape) < 2:
            raise DimError(f"solve_sylvester: matrices are required, got shape {shape_tuple_str(shape)}", ValueError)
    (rows, columns), *leads = _sylvester_sizes(shapes)
    if is_constant(method) and method not in ("schur", "eigen"):
        raise RuleError(f"solve_sylvester: method is 'schur' or 'eigen', got {method!r}", ValueError)
    if method == "schur" and 0 in (rows, columns):
        raise ShapeError("solve_sylvester: matrices with elements are required; give method='eigen'", IndexError)
    refuse("solve_sylvester", dtype, (NOT_INEXACT,))
    lead = broadcast_shapes("solve_sylvester", *leads, exception=ValueError)
    if dtype is not None and dtype not in ANY_COMPLEX:
        dtype = "float64" if dtype == "float64" else "float32"
    return ShapedArray(None if lead is None else (*lead, rows, columns), dtype, False)


def _sylvester_sizes(shapes: list[Shape | None]) -> list[Any]:
    """The rows and columns of the solution, and the leading dimensions of each operand.

    Raises:
        ShapeError: (ValueError) if the matrices do not go together.
    """
    a, b, c = ((None, None) if shape is None else shape[-2:] for shape in shapes)
    if any_differ((*a, c[0])) or any_differ((*b, c[1])):
        shown = ", ".join(shape_tuple_str(shape) for shape in shapes if shape is not None)
        raise ShapeError(f"solve_sylvester: matrices (m, m), (n, n) and (m, n) are required, got {shown}", ValueError)
    sizes = known_dim((c[0], *a)), known_dim((c[1], *b))
    return [sizes, *(None if shape is None else shape[:-2] for shape in shapes)]


@rule("scipy.linalg.qr_multiply")
def qr_multiply(
    cx: Context, a: Any, c: Any, mode: Any = "right", pivoting: Any = False, conjugate: Any = False,
    overwrite_a: Any = False, overwrite_c: Any = False,
) -> Any:  # fmt: skip
    """`jax.scipy.linalg.qr_multiply`: a matrix multiplied by the unitary factor of another, and the triangular one."""
    (of_a, of_c), dtype, weak = _promoted(cx, "qr_multiply", a, c)
    if is_constant(mode) and mode not in ("right", "left"):
        raise RuleError(f"qr_multiply: mode is 'right' or 'left', got {mode!r}", ValueError)
    if of_a is not None and len(of_a) < 2:
        raise DimError(f"qr_multiply: matrices are required, got shape {shape_tuple_str(of_a)}", ValueError)
    if of_c == ():
        raise DimError("qr_multiply: what is multiplied has at least 1 dimension, got none", IndexError)
    flag = as_flag(pivoting)
    if not isinstance(mode, str):
        return UNKNOWN
    m, n = (None, None) if of_a is None else of_a[-2:]
    k = lesser(m, n)
    is_row = of_c is not None and len(of_c) == 1
    if of_c is not None and is_row:
        of_c = (*of_c, 1) if mode == "left" else (1, *of_c)
    rows, columns = (None, None) if of_c is None else of_c[-2:]
    inner, wanted = (rows, k) if mode == "left" else (columns, m)
    if differ(inner, wanted):
        raise ShapeError(f"qr_multiply: {inner} elements are multiplied by a factor of {wanted}", ValueError)
    lead = broadcast_shapes(
        "qr_multiply", None if of_a is None else of_a[:-2], None if of_c is None else of_c[:-2], exception=ValueError
    )
    refuse("qr_multiply", dtype, (NOT_INEXACT,))
    own = (m, columns) if mode == "left" else (rows, k)
    product: Shape | None = None if lead is None else (*lead, *own)
    if is_row:
        product = (None if product is None else multiply_dims(product),)
    padded = mode == "left" and (exceeds(m, n) or (None if not (isinstance(m, int) and isinstance(n, int)) else False))
    of_product = weak if padded is False else False if weak is False or padded else None
    triangle = None if lead is None else (*lead, k, n)
    two = ShapedArray(product, dtype, of_product), ShapedArray(triangle, dtype, weak)
    pivots = ShapedArray(None if lead is None else (*lead, n), "int32", False)
    three = ShapedArray(product, dtype, False), ShapedArray(triangle, dtype, False), pivots
    return Alternatives.of((two, three)) if flag is None else three if flag else two


@rule("scipy.linalg.eigh_tridiagonal")
def eigh_tridiagonal(
    cx: Context, d: Any, e: Any, *, eigvals_only: Any = False, select: Any = "a", select_range: Any = None,
    tol: Any = None, key: Any = None,
) -> Any:  # fmt: skip
    """`jax.scipy.linalg.eigh_tridiagonal`: the eigenvalues of a matrix of three diagonals, and the eigenvectors."""
    check_hashable("eigh_tridiagonal", eigvals_only=eigvals_only, select=select, select_range=select_range)
    diagonal, beside = _asarray(cx, d), _asarray(cx, e)
    if diagonal.dtype is not None and beside.dtype not in (None, diagonal.dtype):
        raise DtypeError(f"eigh_tridiagonal: arrays of one dtype are required, got {diagonal} and {beside}")
    dtype = diagonal.dtype or beside.dtype
    if dtype is not None and dtype not in ("float32", "float64", "complex64", "complex128"):
        raise DtypeError(f"eigh_tridiagonal does not take {dtype}; convert, with .astype(jnp.float32)")
    if diagonal.shape == ():
        raise DimError("eigh_tridiagonal: a vector is required, got a number", IndexError)
    size: Dim = None if diagonal.shape is None else diagonal.shape[0]
    real = None if dtype is None else to_real(dtype)
    flag = as_flag(eigvals_only)
    if isinstance(size, int) and size < 2:
        values = ShapedArray(diagonal.shape, real, diagonal.weak_type)
        count: Dim = size
    elif (diagonal.shape is not None and len(diagonal.shape) > 1) or not at_least(size, 2):
        return UNKNOWN
    else:
        if beside.shape is not None and len(beside.shape) == 1 and differ(beside.shape[0], subtract_dims(size, 1)):
            raise ShapeError(f"eigh_tridiagonal: one less beside the diagonal, got {diagonal} and {beside}")
        if beside.shape == ():
            raise DimError("eigh_tridiagonal: a vector is required beside the diagonal, got a number", IndexError)
        if beside.ndim not in (None, 1):
            return UNKNOWN
        count = _selected(select, select_range, size)
        if flag is False and exceeds(count, size):
            raise ShapeError(f"eigh_tridiagonal: {count} eigenvectors are selected of {size}")
        values = ShapedArray((count,), real, False)
    both = values, ShapedArray((size, count), dtype, False)
    return Alternatives.of((values, both)) if flag is None else values if flag else both


def _selected(select: Any, select_range: Any, size: Dim) -> Dim:
    """How many eigenvalues are asked for.

    Raises:
        RuleError: (ValueError) for what is no selection; (NotImplementedError) for one by values.
    """
    if not isinstance(select, str):
        return None
    if select == "a":
        return size
    if select == "v":
        raise RuleError("eigh_tridiagonal: select='v' is not implemented; select by 'i'", NotImplementedError)
    if select != "i":
        raise RuleError(f"eigh_tridiagonal: select is 'a' or 'i', got {select!r}", ValueError)
    if select_range is None:
        raise RuleError("eigh_tridiagonal: select='i' requires select_range; give a pair of indices", ValueError)
    if not isinstance(select_range, tuple) or len(select_range) < 2:
        return None
    low, high = (as_size("eigh_tridiagonal", "a bound", x) if not isinstance(x, float) else None
                 for x in select_range[:2])  # fmt: skip
    if exceeds(low, high):
        raise RuleError(f"eigh_tridiagonal: the selection {low}..{high} is empty", ValueError)
    return add_dims((subtract_dims(high, low), 1))
