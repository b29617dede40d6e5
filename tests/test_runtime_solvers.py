"""Solvers, minimization and interpolation of `scipy` against JAX's, and special functions of several arguments."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import jax.scipy.interpolate
import jax.scipy.optimize
import jax.scipy.sparse.linalg
import jax.scipy.special
import numpy as np
import pytest
from kept_leaves import leaves_of_jax
from shares import spread

import arraytyping as at
import arraytyping.scipy.interpolate
import arraytyping.scipy.optimize
import arraytyping.scipy.sparse.linalg

GENERATOR = np.random.default_rng(0)
ROOT = GENERATOR.normal(size=(6, 6))
GENERAL = (ROOT + 6 * np.eye(6)).astype(np.float32)
DEFINITE = (ROOT @ ROOT.T + 6 * np.eye(6)).astype(np.float32)
COMPLEX = (GENERAL + 1j * ROOT).astype(np.complex64)
RIGHT = GENERATOR.normal(size=6).astype(np.float32)
ABOUT = np.diag(1 / np.diag(GENERAL)).astype(np.float32)
LIMITED = "l-bfgs-experimental-do-not-rely-on-this"


def outcome(library: Any, call: Callable[[Any], Any]) -> Any:
    """The leaves of a result, or the class of the exception."""
    try:
        found = call(library)
    except Exception as error:
        return type(error)
    return [(str(x.dtype), x.shape, bool(x.weak_type), np.asarray(x)) for x in library.tree.leaves(found)]


def check(call: Callable[[Any], Any], tolerance: float = 2e-4) -> None:
    """Assert that a call gives the same of both libraries, to rounding."""
    ours, theirs = outcome(at, call), leaves_of_jax(partial(outcome, jax, call))
    if isinstance(ours, type) or isinstance(theirs, type):
        assert isinstance(ours, type), theirs
        assert issubclass(ours, theirs), (ours, theirs)
        return
    assert [a[:3] for a in ours] == [b[:3] for b in theirs]
    for a, b in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(a[3], b[3], tolerance, tolerance)


SOLVED: tuple[tuple[str, Any, dict[str, Any]], ...] = (
    ("cg", DEFINITE, {"maxiter": 2}), ("cg", DEFINITE, {"M": ABOUT}), ("bicgstab", GENERAL, {}),
    ("bicgstab", GENERAL, {"x0": np.ones(6, np.float32), "tol": 1e-2}), ("gmres", GENERAL, {"restart": 3}),
    ("gmres", COMPLEX, {}), ("gmres", GENERAL, {"solve_method": "incremental", "restart": 3, "maxiter": 1}),
    ("gmres", GENERAL, {"solve_method": "other"}), ("cg", np.ones((2, 3)), {}), ("cg", 3.0, {}),
    ("cg", GENERAL, {"x0": [RIGHT]}),
)  # fmt: skip


@pytest.mark.parametrize("number", spread(range(len(SOLVED)), 2))
def test_equations(number: int) -> None:
    name, matrix, options = SOLVED[number]
    right = RIGHT.astype(matrix.dtype) if isinstance(matrix, np.ndarray) and matrix.shape == (6, 6) else RIGHT
    check(
        lambda m: getattr(m.scipy.sparse.linalg, name)(
            m.numpy.asarray(matrix) if number != 9 else matrix, right, **options
        )
    )


def test_slopes_of_solutions() -> None:
    def slopes(m: Any) -> Any:
        return m.grad(lambda a, b: (m.scipy.sparse.linalg.cg(a, b)[0] ** 2).sum(), (0, 1))(DEFINITE, RIGHT)

    check(slopes)


def test_trees() -> None:
    def solved(m: Any) -> Any:
        b = {"a": m.numpy.ones(3), "b": m.numpy.ones((2, 2))}
        return m.jit(lambda b: m.scipy.sparse.linalg.bicgstab(lambda x: {"a": 2 * x["a"], "b": 3 * x["b"]}, b)[0])(b)

    check(solved)


@pytest.mark.parametrize(
    ("method", "options"),
    [
        pytest.param("BFGS", {}, marks=pytest.mark.thorough),
        ("bfgs", {"maxiter": 3}),
        (LIMITED, {}),
        (LIMITED, {"maxfun": 5}),
        ("other", {}),
    ],
)
def test_minimization(method: str, options: dict[str, Any]) -> None:
    def least(m: Any) -> Any:
        def rosenbrock(x: Any, factor: Any) -> Any:
            return m.numpy.sum(factor * m.numpy.diff(x) ** 2 + (1 - x[:-1]) ** 2)

        start = m.numpy.asarray(np.array([1.2, -0.5], np.float32))
        return m.scipy.optimize.minimize(rosenbrock, start, (100.0,), method=method, options=options)

    check(least, 1e-3)


PLACES = np.array([[0.1, 3.2], [1.9, 0.0], [-1.0, 2.0], [2.0, 4.0]], np.float32)


@pytest.mark.parametrize(
    "options",
    [pytest.param({}, marks=pytest.mark.thorough), {"method": "nearest"}, {"fill_value": None}, {"bounds_error": True}],
)
def test_interpolation(options: dict[str, Any]) -> None:
    grid = (np.arange(3, dtype=np.float32), np.array([0, 1, 3, 4], np.float32))
    values = GENERATOR.normal(size=(3, 4, 2)).astype(np.float32)

    def found(m: Any) -> Any:
        function = m.scipy.interpolate.RegularGridInterpolator(grid, m.numpy.asarray(values), **options)
        slope = m.grad(lambda x: function(x, "linear")[:2].sum())(m.numpy.asarray(PLACES))
        return function(PLACES), m.jit(lambda f, x: f(x))(function, (PLACES[:, 0], PLACES[:, 1])), slope

    check(found)


def test_grids_that_do_not_fit() -> None:
    def made(m: Any, *given: Any) -> Any:
        return m.scipy.interpolate.RegularGridInterpolator(*given)

    check(lambda m: made(m, (np.ones(2), np.ones(2)), np.ones(2)))
    check(lambda m: made(m, (np.ones(2),), np.ones(2), "other"))
    check(lambda m: made(m, (np.arange(2.0),), np.ones(2))(np.ones((3, 2))))


NUMBERS = (0.0, 0.5, 1.0, 2.0, -2.5, 3.3)


def test_slopes_of_a_hypergeometric_function() -> None:
    given = [np.array(x, np.float32) for x in ([1.3, 0.4], [2.2, 1.5], [3.7, -0.4], [0.3, -0.2])]
    check(lambda m: m.grad(lambda *a: m.scipy.special.hyp1f1(*a).sum(), (0, 1, 2))(*given[:3]), 1e-3)
    check(lambda m: m.scipy.special.hyp2f1(*given), 1e-3)


@pytest.mark.thorough
def test_hypergeometric_functions() -> None:
    three = np.array([*itertools.product(NUMBERS, NUMBERS, [-3.0, 0.0, 0.7, 101.0])], np.float32).T.copy()
    four = np.array([*itertools.product(NUMBERS, NUMBERS, NUMBERS, [-0.9, 0.0, 0.95, 1.0, 1.5])], np.float32).T.copy()
    check(lambda m: [m.scipy.special.hyp1f1(*three), m.scipy.special.hyp2f1(*four)], 1e-3)
    given = [np.array(x, np.float32) for x in ([1.3, 0.4], [2.2, 1.5], [3.7, -0.4], [0.3, -0.2])]
    check(lambda m: m.grad(lambda *a: m.scipy.special.hyp2f1(*a).sum(), (0, 1, 2, 3))(*given), 1e-3)


def test_harmonics_and_orders() -> None:
    n, order = np.arange(10), np.array([0, 1, -1, 2, -4, 5, -6, 0, 8, -9])
    theta, phi = np.linspace(0.1, 3, 10, dtype=np.float32), np.linspace(0, 6, 10, dtype=np.float32)

    def harmonics(m: Any) -> Any:
        given = [m.numpy.asarray(x) for x in (n, order, theta, phi)]
        return m.scipy.special.sph_harm_y(*given), m.scipy.special.bessel_jn(given[2], v=3)

    check(harmonics)


def test_integrals_of_waves_and_owens_function() -> None:
    x = np.array([-9.0, -1.6, -0.3, 0.0, 1.0, 1.6, 2.5, 40000.0, np.inf, np.nan], np.float32)
    check(lambda m: [m.scipy.special.fresnel(x), *[m.scipy.special.owens_t(h, x) for h in (0.0, 0.3, -1.2)]])
    check(lambda m: m.grad(lambda x: sum(part.sum() for part in m.scipy.special.fresnel(x)))(x[:7]))
    check(lambda m: m.grad(lambda h, a: m.scipy.special.owens_t(h, a).sum(), (0, 1))(x[:7], x[6::-1].copy()))
