"""Forms and functions of matrices of `scipy.linalg`, and their equations, against JAX's."""

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
BATCH = RNG.normal(size=(2, 3, 3)).astype("float32")
THREE = np.stack([M[1:, 1:], P[1:, 1:], P[:3, :3]])
N = np.arange(9).reshape(3, 3)


def squared(x: Any) -> Any:
    return x * x + 1


CALLS: dict[str, Callable[[Any], Any]] = {
    "schur": lambda m: [m.schur(a, k) for a in (M, H, BATCH, P[:1, :1]) for k in ("real", "complex")]
    + [m.schur(N, "complex"), m.schur(M.astype("float16"), "complex")],
    "hessenberg": lambda m: [m.hessenberg(a, calc_q=k) for a in (M, H, BATCH, P[:1, :1], P[:2, :2], P[:0, :0], N[:, :0])
                             for k in (True, False)],
    "rsf2csf": lambda m: [m.rsf2csf(*m.schur(a)) for a in (M, P, BATCH, M[:1, :1], H)]
    + [m.rsf2csf(m.schur(BATCH)[0], np.eye(3)), m.rsf2csf([[1, 2], [-3, 1]], N[:2, :2])],
    "sqrtm": lambda m: [m.sqrtm(a) for a in (M, P, H, N, M[:1, :1], np.diag([1.0, 0, 0]))],
    "funm": lambda m: [m.funm(a, squared, k) for a in (M, P, H, [[2.0, 1.0], [0.0, 2.0]]) for k in (True, False)],
    "expm_frechet": lambda m: [m.expm_frechet(M, P), m.expm_frechet(M, P, compute_expm=False), m.expm_frechet(H, H / 4),
                               m.expm_frechet(THREE / 3, THREE[::-1])],
    "solve_sylvester": lambda m: [m.solve_sylvester(M, P[:2, :2], W, method=k) for k in ("schur", "eigen")]
    + [m.solve_sylvester(H, M, H), m.solve_sylvester(BATCH, BATCH[0], N), m.solve_sylvester(M, -M.T, P),
       m.solve_sylvester(P, M, P, tol=100.0), m.solve_sylvester(N + 1, BATCH, N, method="eigen")],
    "qr_multiply": lambda m: [
        m.qr_multiply(a, c, mode, pivoting, conjugate)
        for pivoting in (True, False) for conjugate in (True, False)
        for a, c, mode in ((M, W, "left"), (M, W.T, "right"), (M, V, "left"), (M, V, "right"), (H, H, "left"),
                           (W, W.T, "right"), (W, W[:2], "left"), (W.T, W[:2], "right"), (W.T, W[:2], "left"),
                           (BATCH, N, "right"), (N, BATCH, "left"), (W, V, "right"))
    ],
    "eigenvalues": lambda m: [m.eigh_tridiagonal(d, e, eigvals_only=True)
                              for d, e in ((V, M[0, :3]), (H[0], H[1, :3]), (V[:1], V[:0]), (V[:0], V[:2]))]
    + [m.eigh_tridiagonal(V, M[0, :3], eigvals_only=True, select="i", select_range=r)
       for r in ((0, 3), (1, 2), (3, 3))],
}  # fmt: skip
DERIVED: dict[str, Callable[..., Any]] = {
    "expm_frechet": lambda m, a: m.expm_frechet(a / 5, a)[1],
    "expm": lambda m, a: m.expm_frechet(a / 5, a)[0],
}


def same(ours: Any, theirs: Any) -> None:
    """Assert that two trees of arrays are equal to rounding, and in dtype and weak type."""
    for a, b in zip(at.tree.leaves(ours), jax.tree.leaves(theirs), strict=True):
        assert (a.dtype, a.shape, a.weak_type) == (b.dtype, b.shape, b.weak_type)
        np.testing.assert_allclose(np.asarray(a), np.asarray(b), 5e-4, 5e-4)


