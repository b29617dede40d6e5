"""Rules of `jax.scipy.linalg`: factorizations of general matrices, and the exponential.

Source: https://github.com/jax-ml/jax/blob/main/jax/_src/scipy/linalg.py.
"""

from __future__ import annotations

from typing import Any, Final

from arraytyping.semantics.avals import UNKNOWN, Alternatives, ShapedArray, shape_tuple_str
from arraytyping.semantics.rules.compositions import Operations, composition
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.dtype_kinds import ANY_INTEGER, to_inexact, to_real
from arraytyping.semantics.rules.errors import DimError, DtypeError, RuleError, ShapeError
from arraytyping.semantics.rules.named import named
from arraytyping.semantics.rules.operands import as_operand
from arraytyping.semantics.rules.shapes.matrices import lesser
from arraytyping.semantics.rules.static_arguments import as_flag
from arraytyping.semantics.rules.table import rule
from arraytyping.semantics.sizes.dims import differ, known_dim

__all__: list[str] = []

_asarray: Final = named("numpy.asarray")
_lax_lu: Final = named("lax.linalg.lu")
_matmul: Final = named("numpy.matmul")
_norm: Final = named("numpy.linalg.norm")


def _inexact(ops: Operations, operation: str, a: Any) -> Any:
    return ops.inexact(operation, ops("numpy.asarray", a))[0]


@composition("scipy.linalg.lu_factor")
def lu_factor(ops: Operations, a: Any, overwrite_a: Any = False, check_finite: Any = True) -> Any:
    """`jax.scipy.linalg.lu_factor`: both factors in one matrix, and the exchanges of rows, for `lu_solve`."""
    factors, pivots, _ = ops("lax.linalg.lu", _inexact(ops, "lu_factor", a))
    return factors, pivots


@composition("scipy.linalg.qr")
def qr(
    ops: Operations, a: Any, overwrite_a: Any = False, lwork: Any = None, mode: Any = "full", pivoting: Any = False,
    check_finite: Any = True,
) -> Any:  # fmt: skip
    """`jax.scipy.linalg.qr`: an orthogonal factor, unless the mode is `r`, a triangular one, and the exchanges."""
    if ops.is_unknown(mode, pivoting):
        return UNKNOWN
    if isinstance(mode, str) and mode not in ("full", "r", "economic"):
        raise RuleError(f"qr: the mode is 'full', 'r' or 'economic', got {mode!r}", ValueError)
    factors = ops("lax.linalg.qr", _inexact(ops, "qr", a), pivoting=pivoting, full_matrices=mode != "economic")
    return tuple(factors[1:] if mode == "r" else factors)


@rule("scipy.linalg.lu")
def lu(
    cx: Context, a: Any, permute_l: Any = False, overwrite_a: Any = False, check_finite: Any = True
) -> Any:  # fmt: skip
    """`jax.scipy.linalg.lu`: the permutation, a real matrix, and both factors; or their product and the upper one.

    Shape `(m, n)` gives `(m, m)`, `(m, k)` and `(k, n)`, where k is the lesser; the upper one is as weak as the matrix.
    """
    array = _asarray(cx, a)
    dtype, weak = array.dtype, array.weak_type and array.dtype != "bool"
    operand = ShapedArray(array.shape, None if dtype is None else to_inexact(dtype), weak)
    factors, _, _ = _lax_lu(cx, operand)
    if array.ndim is not None and array.ndim != 2:
        raise DimError(f"lu: a matrix is required, got an array of {array.ndim} dimensions", ValueError)
    m, n = array.shape or (None, None)
    k = lesser(m, n)
    dtype = factors.dtype
    permutation = ShapedArray((m, m), None if dtype is None else to_real(dtype), False)
    lower, upper = ShapedArray((m, k), dtype, False), ShapedArray((k, n), dtype, factors.weak_type)
    flag = as_flag(permute_l)
    both = (lower, upper), (permutation, lower, upper)
    return Alternatives.of(both) if flag is None else both[0] if flag else both[1]


@rule("scipy.linalg.expm")
def expm(cx: Context, A: Any, *, upper_triangular: Any = False, max_squarings: Any = 16) -> ShapedArray:
    """`jax.scipy.linalg.expm`: the exponential of square matrices of 32 or 64 bits."""
    array = as_operand(cx, A, "expm")
    shape = array.shape
    if shape is not None and (len(shape) < 2 or differ(shape[-1], shape[-2])):
        raise ShapeError(f"expm: square matrices are required, got shape {shape_tuple_str(shape)}", ValueError)
    dtype = None if array.dtype is None else to_inexact(array.dtype)
    _norm(
        cx, ShapedArray((None, None) if shape is None else shape[-2:], dtype, False), 1
    )  # JAX asks for it before it looks at the dtype
    if dtype is not None and dtype not in ("float32", "float64", "complex64", "complex128"):
        raise DtypeError(f"expm: {dtype} is not supported; convert the matrix, with .astype(jnp.float32)")
    if shape is not None:
        size = known_dim(shape[-2:])
        shape = (*shape[:-2], size, size)
    return ShapedArray(shape, dtype, False)


@rule("scipy.linalg.polar")
def polar(
    cx: Context, a: Any, side: Any = "right", *, method: Any = "qdwh", eps: Any = None, max_iterations: Any = None
) -> Any:
    """`jax.scipy.linalg.polar`: a unitary and a positive factor, which stands at the side that is named.

    Raises:
        RuleError: (NotImplementedError) by `qdwh` for matrices that are wider than high, with the positive factor at
            the right, and for those that are not, with it at the left.
    """
    array = _asarray(cx, a)
    shape = array.shape
    if shape is not None and len(shape) < 2:
        raise DimError(f"polar: matrices are required, got an array of {len(shape)} dimensions", ValueError)
    if not isinstance(side, str) or not isinstance(method, str):
        return UNKNOWN
    if side not in ("right", "left"):
        raise RuleError(f"polar: the side is 'right' or 'left', got {side!r}", ValueError)
    if method not in ("qdwh", "svd"):
        raise RuleError(f"polar: the method is 'qdwh' or 'svd', got {method!r}", ValueError)
    m, n = (None, None) if shape is None else shape[-2:]
    if method == "qdwh" and isinstance(m, int) and isinstance(n, int) and (m >= n) != (side == "right"):
        raise RuleError(f"polar: method 'qdwh' with side {side!r} takes no {m} x {n} matrices; give method='svd'",
                        NotImplementedError)  # fmt: skip
    dtype = array.dtype
    if dtype is not None and dtype in (*ANY_INTEGER, "bool"):
        raise DtypeError(
            f"polar: floats or complex numbers are required, got {dtype}; convert, with .astype(jnp.float32)",
            ValueError if method == "qdwh" else TypeError,
        )
    size = n if side == "right" else m
    positive = None if shape is None else (*shape[:-2], size, size)
    unitary = ShapedArray((2, 2), dtype, array.weak_type if method == "svd" else False)
    unitary = _matmul(cx, unitary, unitary)  # where it is weak, it is of the default width then
    return ShapedArray(shape, unitary.dtype, unitary.weak_type), ShapedArray(positive, dtype, False)
