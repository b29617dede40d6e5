"""Eigenvalues and eigenvectors of Hermitian matrices.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.lax.linalg.eigh.html; the derivative, M. Giles, "An extended
collection of matrix derivative results", https://people.maths.ox.ac.uk/gilesm/files/NA-08-01.pdf.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from arraytyping.runtime.calling import operation
from arraytyping.runtime.core import Primitive
from arraytyping.runtime.lax.arithmetic import add_p, integer_pow_p, mul_p, sub_p
from arraytyping.runtime.lax.linalg.cholesky import symmetrized
from arraytyping.runtime.lax.linalg.implementations import EighImplementation
from arraytyping.runtime.lax.linalg.matrices import (
    adjoint,
    as_dtype,
    batch_first,
    diagonal,
    identity,
    matmul,
    real_part,
)
from arraytyping.runtime.lax.structure import broadcast_in_dim_p
from arraytyping.runtime.tracing.tangents import Zero, is_zero
from arraytyping.semantics.rules.named import named

__all__ = ["eigh", "eigh_p"]


def _rule(cx: Any, x: Any, *, lower: bool) -> Any:
    return named("lax.linalg.eigh")(cx, x, lower=lower, symmetrize_input=False)


eigh_p: Final = Primitive("eigh", _rule, multiple_results=True)
eigh_p.batching_rule = batch_first(eigh_p)


def along(x: Any, *, rows: bool) -> Any:
    """A vector for each matrix as a matrix in which it stands in every row, or in every column."""
    shape = (*x.aval.shape, x.aval.shape[-1])
    rank = len(shape)
    last = rank - 1 if rows else rank - 2
    return broadcast_in_dim_p.bind(x, shape=shape, broadcast_dimensions=(*range(rank - 2), last))


def _jvp(primals: Sequence[Any], tangents: Sequence[Any], *, lower: bool) -> tuple[Any, Any]:
    (a,), (da,) = primals, tangents
    if is_zero(da):
        vectors, values = eigh_p.bind(a, lower=lower)
        return [vectors, values], [Zero(vectors.aval), Zero(values.aval)]
    vectors, values = eigh_p.bind(symmetrized(a), lower=lower)
    w = as_dtype(values, a.aval.dtype)
    one = identity(a.aval.dtype, a.aval.shape)
    gaps = sub_p.bind(add_p.bind(one, along(w, rows=True)), along(w, rows=False))
    inverse_gaps = sub_p.bind(integer_pow_p.bind(gaps, y=-1), one)
    inner = matmul(matmul(adjoint(vectors), da), vectors)
    return [vectors, values], [matmul(vectors, mul_p.bind(inverse_gaps, inner)), diagonal(real_part(inner))]


eigh_p.jvp_rule = _jvp


@operation("lax.linalg.eigh", "x", how="inline")
def eigh(
    x: Any, *, lower: bool = True, symmetrize_input: bool = True, sort_eigenvalues: bool = True,
    subset_by_index: tuple[int, int] | None = None, implementation: EighImplementation | None = None,
) -> Any:  # fmt: skip
    """`jax.lax.linalg.eigh`: the eigenvectors, in columns, then the eigenvalues in ascending order."""
    if subset_by_index is not None and tuple(subset_by_index) != (0, x.aval.shape[-1]):
        raise NotImplementedError("eigh: subset_by_index is not implemented on CPU and GPU; take all, and slice")
    if implementation not in (None, EighImplementation.QR):
        raise NotImplementedError(f"eigh: {implementation} is not implemented on the CPU; leave it out")
    return tuple(eigh_p.bind(symmetrized(x) if symmetrize_input else x, lower=bool(lower)))