@pytest.mark.parametrize("name", spread(CALLS, 2))
def test_values(name: str) -> None:
    function = CALLS[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = compiled(partial(function, jax.scipy.linalg))
        same(at.jit(lambda: function(at.scipy.linalg))(), theirs)
        same(function(at.scipy.linalg), theirs)


def derived(framework: Any, name: str) -> Any:
    function = partial(DERIVED[name], framework.scipy.linalg)

    def total(a: Any) -> Any:
        return (function(a) * 1.5).sum()

    return [framework.grad(total)(P), framework.vmap(framework.grad(total))(THREE), framework.jvp(total, (M,), (P,))]


@pytest.mark.parametrize("name", spread(DERIVED, 2))
def test_derivatives(name: str) -> None:
    same(at.jit(partial(derived, at, name))(), compiled(partial(derived, jax, name)))


def mapped(framework: Any) -> Any:
    linalg, vmap = framework.scipy.linalg, framework.vmap
    return [
        vmap(linalg.schur)(BATCH), vmap(linalg.sqrtm)(BATCH), vmap(partial(linalg.funm, func=squared))(BATCH),
        vmap(partial(linalg.hessenberg, calc_q=True))(BATCH),
        vmap(linalg.solve_sylvester, (0, None, 0))(BATCH, M[:3, :3], BATCH),
        vmap(partial(linalg.eigh_tridiagonal, eigvals_only=True))(BATCH[:, 0], BATCH[:, 1, :2]),
    ]  # fmt: skip


def test_mapped() -> None:
    same(mapped(at), compiled(partial(mapped, jax)))


@pytest.mark.parametrize("kind", [np.float32, np.complex64])
def test_eigenvectors(kind: Any) -> None:
    """The signs of eigenvectors are chance: what they are eigenvectors of is the matrix, in both."""
    d, e = (H[0], H[1, :3]) if kind is np.complex64 else (V, M[0, :3])
    matrix = np.diag(d.real) + np.diag(e, 1) + np.diag(e.conj(), -1)
    for linalg in (at.scipy.linalg, jax.scipy.linalg):
        for chosen in ({}, {"select": "i", "select_range": (1, 2)}):
            values, vectors = map(np.asarray, linalg.eigh_tridiagonal(d, e, **chosen))
            np.testing.assert_allclose(matrix @ vectors, vectors * values, 1e-4, 1e-4)
            np.testing.assert_allclose(vectors.conj().T @ vectors, np.eye(len(values)), 1e-4, 1e-4)


def test_wide() -> None:
    """With 64 bits the square is the matrix, the equation holds, and the function of a matrix is exact."""
    a = M.astype("float64")
    with at.config.enable_x64(True):
        linalg: Any = at.scipy.linalg
        root = np.asarray(linalg.sqrtm(a))
        np.testing.assert_allclose(root @ root, a, 1e-11, 1e-11)
        x = np.asarray(linalg.solve_sylvester(a, a.T, P))
        np.testing.assert_allclose(a @ x + x @ a.T, P, 1e-11, 1e-11)
        np.testing.assert_allclose(np.asarray(linalg.funm(a, squared)), a @ a + np.eye(4), 1e-11, 1e-11)
        form, vectors = map(np.asarray, linalg.rsf2csf(*linalg.schur(a)))
        np.testing.assert_allclose(vectors @ form @ vectors.conj().T, a, 1e-11, 1e-11)
        np.testing.assert_allclose(np.tril(form, -1), 0, atol=1e-11)


WRONG: tuple[Callable[[Any], Any], ...] = (
    lambda m: m.schur(N), lambda m: m.schur(M, "x"), lambda m: m.schur(W), lambda m: m.sqrtm(BATCH),
    lambda m: m.sqrtm(M, 2), lambda m: m.funm(BATCH, squared), lambda m: m.funm(N, squared),
    lambda m: m.funm(W, squared), lambda m: m.rsf2csf(W, W), lambda m: m.rsf2csf(M, N),
    lambda m: m.hessenberg(W), lambda m: m.hessenberg(N),
    lambda m: m.expm_frechet(BATCH[:, :2], BATCH), lambda m: m.expm_frechet(M, N), lambda m: m.expm_frechet(N, N),
    lambda m: m.expm_frechet(M, W), lambda m: m.solve_sylvester(M, M, W),
    lambda m: m.solve_sylvester(M, M, P, method="x"),
    lambda m: m.qr_multiply(M, W, "right"), lambda m: m.qr_multiply(M, W, "x"), lambda m: m.qr_multiply(V, V),
    lambda m: m.eigh_tridiagonal(V, V), lambda m: m.eigh_tridiagonal(V, V[:3].astype("int32")),
    lambda m: m.eigh_tridiagonal(V, V[:3], select="v"), lambda m: m.eigh_tridiagonal(V, V[:3], select="i"),
    lambda m: m.eigh_tridiagonal(V, V[:3], select="i", select_range=(2, 1)), lambda m: m.schur(M.astype("float16")),
)  # fmt: skip


@pytest.mark.parametrize("number", range(len(WRONG)))
def test_mistakes(number: int) -> None:
    with pytest.raises((TypeError, ValueError, NotImplementedError)) as expected:
        WRONG[number](jax.scipy.linalg)
    with pytest.raises(expected.type):
        WRONG[number](at.scipy.linalg)
