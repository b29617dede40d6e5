"""The runtime against JAX: polynomials, covariances, packed bits, grids of slices, windows, files."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import test_linalg_solutions
import test_numerical_functions
import test_placing_functions
from answers import asked
from oracle import mentions
from runtime_calls import unequal, wrong_answers
from shares import spread

import arraytyping as at
import arraytyping.lax
import arraytyping.numpy as anp
from arraytyping.basearray import Array

NOT_COMPUTED = {"int1", "uint1", "float6_e2m3fn", "float6_e3m2fn"}
"""The dtypes with which XLA does not compute."""

P, Q = np.array([2, -1, 0, 3], np.float32), np.array([1, 2], np.float32)
X = np.array([0.5, -1, 2, 3, 1.5], np.float32)
Y = np.array([[1, 2, 0, 4, 3], [0, 1, 5, 2, 2]], np.float32)
SQUARE = np.array([[1, 2], [3, 4]], np.float32)
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
    "poly": lambda np_: [np_.poly(P), np_.poly(W), np_.poly(SQUARE), np_.poly(np.zeros(0, np.float32))],
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
CALLS |= {
    "roots": lambda np_: [np_.roots(p, strip_zeros=s) for s in (True, False)
                          for p in (P, W, np.array([0, 0, 1, 1j, 2, 0], np.complex64), np.zeros(2), np.ones(1))],
    "eig": lambda np_: [*np_.linalg.eig(SQUARE), *np_.linalg.eig(SQUARE[None] + 1j), np_.linalg.eigvals(W[:1, None])],
    "lstsq": lambda np_: [*np_.linalg.lstsq(Y.T, X), *np_.linalg.lstsq(Y[:, :0], Y)],
    "unwrap": lambda np_: [np_.unwrap(4 * X), np_.unwrap(W, period=2), np_.unwrap(Y, 2.0, 0)],
    "gradient": lambda np_: [np_.gradient(X), *np_.gradient(Y), *np_.gradient(Y, 2.0, X, axis=(0, 1)),
                             *np_.gradient(X, axis=(0, 0))],
    "interp": lambda np_: [np_.interp(X, P, P * 2), np_.interp(X, Q, Q, left=9, right="extrapolate"),
                           np_.interp(Y, Q, Q, period=2.5)],
    "histogram": lambda np_: [*np_.histogram(X, 4), *np_.histogram(Y, X[2:4], weights=Y),
                              *np_.histogram(Y, np.array([0, 1, 4.0])), *np_.histogram2d(X, X, [3, Q]),
                              *np_.histogram(X, 3, (0, 2), density=True)],
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


def theirs(call: Callable[[Any], Any], x64: bool) -> list[Any]:
    """What JAX gives."""
    with jax.enable_x64(x64):
        return flat(call(jnp))


@pytest.mark.parametrize("x64", [False, pytest.param(True, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("name", spread(CALLS, 2))
def test_values(name: str, x64: bool) -> None:
    with at.enable_x64(x64), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        given, real = flat(CALLS[name](anp)), asked(partial(theirs, CALLS[name], x64))
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


MADE = (test_numerical_functions, test_placing_functions, test_linalg_solutions)


@pytest.mark.parametrize("module", MADE, ids=lambda m: m.__name__)
@pytest.mark.parametrize("x64", [False, pytest.param(True, marks=pytest.mark.thorough)])
def test_types(module: Any, x64: bool) -> None:
    """Each call gives what its rule says, for all dtypes with which XLA computes, or raises what it says."""
    made = [c for c in module.by_dtype(x64) if not mentions(c.args, NOT_COMPUTED)] + list(module.every_call())[x64::4]
    count, lines = wrong_answers((c for c in made if not c.name.startswith("numpy.fft.")), x64=x64)
    print(f"{count} calls, {len(lines)} wrong")
    assert lines == []
    assert count > 900


def test_derivatives_of_eigenvectors() -> None:
    matrices = np.array([[[1, 2, 0.5], [0, 3, 1], [1, 1, -2]], [[0, 1, 0], [-1, 0, 2], [1, 1, 1]]], np.float32)

    def loss(np_: Any, lax: Any) -> Callable[[Any], Any]:
        def of(x: Any) -> Any:
            parts = lax.linalg.eig(x, enable_eigvec_derivs=True)
            return sum((np_.abs(p) ** 3 * np_.cos(np_.real(p)) * np_.sin(np_.imag(p) + 1)).sum() for p in parts)

        return of

    for a in (matrices, matrices + 0.5j * matrices[::-1]):
        real = jax.grad(loss(jnp, jax.lax))(a)
        np.testing.assert_allclose(at.grad(loss(anp, at.lax))(anp.asarray(a)), real, 1e-4, 1e-4)
        values = at.grad(lambda x: (abs(anp.linalg.eigvals(x)) ** 2).sum())(anp.asarray(a))
        np.testing.assert_allclose(values, jax.grad(lambda x: (abs(jnp.linalg.eigvals(x)) ** 2).sum())(a), 1e-4, 1e-4)
        each = at.vmap(lambda x: anp.linalg.eigvals(x))(anp.asarray(a))
        np.testing.assert_allclose(each, jnp.linalg.eigvals(a), 1e-5)
    with pytest.raises(NotImplementedError, match="enable_eigvec_derivs"):
        at.grad(lambda x: abs(anp.linalg.eig(x)[1]).sum())(anp.asarray(matrices))


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
