"""The functions of `scipy.linalg` against JAX's: values, derivatives, batches, mistakes."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import jax.scipy.linalg
import numpy as np
import pytest
from answers import compiled
from shares import spread

import arraytyping as at

RNG = np.random.default_rng(0)
M = RNG.normal(size=(4, 4)).astype("float32")
P = (M @ M.T + 4 * np.eye(4)).astype("float32")
H = (P + 1j * np.triu(M, 1) - 1j * np.triu(M, 1).T).astype("complex64")
V, W = RNG.normal(size=4).astype("float32"), RNG.normal(size=(4, 2)).astype("float32")
BATCH = np.stack([P, P + np.eye(4, dtype="float32")])
MANY = RNG.normal(size=(2, 4, 3)).astype("float32")
VECTORS: tuple[Any, ...] = (
    (V,), (V, W[:3, 0]), (W.T, V), (MANY[0], W), (H[0], V), (np.arange(1, 4, dtype="int8"), V), (W.astype("float16"),),
    (W.T, W[:1]),
)  # fmt: skip

CALLS: dict[str, Callable[[Any], Any]] = {
    "cholesky": lambda m: [m.cholesky(P), m.cholesky(P, lower=True), m.cholesky(H), m.cholesky(BATCH)],
    "cho_solve": lambda m: [m.cho_solve(m.cho_factor(P, k), b) for k in (True, False) for b in (V, W)]
    + [m.cho_solve(m.cho_factor(H), W), m.cho_solve(m.cho_factor(BATCH), MANY), m.cho_solve((m.cholesky(P), False), V)],
    "solve_triangular": lambda m: [
        m.solve_triangular(a, b, trans=t, lower=k, unit_diagonal=u)
        for a in (M, H) for b in (V, W) for t in (0, "T", 2) for k in (True, False) for u in (True, False)
    ] + [m.solve_triangular(BATCH, MANY, lower=True), m.solve_triangular(M, MANY)],
    "solve": lambda m: [m.solve(P, b, assume_a=k) for k in ("gen", "sym", "her", "pos") for b in (V, W)]
    + [m.solve(P, V, lower=True, assume_a="pos")],
    "others": lambda m: [m.det(P), m.inv(P), m.svd(M, compute_uv=False), m.eigh(P, eigvals_only=True), m.inv(BATCH),
                         abs(m.svd(M)[0]), m.eigh(H)[0], abs(m.eigh(P, lower=False)[1])],
    "block_diag": lambda m: [m.block_diag(M, V, 1), m.block_diag(np.ones((2, 0)), W, 2.5), m.block_diag(),
                             m.block_diag(3)],
    "toeplitz": lambda m: [m.toeplitz(*xs) for xs in VECTORS],
    "hankel": lambda m: [m.hankel(*xs) for xs in VECTORS],
    "of one vector": lambda m: [f(xs[0]) for f in (m.circulant, m.companion, m.fiedler) for xs in VECTORS],
    "leslie": lambda m: [m.leslie(V, V[1:]), m.leslie(V, V[1:] > 0), m.leslie(W, W[:, :1]), m.leslie(W, 2),
                         m.leslie(np.arange(4), V[1:]), m.leslie(V, H[:, 1:])],
    "fiedler_companion": lambda m: [m.fiedler_companion(x) for x in (V, W, W.T, W[:, :1], H[0], MANY, 2.0,
                                    np.arange(1, 8), np.arange(1, 4, dtype="int8"), MANY.reshape(2, 12))],
    "convolution_matrix": lambda m: [m.convolution_matrix(a, n, mode) for a in (V, W, H[0], np.arange(5), V[:1])
                                     for n in (1, 3, 6) for mode in ("full", "same", "valid")],
    "binomials": lambda m: [f(n, k) for f in (m.pascal, m.invpascal) for n in (0, 1, 5, 8)
                            for k in (None, "symmetric", "lower", "upper")] + [m.invhilbert(n) for n in (0, 1, 2, 4)],
    "helmert": lambda m: [m.helmert(n, k) for n in (1, 2, 6) for k in (True, False)],
    "by their size": lambda m: [m.hilbert(n) for n in (0, 1, 5)]
    + [m.dft(n, s) for n in (1, 5) for s in (None, "n", "sqrtn")]
    + [m.hadamard(n, d) for n in (1, 2, 8) for d in (int, "int8", "float32", "uint8", "complex64")],
    "lu_factor": lambda m: [m.lu_factor(a) for a in (M, H, W, W.T, BATCH, np.arange(4).reshape(2, 2))],
    "lu": lambda m: [m.lu(a, permute_l=k) for a in (M, H, W, W.T, np.arange(4).reshape(2, 2)) for k in (False, True)],
    "lu_solve": lambda m: [m.lu_solve(m.lu_factor(a), b, trans=t) for a in (M, H) for b in (V, W) for t in (0, 1, 2)]
    + [m.lu_solve(m.lu_factor(BATCH), MANY), m.lu_solve(m.lu_factor(BATCH), V), m.lu_solve(m.lu_factor(M), MANY)],
    "qr": lambda m: [m.qr(a, mode=k, pivoting=p) for a in (M, H, W, W.T, BATCH) for k in ("full", "r", "economic")
                     for p in (False, True)],
    "expm": lambda m: [m.expm(s * a) for a in (M, BATCH, H / 10, np.triu(M)) for s in (0.01, 0.2, 1, 3)]
    + [m.expm(100 * M), m.expm(9 * M, max_squarings=2), m.expm(np.triu(M), upper_triangular=True),
       m.expm(np.arange(4).reshape(2, 2)), m.expm(np.zeros((0, 0)))],
    "polar": lambda m: [m.polar(M), m.polar(W), m.polar(W.T, "left"), m.polar(H), m.polar(BATCH)]
    + [m.polar(a, side, method="svd") for a in (M, W, W.T, H) for side in ("right", "left")],
}  # fmt: skip
DERIVED: dict[str, Callable[..., Any]] = {
    "cholesky": lambda m, a, b: m.cholesky(a),
    "cho_solve": lambda m, a, b: m.cho_solve(m.cho_factor(a, True), b),
    "solve_triangular": lambda m, a, b: m.solve_triangular(a, b, trans=1, lower=True),
    "solve": lambda m, a, b: m.solve(a, b),
    "solve by Cholesky": lambda m, a, b: m.solve(a, b, assume_a="pos"),
    "det": lambda m, a, b: m.det(a), "inv": lambda m, a, b: m.inv(a),
    "block_diag": lambda m, a, b: m.block_diag(a, b) ** 2,
    "toeplitz": lambda m, a, b: m.toeplitz(a, b) ** 2, "hankel": lambda m, a, b: m.hankel(a, b) ** 2,
    "leslie": lambda m, a, b: m.leslie(a, b[1:]) ** 2,
    "fiedler_companion": lambda m, a, b: m.fiedler_companion(b) @ a[1:],
    "convolution_matrix": lambda m, a, b: m.convolution_matrix(b, 4)[:4] @ m.convolution_matrix(a, 3, "same"),
    "companion": lambda m, a, b: m.companion(b) @ a[1:], "fiedler": lambda m, a, b: m.fiedler(b) ** 2 + a,
    "circulant": lambda m, a, b: m.circulant(a)[0] @ m.circulant(b),
    "lu_solve": lambda m, a, b: m.lu_solve(m.lu_factor(a), b, trans=1),
    "lu": lambda m, a, b: m.lu(a)[1] @ b, "qr": lambda m, a, b: m.qr(a)[1] ** 2,
    "expm": lambda m, a, b: m.expm(a / 5) @ b,
    "polar": lambda m, a, b: m.polar(a, method="svd")[1],
    "singular values": lambda m, a, b: m.svd(a, compute_uv=False),
}  # fmt: skip


def derived(framework: Any, name: str) -> Any:
    """Derivatives by matrix and right-hand side, and mapped over right-hand sides."""
    linalg, function = framework.scipy.linalg, DERIVED[name]

    def total(a: Any, b: Any) -> Any:
        return (function(linalg, a, b) * 1.5).sum()

    return [
        framework.grad(total, (0, 1))(P, V), framework.vmap(framework.grad(total, 1), (None, 1))(P, W),
        framework.jvp(total, (P, V), (P + 1, V)), framework.vmap(partial(function, linalg), (0, None))(BATCH, V),
    ]  # fmt: skip


def same(ours: Any, theirs: Any) -> None:
    """Assert that two trees of arrays are equal to rounding, and in dtype and weak type."""
    for a, b in zip(at.tree.leaves(ours), jax.tree.leaves(theirs), strict=True):
        assert (a.dtype, a.shape, a.weak_type) == (b.dtype, b.shape, b.weak_type)
        np.testing.assert_allclose(np.asarray(a), np.asarray(b), 2e-4, 2e-4)


@pytest.mark.parametrize("name", spread(CALLS, 2))
def test_values(name: str) -> None:
    function = CALLS[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = compiled(partial(function, jax.scipy.linalg))
        same(at.jit(lambda: function(at.scipy.linalg))(), theirs)
        same(function(at.scipy.linalg), theirs)


@pytest.mark.parametrize("name", spread(DERIVED, 2))
def test_derivatives(name: str) -> None:
    same(at.jit(partial(derived, at, name))(), compiled(partial(derived, jax, name)))


WIDE: dict[str, Callable[[Any], Any]] = {
    "expm": lambda m: [m.expm(s * M.astype("float64")) for s in (1e-3, 0.03, 0.2, 0.5, 1.0, 4.0)],
    "lu": lambda m: [m.lu(M.astype("float64")), m.lu_factor(H.astype("complex128")), m.qr(M.astype("float64"))],
}


@pytest.mark.parametrize("name", WIDE)
def test_wide(name: str) -> None:
    """Of 64 bits the exponential is by other polynomials."""
    with jax.enable_x64(True), at.config.enable_x64(True):
        ours, theirs = WIDE[name](at.scipy.linalg), WIDE[name](jax.scipy.linalg)
        for a, b in zip(at.tree.leaves(ours), jax.tree.leaves(theirs), strict=True):
            assert a.dtype == b.dtype
            np.testing.assert_allclose(np.asarray(a), np.asarray(b), 1e-11, 1e-11)


WRONG: tuple[Callable[[Any], Any], ...] = (
    lambda m: m.cholesky(V), lambda m: m.cho_solve((P, True), np.ones(3)), lambda m: m.solve(P, V, assume_a="any"),
    lambda m: m.solve_triangular(P, V, trans=3), lambda m: m.eigh(P, P), lambda m: m.block_diag(MANY),
    lambda m: m.solve_triangular(W, V), lambda m: m.lu(BATCH), lambda m: m.lu_factor(V), lambda m: m.expm(W),
    lambda m: m.expm(M.astype("float16")), lambda m: m.polar(W.T), lambda m: m.polar(M, "top"), lambda m: m.polar(V),
    lambda m: m.polar(M, method="x"), lambda m: m.qr(M, mode="x"), lambda m: m.lu_solve(m.lu_factor(P), V, trans=3),
    lambda m: m.lu_solve(m.lu_factor(P), V[:3]), lambda m: m.lu_solve((P, np.arange(4, dtype="int8")), V),
    lambda m: m.hadamard(3), lambda m: m.hilbert(-1),
    lambda m: m.hankel(V, 1), lambda m: m.toeplitz([1, 2]), lambda m: m.companion(1.0), lambda m: m.dft(2, "x"),
    lambda m: m.dft(2, dtype=float), lambda m: m.toeplitz(W, MANY[0][:3]), lambda m: m.hadamard(2, bool),
    lambda m: m.fiedler(V > 0), lambda m: m.leslie(V, V), lambda m: m.leslie(1, 1), lambda m: m.leslie(V, [1, 2, 3]),
    lambda m: m.fiedler_companion(V[:0]), lambda m: m.convolution_matrix(V, 0), lambda m: m.convolution_matrix(1, 2),
    lambda m: m.convolution_matrix(V, 2.0), lambda m: m.convolution_matrix(V, 2, "x"), lambda m: m.helmert(0),
    lambda m: m.pascal(2, "x"), lambda m: m.invpascal("a"), lambda m: m.invhilbert(None),
)  # fmt: skip


@pytest.mark.parametrize("number", range(len(WRONG)))
def test_mistakes(number: int) -> None:
    with pytest.raises((TypeError, ValueError, NotImplementedError)) as expected:
        WRONG[number](jax.scipy.linalg)
    with pytest.raises(expected.type):
        WRONG[number](at.scipy.linalg)
