"""The functions of `lax.linalg` against JAX's, besides what the matrix of primitives says: dtypes, ranks, mistakes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import jax.lax.linalg
import numpy as np
import pytest
from answers import compiled
from runtime_calls import unequal

import arraytyping as at

RNG = np.random.default_rng(0)
M = RNG.normal(size=(4, 4)).astype("float32")
P = (M @ M.T + 4 * np.eye(4)).astype("float32")
H = (P + 1j * np.triu(M, 1) - 1j * np.triu(M, 1).T).astype("complex64")
V, W = RNG.normal(size=4).astype("float32"), RNG.normal(size=(4, 2)).astype("float32")
BATCH = RNG.normal(size=(2, 1, 3, 3)).astype("float32")

CALLS: dict[str, Callable[[Any], Any]] = {
    "hessenberg": lambda m: [m.hessenberg(x) for x in (M, H, BATCH, M[:1, :1], BATCH[:0])],
    "schur": lambda m: [m.schur(x, compute_schur_vectors=k) for x in (M, H, BATCH, M[:0, :0]) for k in (True, False)],
    "tridiagonal": lambda m: [m.tridiagonal(x, lower=k) for x in (P, H, BATCH, M[:1, :1]) for k in (True, False)],
    "tridiagonal_solve": lambda m: [
        m.tridiagonal_solve(V, P[0], V, W), m.tridiagonal_solve(V[:1], P[0, :1], V[:1], W[:1]),
        m.tridiagonal_solve(V[:0], V[:0], V[:0], W[:0]), m.tridiagonal_solve(V, V, V, W[:, :0]),
        m.tridiagonal_solve(*(BATCH[..., i] for i in range(3)), BATCH),
        m.tridiagonal_solve(V * 0, V * 0, V * 0, W), m.tridiagonal_solve(V, V * 0, V, W, perturb_singular=True),
        m.tridiagonal_solve(H[0], H[1], H[2], H), m.tridiagonal_solve(H[0], H[1], H[2], H, perturb_singular=True),
    ],
    "reflections": lambda m: [
        m.householder_product(M, V), m.householder_product(W, V[:1]), m.householder_product(H, V + 1j),
        m.householder_product(BATCH, BATCH[..., 0]), m.householder_product(W[:, :0], V[:0]),
        m.ormqr(M, V, W), m.ormqr(W, V[:2], M, left=False), m.ormqr(H, V + 1j, H, transpose=True),
        m.ormqr(BATCH, BATCH[..., 0], BATCH, left=False, transpose=True), m.ormqr(M[:, :0], V[:0], W),
    ],
    "symmetric_product": lambda m: [
        m.symmetric_product(W, P), m.symmetric_product(W, M, beta=2, alpha=-1, symmetrize_output=True),
        m.symmetric_product(BATCH, BATCH, beta=1.5), m.symmetric_product(W.astype("float16"), M.astype("float16")),
    ],
    "cholesky_update": lambda m: [
        m.cholesky_update(np.triu(P), V), m.cholesky_update(np.triu(P), V * 0), m.cholesky_update(np.triu(M), V),
        m.cholesky_update(P[:0, :0], V[:0]),
    ],
    "lu_pivots_to_permutation": lambda m: [
        m.lu_pivots_to_permutation(np.array(p, "int32"), n) for p in ([2, 2, 2], [[3, 1], [1, 1]], []) for n in (4, 6)
    ] + [m.lu_pivots_to_permutation(m.lu(P)[1], 4)],
    "qdwh": lambda m: [m.qdwh(x) for x in (M, P, H, W, W[:, :1], P * 1e5, np.diag([1.0, 2, 1e-5]), np.eye(2), 0 * P)]
    + [m.qdwh(M, max_iterations=3), m.qdwh(P, eps=1e-2)],
    "others": lambda m: [
        m.eigh(P, implementation=m.EighImplementation.QR), m.svd(P, algorithm=m.SvdAlgorithm.DIVIDE_AND_CONQUER),
        m.eig(P, implementation=m.EigImplementation.LAPACK)[0],
    ],
}  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
def test_values(name: str) -> None:
    function = CALLS[name]
    theirs = jax.tree.leaves(compiled(partial(function, jax.lax.linalg)))
    for ours in (function(at.lax.linalg), at.jit(lambda: function(at.lax.linalg))()):
        found = [unequal(a, b, 2e-3) for a, b in zip(theirs, at.tree.leaves(ours), strict=True)]
        assert found == [None] * len(theirs)


def test_update() -> None:
    """What is updated is the factor of the matrix to which the square is added."""
    factor = np.linalg.cholesky(P).T
    found = np.asarray(at.lax.linalg.cholesky_update(factor, V))
    np.testing.assert_allclose(found.T @ found, P + np.outer(V, V), 1e-4, 1e-4)


def test_wide() -> None:
    """Of 64 bits everything is as exact as LAPACK is."""
    wide, complex_ = M.astype("float64"), H.astype("complex128")
    with at.config.enable_x64(True):
        linalg: Any = at.lax.linalg
        for a in (wide, complex_):
            form, vectors = map(np.asarray, linalg.schur(a))
            np.testing.assert_allclose(vectors @ form @ vectors.conj().T, a, 1e-12, 1e-12)
            packed, factors = map(np.asarray, linalg.hessenberg(a))
            q = np.eye(4, dtype=a.dtype)
            q[1:, 1:] = linalg.householder_product(packed[1:, :-1], factors)
            np.testing.assert_allclose(q @ np.triu(packed, -1) @ q.conj().T, a, 1e-12, 1e-12)


WRONG: tuple[Callable[[Any], Any], ...] = (
    lambda m: m.hessenberg(W), lambda m: m.schur(W), lambda m: m.schur(M, sort_eig_vals=True), lambda m: m.schur(V),
    lambda m: m.tridiagonal(M[:0, :0]), lambda m: m.tridiagonal_solve(V, V, V[:3], W),
    lambda m: m.tridiagonal_solve(V, V, V, M[:3]), lambda m: m.householder_product(W.T, V),
    lambda m: m.householder_product(W, V), lambda m: m.ormqr(M, V, W, left=False), lambda m: m.ormqr(M, V, V),
    lambda m: m.symmetric_product(W, W), lambda m: m.symmetric_product(H, H), lambda m: m.cholesky_update(M, V[:3]),
    lambda m: m.cholesky_update(BATCH, V), lambda m: m.lu_pivots_to_permutation(np.array([1, 2], "int32"), 1),
    lambda m: m.householder_product(BATCH, BATCH[:1, ..., 0]), lambda m: m.tridiagonal(M.astype("bfloat16")),
    lambda m: m.eigh(P, implementation=m.EighImplementation.JACOBI), lambda m: m.schur(M.astype("int32")),
    lambda m: m.svd(P, algorithm=m.SvdAlgorithm.POLAR), lambda m: m.eig(P, implementation=m.EigImplementation.MAGMA),
    lambda m: m.hessenberg(M.astype("float16")), lambda m: m.qdwh(W.T), lambda m: m.qdwh(BATCH),
    lambda m: m.qdwh(M.astype("int32")),
)  # fmt: skip


@pytest.mark.parametrize("number", range(len(WRONG)))
def test_mistakes(number: int) -> None:
    with pytest.raises((TypeError, ValueError, NotImplementedError)) as expected:
        WRONG[number](jax.lax.linalg)
    with pytest.raises(expected.type):
        WRONG[number](at.lax.linalg)


def test_transformed() -> None:
    """What has no derivative, and what is not mapped, says so."""
    for function in (at.lax.linalg.schur, at.lax.linalg.hessenberg, at.lax.linalg.tridiagonal):
        with pytest.raises(NotImplementedError, match="Differentiation rule"):
            at.jvp(function, (M,), (M,))
    with pytest.raises(NotImplementedError, match="Batching rule"):
        at.vmap(at.lax.linalg.cholesky_update)(np.stack([M, P]), np.stack([V, V]))
