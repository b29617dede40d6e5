"""Eigenvalues and eigenvectors of matrices that need not be Hermitian; they are complex.

Each eigenvector has the length 1, and its greatest component is real, as LAPACK's have.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.lax.linalg.eig.html; the derivative, M. Giles, "An extended
collection of matrix derivative results", https://people.maths.ox.ac.uk/gilesm/files/NA-08-01.pdf.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from arraytyping.runtime.calling import operation
from arraytyping.runtime.core import Primitive
from arraytyping.runtime.lax.arithmetic import add_p, div_p, integer_pow_p, mul_p, neg_p, sub_p
from arraytyping.runtime.lax.comparisons import eq_p
from arraytyping.runtime.lax.complex_numbers import complex_p, conj_p, imag_p, real_p
from arraytyping.runtime.lax.creation import iota_of
from arraytyping.runtime.lax.extremes import argmax_p
from arraytyping.runtime.lax.integers import abs_p
from arraytyping.runtime.lax.linalg.eigenvalues import along
from arraytyping.runtime.lax.linalg.implementations import EigImplementation
from arraytyping.runtime.lax.linalg.lu import lu_p, permuted_rows
from arraytyping.runtime.lax.linalg.matrices import (
    adjoint,
    as_dtype,
    batch_first,
    diagonal,
    identity,
    matmul,
    swapped,
)
from arraytyping.runtime.lax.linalg.triangular import solve_triangular
from arraytyping.runtime.lax.reductions import reduce_sum
from arraytyping.runtime.tracing.tangents import Zero, is_zero
from arraytyping.semantics.rules.named import named

__all__ = ["eig", "eig_p"]

eig_p: Final = Primitive("eig", named("lax.linalg.eig"), multiple_results=True)
eig_p.batching_rule = batch_first(eig_p)


def _solved(a: Any, b: Any) -> Any:
    """The matrices x with a x = b."""
    factors, _, permutation = lu_p.bind(a)
    y = solve_triangular(factors, permuted_rows(b, permutation), left_side=True, lower=True, unit_diagonal=True)
    return solve_triangular(factors, y, left_side=True, lower=False)


def _change(w: Any, v: Any, da: Any) -> tuple[Any, Any]:
    """How eigenvalues and eigenvectors change with the matrix."""
    one = identity(w.aval.dtype, v.aval.shape)
    gaps = sub_p.bind(add_p.bind(one, along(w, rows=True)), along(w, rows=False))
    inverse_gaps = sub_p.bind(integer_pow_p.bind(gaps, y=-1), one)
    inner = matmul(_solved(v, da), v)
    dv = matmul(v, mul_p.bind(inverse_gaps, inner))
    rows = len(v.aval.shape) - 2
    greatest = argmax_p.bind(abs_p.bind(v), axes=(rows,), index_dtype="int32")
    is_greatest = as_dtype(eq_p.bind(iota_of("int32", v.aval.shape, rows), along(greatest, rows=True)), v.aval.dtype)

    def of_greatest(x: Any) -> Any:
        return reduce_sum(mul_p.bind(is_greatest, x), (rows,))

    length = neg_p.bind(real_p.bind(reduce_sum(mul_p.bind(conj_p.bind(v), dv), (rows,))))
    phase = neg_p.bind(div_p.bind(imag_p.bind(of_greatest(dv)), real_p.bind(of_greatest(v))))
    return diagonal(inner), add_p.bind(dv, mul_p.bind(v, along(complex_p.bind(length, phase), rows=True)))


def _jvp(
    primals: Sequence[Any], tangents: Sequence[Any], *, compute_left_eigenvectors: bool,
    compute_right_eigenvectors: bool, enable_eigvec_derivs: bool,
) -> tuple[Any, Any]:  # fmt: skip
    (a,), (da,) = primals, tangents
    params = {
        "compute_left_eigenvectors": compute_left_eigenvectors, "compute_right_eigenvectors": True,
        "enable_eigvec_derivs": enable_eigvec_derivs,
    }  # fmt: skip
    has_vectors = compute_left_eigenvectors or compute_right_eigenvectors
    if has_vectors and not enable_eigvec_derivs:
        raise NotImplementedError(
            "eig: eigenvectors have derivatives only where no two eigenvalues are equal, which cannot be checked here; "
            "give enable_eigvec_derivs=True to jax.lax.linalg.eig where it is so"
        )
    w, *vectors = eig_p.bind(a, **params)
    right = vectors[-1]
    kept = [w, *(vectors if compute_right_eigenvectors else vectors[:-1])]
    if is_zero(da):
        return kept, [Zero(x.aval) for x in kept]
    da = as_dtype(da, w.aval.dtype)
    if not has_vectors:
        return kept, [reduce_sum(mul_p.bind(_solved(right, da), swapped(right)), (len(right.aval.shape) - 1,))]
    dw, d_right = _change(w, right, da)
    changes = [dw]
    if compute_left_eigenvectors:
        changes.append(_change(conj_p.bind(w), vectors[0], adjoint(da))[1])
    return kept, [*changes, d_right] if compute_right_eigenvectors else changes


eig_p.jvp_rule = _jvp


@operation("lax.linalg.eig", "x", how="inline")
def eig(
    x: Any, *, compute_left_eigenvectors: bool = True, compute_right_eigenvectors: bool = True,
    enable_eigvec_derivs: bool = False, implementation: EigImplementation | None = None, use_magma: bool | None = None,
) -> list[Any]:  # fmt: skip
    """`jax.lax.linalg.eig`: the eigenvalues, the left and the right eigenvectors, in columns."""
    if use_magma or implementation not in (None, EigImplementation.LAPACK):
        raise ValueError("eig: only EigImplementation.LAPACK is on the CPU; leave the implementation out")
    sides = {
        "compute_left_eigenvectors": bool(compute_left_eigenvectors),
        "compute_right_eigenvectors": bool(compute_right_eigenvectors),
    }
    return list(eig_p.bind(x, **sides, enable_eigvec_derivs=bool(enable_eigvec_derivs)))
