"""Forms of matrices, products of reflections and systems of three diagonals, by LAPACK.

Source: LAPACK's users' guide, https://www.netlib.org/lapack/lug; the attributes of each target,
https://github.com/jax-ml/jax/blob/main/jax/_src/lax/linalg.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jaxlib.mlir import ir

from arraytyping.runtime.lax.linalg.forms import hessenberg_p, schur_p, tridiagonal_p
from arraytyping.runtime.lax.linalg.reflections import householder_product_p, ormqr_p
from arraytyping.runtime.lax.linalg.tridiagonal_solutions import tridiagonal_solve_p
from arraytyping.runtime.xla.lowerings.lapack import call_lapack, character, nan_unless
from arraytyping.runtime.xla.types import zeros
from arraytyping.scalars import KINDS
from arraytyping.semantics.avals import ShapedArray


def _info(aval: ShapedArray) -> ShapedArray:
    """LAPACK's report on every matrix."""
    assert aval.shape is not None
    return ShapedArray(aval.shape[:-2], "int32")


def _where_it_succeeds(info: Any, results: Sequence[Any], avals: Sequence[ShapedArray]) -> list[Any]:
    return [nan_unless("EQ", info, result, aval) for result, aval in zip(results, avals)]


def _hessenberg(cx: Any, avals_in: Any, avals_out: Any, x: Any) -> Any:
    (aval,) = avals_in
    if 0 in aval.shape:
        return [zeros(a) for a in avals_out]
    integer = ir.IntegerType.get_signless(32)
    bounds = {"low": ir.IntegerAttr.get(integer, 1), "high": ir.IntegerAttr.get(integer, aval.shape[-1])}
    *found, info = call_lapack(cx, "gehrd", aval.dtype, [x], [aval], [*avals_out, _info(aval)], bounds)
    return _where_it_succeeds(info, found, avals_out)


def _schur(cx: Any, avals_in: Any, avals_out: Any, x: Any, *, compute_schur_vectors: bool) -> Any:
    (aval,) = avals_in
    if 0 in aval.shape:
        return [zeros(a) for a in avals_out]
    values = [ShapedArray(aval.shape[:-1], aval.dtype)] * (2 if KINDS[aval.dtype] == "f" else 1)
    letters = {"mode": character("V" if compute_schur_vectors else "N"), "sort": character("N")}
    results = [aval, aval, *values, _info(aval), _info(aval)]  # the first integers are how many were selected
    form, vectors, *_, info = call_lapack(cx, "gees", aval.dtype, [x], [aval], results, letters)
    return _where_it_succeeds(info, (form, vectors), avals_out)


def _tridiagonal(cx: Any, avals_in: Any, avals_out: Any, x: Any, *, lower: bool) -> Any:
    (aval,) = avals_in
    routine = "hetrd" if KINDS[aval.dtype] == "c" else "sytrd"
    letters = {"uplo": character("L" if lower else "U")}
    *found, info = call_lapack(cx, routine, aval.dtype, [x], [aval], [*avals_out, _info(aval)], letters)
    return _where_it_succeeds(info, found, avals_out)


def _tridiagonal_solve(
    cx: Any, avals_in: Any, aval_out: Any, dl: Any, d: Any, du: Any, b: Any, *, perturb_singular: bool
) -> Any:  # fmt: skip
    if 0 in aval_out.shape:
        return zeros(aval_out)
    operands, dtype = [dl, d, du, b], aval_out.dtype
    if perturb_singular:
        (result,) = call_lapack(
            cx, "gtsv", dtype, operands, avals_in, [aval_out], aliased={}, target="tridiagonal_solve_perturbed_ffi"
        )
        return result
    every = {i: i for i in range(4)}
    *_, found, info = call_lapack(
        cx, "gtsv", dtype, operands, avals_in, [*avals_in, _info(aval_out)], aliased=every
    )  # fmt: skip
    return nan_unless("EQ", info, found, aval_out)


def _householder_product(cx: Any, avals_in: Any, aval_out: Any, a: Any, taus: Any) -> Any:
    if 0 in aval_out.shape:
        return zeros(aval_out)
    routine = "ungqr" if KINDS[aval_out.dtype] == "c" else "orgqr"
    (product,) = call_lapack(cx, routine, aval_out.dtype, [a, taus], avals_in, [aval_out])
    return product


def _ormqr(
    cx: Any, avals_in: Any, aval_out: Any, a: Any, taus: Any, c: Any, *, left: bool, transpose: bool
) -> Any:  # fmt: skip
    if 0 in aval_out.shape or 0 in avals_in[0].shape:
        return c
    routine = "unmqr" if KINDS[aval_out.dtype] == "c" else "ormqr"
    flags = {"left": ir.BoolAttr.get(left), "transpose": ir.BoolAttr.get(transpose)}
    (product,) = call_lapack(cx, routine, aval_out.dtype, [a, taus, c], avals_in, [aval_out], flags, aliased={2: 0})
    return product


hessenberg_p.lowering = _hessenberg
schur_p.lowering = _schur
tridiagonal_p.lowering = _tridiagonal
tridiagonal_solve_p.lowering = _tridiagonal_solve
householder_product_p.lowering = _householder_product
ormqr_p.lowering = _ormqr
