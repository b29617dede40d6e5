"""Samples of distributions with parameters against JAX's: counts equal, others to rounding, and their derivatives."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import numpy as np
import pytest
from answers import compiled

import arraytyping as at

SEED = 3
P = np.array([0.3, 1.5, 20], np.float32)
COV = np.array([[2, 0.5], [0.5, 1]], np.float32)
SHARES = np.array([0.2, 0.3, 0.5], np.float32)

QUICK: dict[str, Callable[[Any, Any], Any]] = {
    "geometric": lambda r, k: r.geometric(k, P / 21, (5, 3)),
    "pareto": lambda r, k: r.pareto(k, P),
    "rayleigh": lambda r, k: r.rayleigh(k, P, (2, 3)),
    "wald": lambda r, k: r.wald(k, P),
    "triangular": lambda r, k: r.triangular(k, -1, 0.5, P + 1),
    "lognormal": lambda r, k: [r.lognormal(k), r.lognormal(k, P)],
    "lognormal, complex": lambda r, k: r.lognormal(k, 0.5, (3,), "complex64"),
    "maxwell": lambda r, k: r.maxwell(k, (3,)),
    "double_sided_maxwell": lambda r, k: r.double_sided_maxwell(k, 1.0, P, (2,)),
    "weibull_min": lambda r, k: r.weibull_min(k, 2.0, P, (2, 3)),
    "orthogonal": lambda r, k: [r.orthogonal(k, 3, (2,)), r.orthogonal(k, 2, m=3)],
    "multivariate_normal": lambda r, k: [r.multivariate_normal(k, P[:2], COV, (3,), method=m)
                                         for m in ("cholesky", "eigh", "svd")],
}  # fmt: skip
LOOPS: dict[str, Callable[[Any, Any], Any]] = {
    "poisson": lambda r, k: r.poisson(k, P * P, (5, 3)),
    "multinomial": lambda r, k: r.multinomial(k, 300, SHARES, shape=(2, 3)),
}
MORE_LOOPS: dict[str, Callable[[Any, Any], Any]] = {
    "gamma": lambda r, k: r.gamma(k, P, (4, 3)),
    "beta": lambda r, k: r.beta(k, P, 2.0),
    "dirichlet": lambda r, k: r.dirichlet(k, P, (2,)),
    "t": lambda r, k: r.t(k, P),
    "chisquare": lambda r, k: r.chisquare(k, P, (2, 3)),
    "f": lambda r, k: r.f(k, P, 3.0),
    "ball": lambda r, k: [r.ball(k, 3), r.ball(k, 3, 1.5, (2,))],
    "binomial": lambda r, k: r.binomial(k, np.array([5, 300, np.nan], np.float32), P / 21, (4, 3)),
    "poisson, int8": lambda r, k: r.poisson(k, 3.0, (3,), "int8"),
    "loggamma": lambda r, k: r.loggamma(k, P, (4, 3)),
    "generalized_normal": lambda r, k: r.generalized_normal(k, 1.5, (2, 3)),
    "gamma, float16": lambda r, k: r.gamma(k, P, (3,), "float16"),
}


def drawn(calls: dict[str, Callable[[Any, Any], Any]], framework: Any, seed: Any) -> dict[str, Any]:
    """What each call gives for one key."""
    key = framework.random.key(seed)
    return {name: call(framework.random, key) for name, call in calls.items()}


def check(program: Callable[..., Any], *args: Any, x64: bool = False, tolerance: float = 1e-6) -> None:
    """The program `f(framework, *args)` gives the same here and with JAX, compiled as one; integers are equal."""
    theirs = compiled(partial(program, jax), *args, x64=x64)
    with at.enable_x64(x64), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ours = at.jit(lambda *a: program(at, *a))(*args)
    assert ours.keys() == theirs.keys()
    for name, expected in theirs.items():
        for a, b in zip(jax.tree.leaves(ours[name]), jax.tree.leaves(expected), strict=True):
            x, y = np.asarray(a), np.asarray(b)
            assert (x.dtype, x.shape, a.weak_type) == (y.dtype, y.shape, b.weak_type), name
            wide = np.complex128 if x.dtype.kind == "c" else np.float64
            np.testing.assert_allclose(
                x.astype(wide), y.astype(wide), 2e-3 if x.dtype == np.float16 else tolerance, 1e-9, err_msg=name
            )


@pytest.mark.parametrize("x64", [False, pytest.param(True, marks=pytest.mark.thorough)])
def test_functions_of_uniform_numbers(x64: bool) -> None:
    check(partial(drawn, QUICK), SEED, x64=x64)


def test_loops() -> None:
    check(partial(drawn, LOOPS), SEED)


@pytest.mark.thorough
@pytest.mark.parametrize("x64", [False, True])
def test_more_loops(x64: bool) -> None:
    check(partial(drawn, LOOPS | MORE_LOOPS), SEED, x64=x64)


def derived(framework: Any, seed: Any, a: Any, spread: Any) -> dict[str, Any]:
    """Derivatives by the parameters, and samples of several keys."""
    key = framework.random.key(seed)

    def of(name: str) -> Any:
        return framework.grad(lambda a: getattr(framework.random, name)(key, a).sum())(a)

    def normals(spread: Any) -> Any:
        return framework.random.multivariate_normal(key, a[:2], spread).sum()

    keys = framework.random.split(key, 3)
    return {
        "loggamma, also of samples too small for a number": framework.grad(
            lambda a: framework.random.loggamma(key, a).sum()
        )(framework.numpy.append(a, 1e-4)),
        "wald": of("wald"), "pareto": of("pareto"),
        "multivariate_normal": framework.grad(normals)(spread),
        "mapped": framework.vmap(lambda k, a: framework.random.gamma(k, a))(keys, a),
        "mapped over the key alone": framework.vmap(lambda k: framework.random.exponential(k))(keys),
    }  # fmt: skip


def test_derivatives_and_batches() -> None:
    check(derived, SEED, P, COV, tolerance=2e-5)


WRONG: tuple[Callable[[Any, Any], Any], ...] = (
    lambda r, k: r.gamma(k, np.ones(3, np.float32), (2,)), lambda r, k: r.beta(k, 1.0, np.float32(2), dtype="bfloat16"),
    lambda r, k: r.poisson(k, 1.0, dtype="float32"), lambda r, k: r.dirichlet(k, 1.0), lambda r, k: r.gamma(0, 1.0),
    lambda r, k: r.multivariate_normal(k, P, COV), lambda r, k: r.multivariate_normal(k, P[:2], COV, method="x"),
    lambda r, k: r.orthogonal(k, -1), lambda r, k: r.ball(k, 2.5), lambda r, k: r.t(k, None),
    lambda r, k: r.lognormal(k, dtype="float16"), lambda r, k: r.f(k, P, np.ones((2, 3), np.float32)),
    lambda r, k: r.multinomial(k, 3, 0.5), lambda r, k: r.binomial(k, 3, 0.5, dtype="int32"),
)  # fmt: skip


def raised(framework: Any) -> list[str]:
    """The built-in class of what each call raises."""
    key, found = framework.random.key(0), []
    for call in WRONG:
        with pytest.raises((TypeError, ValueError)) as error:
            call(framework.random, key)
        assert len(str(error.value)) > 20
        found.append(next(c.__name__ for c in error.type.__mro__ if c.__module__ == "builtins"))
    return found


def test_mistakes() -> None:
    assert raised(at) == raised(jax)
