"""The runtime against JAX: polynomials, covariances, packed bits, grids of slices, windows, files."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
from runtime_calls import unequal

import arraytyping as at
import arraytyping.numpy as anp
from arraytyping.basearray import Array

P, Q = np.array([2, -1, 0, 3], np.float32), np.array([1, 2], np.float32)
X = np.array([0.5, -1, 2, 3, 1.5], np.float32)
Y = np.array([[1, 2, 0, 4, 3], [0, 1, 5, 2, 2]], np.float32)
BITS = np.array([[1, 0, 1, 1, 0, 0, 1, 0, 1], [0, 0, 3, 1, 1, 0, 0, 1, 1]], np.int32)
W = np.array([1, 2, 0, 3, 1])

WINDOWS = ("bartlett", "blackman", "hamming", "hanning")
CALLS: dict[str, Callable[[Any], Any]] = {
    "polyval": lambda np_: [np_.polyval(P, X), np_.polyval(P[:, None] * Q, Q), np_.polyval(W, 2), np_.polyval(P, 2)],
    "polyadd": lambda np_: [np_.polyadd(P, Q), np_.polyadd(W, P), np_.polysub(Q, P)],
    "polymul": lambda np_: [np_.polymul(P, Q), np_.polymul(np.r_[0, 0, Q], Q, trim_leading_zeros=True)],
    "polydiv": lambda np_: [np_.polydiv(P, Q), np_.polydiv(Q, P), np_.polydiv(P, Q, trim_leading_zeros=True)],
    "polyder": lambda np_: [np_.polyder(P, m) for m in (0, 1, 2)] + [np_.polyder(W)],
    "polyint": lambda np_: [np_.polyint(P), np_.polyint(P, 2, [3.0, 4.0][0]), np_.polyint(P, 2, Q), np_.polyint(P, 0)],
    "poly": lambda np_: [np_.poly(P), np_.poly(W), np_.poly(np.zeros(0, np.float32))],
    "polyfit": lambda np_: [np_.polyfit(X, Y[0], 1), np_.polyfit(X, Y.T, 1, w=W), np_.polyfit(X, Y[0], 1, full=True),
                            np_.polyfit(X, Y[0], 1, cov=True), np_.polyfit(X, Y.T, 1, cov="unscaled")],
    "cov": lambda np_: [np_.cov(Y), np_.cov(X), np_.cov(Y.T, rowvar=False), np_.cov(X, Y[0]), np_.cov(Y, bias=True),
                        np_.cov(Y, ddof=2), np_.cov(Y, fweights=W), np_.cov(Y, aweights=X * X),
                        np_.cov(Y, dtype="float16"),
                        np_.cov(Y, fweights=W, aweights=X * X), np_.cov(W)],
    "corrcoef": lambda np_: [np_.corrcoef(Y), np_.corrcoef(X), np_.corrcoef(X, Y[0]), np_.corrcoef(Y + 1j * Y[::-1])],
    "packbits": lambda np_: [np_.packbits(BITS), np_.packbits(BITS, 1), np_.packbits(BITS > 0, 0, bitorder="little")],
    "unpackbits": lambda np_: [np_.unpackbits(W.astype(np.uint8)), np_.unpackbits(BITS.astype(np.uint8), 1, 11),
                               np_.unpackbits(BITS.astype(np.uint8), 0, 30, bitorder="little")],
    "mgrid": lambda np_: [np_.mgrid[:3], np_.mgrid[1:2:5j, 0:3], np_.mgrid[()]],
    "ogrid": lambda np_: [np_.ogrid[2:0.5:-0.5], *np_.ogrid[1:2:5j, 0:3]],
    "r_": lambda np_: [np_.r_[1:4, 0, 4], np_.r_[-1:1:6j, X], np_.r_["1,3", X, X], np_.r_["r", 1, 2],
                       np_.r_["0,2,0", X, X], np_.r_["c", 1, 2]],
    "c_": lambda np_: [np_.c_[X, X], np_.c_[Y, Y], np_.c_[0:3, 3:6]],
    "windows": lambda np_: [getattr(np_, n)(m) for n in WINDOWS for m in (0, 1, 5)]
    + [np_.kaiser(5, 2.0), np_.kaiser(1, 3)],
}  # fmt: skip
WRONG: tuple[Callable[[Any], Any], ...] = (
    lambda np_: np_.polyval([1, 2], 3), lambda np_: np_.polyder(P, -1), lambda np_: np_.polyfit(X, Y, 1),
    lambda np_: np_.polyint(P, 2, P), lambda np_: np_.cov(np.zeros((2, 2, 2))), lambda np_: np_.cov(Y, dtype=int),
    lambda np_: np_.cov(Y, fweights=X), lambda np_: np_.cov(Y, aweights=P), lambda np_: np_.packbits(X),
    lambda np_: np_.packbits(BITS, bitorder="x"), lambda np_: np_.unpackbits(BITS), lambda np_: np_.r_[1, "r"],
    lambda np_: np_.r_["x", 1], lambda np_: np_.polyfit(X, Y[0], 4, cov=True), lambda np_: np_.poly(np.zeros((2, 3))),
    lambda np_: np_.fromfile("x"),
)  # fmt: skip


def flat(result: Any) -> list[Any]:
    return [leaf for part in result for leaf in flat(part)] if isinstance(result, tuple | list) else [result]


@pytest.mark.parametrize("x64", [False, pytest.param(True, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("name", CALLS)
def test_values(name: str, x64: bool) -> None:
    import jax

    with at.enable_x64(x64), jax.enable_x64(x64), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        given, real = flat(CALLS[name](anp)), flat(CALLS[name](jnp))
    assert len(given) == len(real)
    for a, b in zip(given, real):
        assert isinstance(a, Array)
        assert unequal(b, a, 1e-4) is None
        assert bool(a.weak_type) == b.weak_type  # type: ignore[attr-defined]


def test_mistakes() -> None:
    for wrong in WRONG:
        with pytest.raises((TypeError, ValueError, RuntimeError, NotImplementedError)) as expected:
            wrong(jnp)
        with pytest.raises(expected.type) as ours:
            wrong(anp)
        assert len(str(ours.value)) > 20


def test_traced() -> None:
    given = at.jit(lambda x, y: (anp.polyval(x, y), anp.cov(x, y[:4]), anp.corrcoef(x, y[:4]), anp.polyfit(y, y, 1)))
    real = jnp.polyval(P, X), jnp.cov(P, X[:4]), jnp.corrcoef(P, X[:4]), jnp.polyfit(X, X, 1)
    for a, b in zip(given(P, X), real):
        np.testing.assert_allclose(a, b, 1e-4, 1e-5)
    slope = at.grad(lambda p: anp.polyval(p, 2.0))(anp.asarray(P))
    np.testing.assert_allclose(slope, [8, 4, 2, 1])


def test_files(tmp_path: Path) -> None:
    anp.save(tmp_path / "x.npy", anp.asarray(X))
    found = anp.load(tmp_path / "x.npy")
    assert isinstance(found, Array)
    assert found.tolist() == X.tolist()  # type: ignore[attr-defined]


def test_signatures() -> None:
    for name in CALLS:
        if inspect.isfunction(getattr(anp, name, None)):
            real = inspect.signature(getattr(jnp, name)).parameters.values()
            ours = inspect.signature(getattr(anp, name)).parameters.values()
            assert [(p.name, p.kind, p.default) for p in ours] == [(p.name, p.kind, p.default) for p in real], name
