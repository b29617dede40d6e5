"""Decompositions of matrices and triangular systems.

Source: https://openxla.org/stablehlo/spec#cholesky, https://openxla.org/stablehlo/spec#triangular_solve; LAPACK's
users' guide, https://www.netlib.org/lapack/lug.
"""

from __future__ import annotations

from typing import Any

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo as hlo

from arraytyping.runtime.lax.linalg.cholesky import cholesky_p
from arraytyping.runtime.lax.linalg.eigenvalues import eigh_p
from arraytyping.runtime.lax.linalg.general_eigenvalues import eig_p
from arraytyping.runtime.lax.linalg.lu import lu_p
from arraytyping.runtime.lax.linalg.matrices import triangle
from arraytyping.runtime.lax.linalg.orthogonal import qr_p
from arraytyping.runtime.lax.linalg.singular_values import svd_p
from arraytyping.runtime.lax.linalg.triangular import triangular_solve_p
from arraytyping.runtime.xla.lowerings.composing import built
from arraytyping.runtime.xla.lowerings.lapack import call_lapack, character, has_lapack, nan_unless
from arraytyping.runtime.xla.lowerings.matrix_updates import exchanged
from arraytyping.runtime.xla.types import int_array, splat, tensor_type, zeros
from arraytyping.scalars import KINDS
from arraytyping.semantics.avals import ShapedArray


def _info(aval: ShapedArray) -> ShapedArray:
    """LAPACK's report on every matrix."""
    assert aval.shape is not None
    return ShapedArray(aval.shape[:-2], "int32")


def _cholesky(cx: Any, avals_in: Any, aval_out: Any, x: Any) -> Any:
    (aval,) = avals_in
    if not has_lapack(cx, aval.dtype):
        return hlo.cholesky(x, lower=ir.BoolAttr.get(True))
    factor, info = call_lapack(cx, "potrf", aval.dtype, [x], [aval], [aval_out, _info(aval)], {"uplo": character("L")})
    return nan_unless("EQ", info, factor, aval_out)


def _conjugate(x: Any) -> Any:
    return hlo.complex(hlo.real(x), hlo.negate(hlo.imag(x)))


def _triangular_solve(
    cx: Any, avals_in: Any, aval_out: Any, a: Any, b: Any, *, left_side: bool, lower: bool, transpose_a: bool,
    conjugate_a: bool, unit_diagonal: bool,
) -> Any:  # fmt: skip
    of_a = avals_in[0]
    conjugate_a = conjugate_a and KINDS[of_a.dtype] == "c"
    if conjugate_a and not transpose_a:
        a, conjugate_a = _conjugate(a), False
    if 0 in aval_out.shape:
        return zeros(aval_out)
    if has_lapack(cx, of_a.dtype):
        letters = {
            "side": "L" if left_side else "R", "uplo": "L" if lower else "U",
            "trans_x": ("C" if conjugate_a else "T") if transpose_a else "N", "diag": "U" if unit_diagonal else "N",
        }  # fmt: skip
        (result,) = call_lapack(
            cx, "trsm", of_a.dtype, [a, b], avals_in, [aval_out], {k: character(v) for k, v in letters.items()},
            aliased={1: 0},
        )  # fmt: skip
        return result
    transpose = ("ADJOINT" if conjugate_a else "TRANSPOSE") if transpose_a else "NO_TRANSPOSE"
    left, low, unit = (ir.BoolAttr.get(flag) for flag in (left_side, lower, unit_diagonal))
    return hlo.triangular_solve(a, b, left, low, unit, hlo.TransposeAttr.get(transpose))


def _eigh(cx: Any, avals_in: Any, avals_out: Any, x: Any, *, lower: bool) -> Any:
    (aval,) = avals_in
    if 0 in aval.shape:
        return [zeros(a) for a in avals_out]
    routine = "heevd" if KINDS[aval.dtype] == "c" else "syevd"
    letters = {"mode": character("V"), "uplo": character("L" if lower else "U")}
    *results, info = call_lapack(cx, routine, aval.dtype, [x], [aval], [*avals_out, _info(aval)], letters)
    return [nan_unless("EQ", info, r, a) for r, a in zip(results, avals_out)]


def _eig(
    cx: Any, avals_in: Any, avals_out: Any, x: Any, *, compute_left_eigenvectors: bool,
    compute_right_eigenvectors: bool, enable_eigvec_derivs: bool,
) -> Any:  # fmt: skip
    (aval,) = avals_in
    if 0 in aval.shape:
        return [zeros(a) for a in avals_out]
    values = ShapedArray(aval.shape[:-1], aval.dtype)
    vectors = ShapedArray(aval.shape, avals_out[0].dtype)
    is_real = KINDS[aval.dtype] == "f"
    results = [values] * (2 if is_real else 1) + [vectors, vectors, _info(aval)]
    sides = compute_left_eigenvectors, compute_right_eigenvectors
    letters = {f"compute_{s}": character("V" if on else "N") for s, on in zip(("left", "right"), sides)}
    *w, left, right, info = call_lapack(cx, "geev", aval.dtype, [x], [aval], results, letters, aliased={})
    found = [hlo.complex(*w) if is_real else w[0], *(v for v, on in zip((left, right), sides) if on)]
    return [nan_unless("EQ", info, r, a) for r, a in zip(found, avals_out)]


