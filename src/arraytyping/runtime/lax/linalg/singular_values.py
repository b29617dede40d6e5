"""The singular value decomposition.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.lax.linalg.svd.html; the derivative, `_svd_jvp_rule` of
https://github.com/jax-ml/jax/blob/main/jax/_src/lax/linalg.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from arraytyping.runtime.calling import operation
from arraytyping.runtime.core import Primitive
from arraytyping.runtime.lax.arithmetic import add_p, constant_like, div_p, mul_p, sub_p
from arraytyping.runtime.lax.comparisons import eq_p
from arraytyping.runtime.lax.creation import full_of
from arraytyping.runtime.lax.linalg.eigenvalues import along
from arraytyping.runtime.lax.linalg.implementations import SvdAlgorithm
from arraytyping.runtime.lax.linalg.matrices import (
    adjoint,
    as_dtype,
    batch_first,
    diagonal,
    diagonal_matrix,
    identity,
    matmul,
    real_part,
)
from arraytyping.runtime.lax.structure import broadcast_in_dim_p
from arraytyping.runtime.tracing.tangents import Zero, is_zero
from arraytyping.semantics.rules.named import named

__all__ = ["svd", "svd_p"]


def _rule(cx: Any, x: Any, *, full_matrices: bool, compute_uv: bool) -> Any:
    found = named("lax.linalg.svd")(cx, x, full_matrices=full_matrices, compute_uv=compute_uv)
    return found if compute_uv else [found]


svd_p: Final = Primitive("svd", _rule, multiple_results=True)
svd_p.batching_rule = batch_first(svd_p)


def _over_columns(x: Any, s: Any) -> Any:
    """Each column divided by one number."""
    shape = x.aval.shape
    rank = len(shape)
    return div_p.bind(x, broadcast_in_dim_p.bind(s, shape=shape, broadcast_dimensions=(*range(rank - 2), rank - 1)))


def _jvp(primals: Sequence[Any], tangents: Sequence[Any], *, full_matrices: bool, compute_uv: bool) -> tuple[Any, Any]:
    (a,), (da,) = primals, tangents
    if is_zero(da):
        results = svd_p.bind(a, full_matrices=full_matrices, compute_uv=compute_uv)
        return results, [Zero(r.aval) for r in results]
    m, n = a.aval.shape[-2:]
    if compute_uv and full_matrices and m != n:
        raise NotImplementedError("Singular value decomposition JVP not implemented for full matrices")
    u, s, vt = svd_p.bind(a, full_matrices=False, compute_uv=True)
    ut, v = adjoint(u), adjoint(vt)
    inner = matmul(matmul(ut, da), v)
    ds = diagonal(real_part(inner))
    if not compute_uv:
        return [s], [ds]
    dtype = a.aval.dtype
    column, row = along(s, rows=True), along(s, rows=False)
    gaps = mul_p.bind(add_p.bind(column, row), sub_p.bind(column, row))
    one = identity(s.aval.dtype, gaps.aval.shape)
    inverse_gaps = sub_p.bind(div_p.bind(full_of(1, gaps.aval), add_p.bind(gaps, one)), one)
    inverse_gaps = as_dtype(inverse_gaps, dtype)
    right, left = mul_p.bind(as_dtype(column, dtype), inner), mul_p.bind(as_dtype(row, dtype), inner)
    is_zero_value = as_dtype(eq_p.bind(s, constant_like(s, 0)), s.aval.dtype)
    inverse = sub_p.bind(div_p.bind(full_of(1, s.aval), add_p.bind(s, is_zero_value)), is_zero_value)
    skew = mul_p.bind(constant_like(inner, 0.5), sub_p.bind(inner, adjoint(inner)))
    on_diagonal = mul_p.bind(skew, as_dtype(diagonal_matrix(inverse), dtype))
    du = matmul(u, add_p.bind(mul_p.bind(inverse_gaps, add_p.bind(right, adjoint(right))), on_diagonal))
    dv = matmul(v, mul_p.bind(inverse_gaps, add_p.bind(left, adjoint(left))))
    values = as_dtype(s, dtype)
    if m > n:
        moved = matmul(da, v)
        du = add_p.bind(du, _over_columns(sub_p.bind(moved, matmul(u, matmul(ut, moved))), values))
    if n > m:
        moved = matmul(adjoint(da), u)
        dv = add_p.bind(dv, _over_columns(sub_p.bind(moved, matmul(v, matmul(vt, moved))), values))
    return [u, s, vt], [du, ds, adjoint(dv)]


svd_p.jvp_rule = _jvp


@operation("lax.linalg.svd", "x", how="inline")
def svd(
    x: Any, *, full_matrices: bool = True, compute_uv: bool = True, subset_by_index: tuple[int, int] | None = None,
    algorithm: SvdAlgorithm | None = None,
) -> Any:  # fmt: skip
    """`jax.lax.linalg.svd`: the singular values in descending order, between the vectors where they are computed."""
    if subset_by_index is not None and tuple(subset_by_index) != (0, min(x.aval.shape[-2:])):
        raise NotImplementedError("svd: subset_by_index is not implemented on CPU and GPU; take all, and slice")
    if algorithm in (SvdAlgorithm.JACOBI, SvdAlgorithm.POLAR):
        raise NotImplementedError(f"svd: {algorithm} is not implemented on the CPU; leave it out")
    results = svd_p.bind(x, full_matrices=bool(full_matrices), compute_uv=bool(compute_uv))
    return tuple(results) if compute_uv else results[0]
