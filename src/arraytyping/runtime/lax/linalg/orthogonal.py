"""The QR decomposition, perhaps with pivoting.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.lax.linalg.qr.html; the derivatives, J. Townsend,
"Differentiating the QR decomposition", https://j-towns.github.io/papers/qr-derivative.pdf, and https://arxiv.org/abs/2409.13374.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from arraytyping.runtime.calling import operation
from arraytyping.runtime.core import Primitive
from arraytyping.runtime.lax.arithmetic import add_p, constant_like, mul_p, sub_p
from arraytyping.runtime.lax.linalg.lu import lu_p, permuted_rows, solve_with_lu
from arraytyping.runtime.lax.linalg.matrices import (
    adjoint,
    as_dtype,
    batch_first,
    columns,
    identity,
    is_complex,
    matmul,
    real_part,
    rows,
    swapped,
    triangle,
)
from arraytyping.runtime.lax.linalg.triangular import solve_triangular
from arraytyping.runtime.lax.slicing import concatenate_p, pad_p
from arraytyping.runtime.tracing.tangents import Zero, is_zero
from arraytyping.semantics.rules.named import named

__all__ = ["qr", "qr_p"]


def _rule(cx: Any, x: Any, *, pivoting: bool, full_matrices: bool) -> Any:
    return named("lax.linalg.qr")(cx, x, pivoting=pivoting, full_matrices=full_matrices)


qr_p: Final = Primitive("qr", _rule, multiple_results=True)
qr_p.batching_rule = batch_first(qr_p)


def _thin_tangents(q: Any, r: Any, dx: Any) -> tuple[Any, Any]:
    """The tangents of the factors of matrices with at least as many rows as columns."""
    right = solve_triangular(r, dx, left_side=False, lower=False)
    inner = matmul(adjoint(q), right)
    lower = triangle(inner, lower=True, offset=-1)
    skew = sub_p.bind(lower, adjoint(lower))
    if is_complex(inner):  # the imaginary diagonal
        imaginary = sub_p.bind(inner, as_dtype(real_part(inner), inner.aval.dtype))
        skew = add_p.bind(skew, mul_p.bind(identity(inner.aval.dtype, inner.aval.shape), imaginary))
    dq = add_p.bind(matmul(q, sub_p.bind(skew, inner)), right)
    return dq, matmul(sub_p.bind(inner, skew), r)


def _joined(x: Any, y: Any) -> Any:
    """Two matrices side by side."""
    return concatenate_p.bind(x, y, dimension=len(x.aval.shape) - 1)


def _wide_tangents(q: Any, r: Any, x: Any, dx: Any) -> tuple[Any, Any]:
    """Of more columns than rows: the first ones decide on q, and r is of the rest what q leaves."""
    m, n = x.aval.shape[-2:]
    dq, dr = _thin_tangents(q, columns(r, 0, m), columns(dx, 0, m))
    rest = add_p.bind(matmul(adjoint(dq), columns(x, m, n)), matmul(adjoint(q), columns(dx, m, n)))
    return dq, _joined(dr, rest)


def _completed(q: Any, dq: Any, m: int, n: int) -> Any:
    """The tangent of all columns of q, of which the first n are those of the thin decomposition."""
    thin, more = columns(q, 0, n), columns(q, n, m)
    top, bottom = rows(thin, 0, n), rows(thin, n, m)
    shifted = sub_p.bind(top, identity(top.aval.dtype, top.aval.shape))
    factors, _, permutation = lu_p.bind(shifted)
    z_adjoint = solve_with_lu(factors, permutation, adjoint(bottom))
    z = adjoint(z_adjoint)
    change = sub_p.bind(rows(dq, n, m), matmul(z, rows(dq, 0, n)))
    others = sub_p.bind(matmul(dq, z_adjoint), matmul(add_p.bind(thin, matmul(more, z)), adjoint(change)))
    return _joined(dq, others)


def _jvp(primals: Sequence[Any], tangents: Sequence[Any], *, pivoting: bool, full_matrices: bool) -> tuple[Any, Any]:
    (x,), (dx,) = primals, tangents
    results = qr_p.bind(x, pivoting=pivoting, full_matrices=full_matrices)
    if is_zero(dx):
        return results, [Zero(r.aval) for r in results]
    q, r = results[:2]
    m, n = x.aval.shape[-2:]
    if pivoting:
        dx, x = (swapped(permuted_rows(swapped(v), results[2])) for v in (dx, x))
    if m < n:
        dq, dr = _wide_tangents(q, r, x, dx)
    elif full_matrices and m > n:
        dq, dr = _thin_tangents(columns(q, 0, n), rows(r, 0, n), dx)
        dq = _completed(q, dq, m, n)
        config = ((0, 0, 0),) * (len(x.aval.shape) - 2) + ((0, m - n, 0), (0, 0, 0))
        dr = pad_p.bind(dr, constant_like(dr, 0), padding_config=config)
    else:
        dq, dr = _thin_tangents(q, r, dx)
    return results, [dq, dr, *(Zero(p.aval) for p in results[2:])]


qr_p.jvp_rule = _jvp


@operation("lax.linalg.qr", "x", how="inline")
def qr(x: Any, *, pivoting: bool = False, full_matrices: bool = True, use_magma: bool | None = None) -> Any:
    """`jax.lax.linalg.qr`: a unitary matrix and an upper triangular one, and the pivots where they are asked for."""
    return tuple(qr_p.bind(x, pivoting=bool(pivoting), full_matrices=bool(full_matrices)))