def _svd(cx: Any, avals_in: Any, avals_out: Any, x: Any, *, full_matrices: bool, compute_uv: bool) -> Any:
    (aval,) = avals_in
    *lead, m, n = aval.shape
    least = min(m, n)
    if 0 in aval.shape:
        if not compute_uv:
            return [zeros(avals_out[0])]
        return [_identity(avals_out[0]), zeros(avals_out[1]), _identity(avals_out[2])]
    u = ShapedArray((*lead, m, m if full_matrices else least), aval.dtype)
    v = ShapedArray((*lead, n if full_matrices else least, n), aval.dtype)
    s = avals_out[1] if compute_uv else avals_out[0]
    mode = character("N" if not compute_uv else "A" if full_matrices else "S")
    _, values, left, right, info = call_lapack(
        cx, "gesdd", aval.dtype, [x], [aval], [aval, s, u, v, _info(aval)], {"mode": mode}
    )
    found = [left, values, right] if compute_uv else [values]
    return [nan_unless("EQ", info, r, a) for r, a in zip(found, avals_out)]


def _identity(aval: ShapedArray) -> Any:
    """Identity matrices, perhaps not square."""
    assert aval.shape is not None
    assert aval.dtype is not None
    matrix = ShapedArray(aval.shape[-2:], "int32")
    axes = (ir.IntegerAttr.get(ir.IntegerType.get_signless(64), d) for d in range(2))
    row, column = (hlo.iota(tensor_type(matrix), axis) for axis in axes)
    same = hlo.compare(row, column, hlo.ComparisonDirectionAttr.get("EQ"))
    ones = hlo.convert(tensor_type(ShapedArray(aval.shape[-2:], aval.dtype)), same)
    rank = len(aval.shape)
    return hlo.broadcast_in_dim(tensor_type(aval), ones, int_array((rank - 2, rank - 1)))


def _lu(cx: Any, avals_in: Any, avals_out: Any, x: Any) -> Any:
    (aval,) = avals_in
    of_factors, of_pivots, of_permutation = avals_out
    size = aval.shape[-2]
    if 0 in aval.shape:
        permutation = hlo.iota(
            tensor_type(of_permutation),
            ir.IntegerAttr.get(ir.IntegerType.get_signless(64), len(of_permutation.shape) - 1),
        )
        return [x, zeros(of_pivots), permutation]
    factors, pivots, info = call_lapack(cx, "getrf", aval.dtype, [x], [aval], [of_factors, of_pivots, _info(aval)])
    pivots = hlo.subtract(pivots, splat(1, of_pivots))
    permutation = built(cx, lambda p: exchanged(p, permutation_size=size), [of_pivots], [pivots])
    return [nan_unless("GE", info, factors, of_factors), pivots, permutation]


def _qr(cx: Any, avals_in: Any, avals_out: Any, x: Any, *, pivoting: bool, full_matrices: bool) -> Any:
    (aval,) = avals_in
    of_q, of_r, *of_pivots = avals_out
    *lead, m, n = aval.shape
    if 0 in aval.shape:
        return [_identity(of_q), zeros(of_r), *(zeros(p) for p in of_pivots)]
    least = min(m, n)
    taus = ShapedArray((*lead, least), aval.dtype)
    if pivoting:
        (pivot_aval,) = of_pivots
        start = zeros(pivot_aval)
        packed, pivots, scales = call_lapack(
            cx, "geqp3", aval.dtype, [x, start], [aval, pivot_aval], [aval, pivot_aval, taus], aliased={0: 0, 1: 1}
        )
        found = [hlo.subtract(pivots, splat(1, pivot_aval))]
    else:
        packed, scales = call_lapack(cx, "geqrf", aval.dtype, [x], [aval], [aval, taus])
        found = []
    routine = "ungqr" if KINDS[aval.dtype] == "c" else "orgqr"
    reflectors = _resized(packed, aval, of_q.shape)
    (q,) = call_lapack(cx, routine, aval.dtype, [reflectors, scales], [of_q, taus], [of_q])
    upper = _resized(packed, aval, of_r.shape)
    r = built(cx, lambda v: triangle(v, lower=False), [of_r], [upper])
    return [q, r, *found]


def _resized(x: Any, aval: ShapedArray, shape: Any) -> Any:
    """The matrices with rows and columns cut off, or zeros added, after the others."""
    assert aval.shape is not None
    low = int_array((0,) * len(shape))
    high = int_array([b - a for a, b in zip(aval.shape, shape)])
    return hlo.pad(x, zeros(ShapedArray((), aval.dtype)), low, high, low)


cholesky_p.lowering = _cholesky
triangular_solve_p.lowering = _triangular_solve
eigh_p.lowering = _eigh
eig_p.lowering = _eig
svd_p.lowering = _svd
lu_p.lowering = _lu
qr_p.lowering = _qr
