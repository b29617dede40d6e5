"""The functions of `scipy.stats` against JAX's: values, derivatives, mapped ones, beyond the support too."""

from __future__ import annotations

import importlib
import warnings
from functools import partial
from types import ModuleType
from typing import Any

import jax
import numpy as np
import pytest
from answers import compiled

import arraytyping as at
from arraytyping.scipy import stats

DISTRIBUTIONS = sorted(n for n, thing in vars(stats).items() if isinstance(thing, ModuleType) and n != "whole")
for _name in DISTRIBUTIONS:
    importlib.import_module(f"jax.scipy.stats.{_name}")

X = np.array([-3.2, -1, -0.4, 0, 0.3, 0.5, 0.8, 1, 1.7, 2, 4.5, 9], np.float32)
Q = np.array([0, 0.05, 0.2, 0.5, 0.77, 0.95, 1, -0.1, 1.2], np.float32)
COUNTS = np.array([-1, 0, 1, 2, 3, 5, 7, 1.5], np.float32)
SHAPES: dict[str, tuple[float, ...]] = {
    "t": (3.5,), "gennorm": (1.4,), "gamma": (2.2,), "chi2": (3.0,), "beta": (2.5, 1.3), "pareto": (2.1,),
    "vonmises": (1.7,), "wrapcauchy": (0.4,), "bernoulli": (0.3,), "betabinom": (7.0, 2.3, 1.2), "binom": (6.0, 0.35),
    "geom": (0.4,), "nbinom": (3.0, 0.6), "poisson": (2.4,),
}  # fmt: skip
"""Parameters of shape, between the argument and `loc`."""


def functions(name: str) -> list[str]:
    """The functions of a distribution."""
    return list(getattr(stats, name).__all__)


def argument(name: str, function: str) -> np.ndarray[Any, Any]:
    """What a function is called with: probabilities, counts or numbers."""
    if function in ("ppf", "isf"):
        return Q
    return COUNTS if any(f.endswith("pmf") for f in functions(name)) else X


def evaluated(framework: Any, name: str, dtype: Any) -> dict[str, Any]:
    """Values and derivatives of each function, by all arguments."""
    module = getattr(framework.scipy.stats, name)
    found: dict[str, Any] = {}
    for function in functions(name):
        f, x = getattr(module, function), framework.numpy.asarray(argument(name, function).astype(dtype))
        shape = [dtype(s) for s in SHAPES.get(name, ())]
        found[function] = f(x, *shape)
        has_place = (name, function) not in {("bernoulli", "cdf"), ("bernoulli", "ppf")} and name not in NO_PLACE
        place = () if not has_place else (dtype(0.25),) if name in ("poisson", "binom") else (dtype(1),)
        if not any(g.endswith("pmf") for g in functions(name)) and has_place:
            place = (*place, dtype(2.5))
        found[f"{function} elsewhere"] = f(x, *shape, *place)
        known = argument(name, function)
        inside = (known > 0.1) & (known < 0.9) if function in ("ppf", "isf") else known > (2 if name == "pareto" else 0)
        args = [framework.numpy.asarray(known[inside].astype(dtype)), *shape]
        numbers = tuple(range(len(args))) if name not in UNDERIVED else (0,)
        if not name.startswith("gumbel"):  # JAX fails for the derivative of its xlogy(-1, x)
            found[f"{function} derived"] = framework.grad(lambda *a, f=f: f(*a).sum(), numbers)(*args)
        found[f"{function} mapped"] = framework.vmap(f, (0, *[None] * len(shape)))(x, *shape)
    return found


NO_PLACE = ("gennorm", "vonmises", "wrapcauchy")
UNDERIVED = ("gamma", "chi2", "gennorm", "beta", "poisson", "betabinom")
"""Those whose derivatives by a parameter of shape JAX computes by a series of its own, or not at all."""


@pytest.mark.parametrize("name", DISTRIBUTIONS)
@pytest.mark.parametrize("x64", [False, pytest.param(True, marks=pytest.mark.thorough)])
def test_values_and_derivatives(name: str, x64: bool) -> None:
    dtype: Any = np.float64 if x64 else np.float32
    theirs = compiled(partial(evaluated, jax, name, dtype), x64=x64)
    with at.enable_x64(x64), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ours = at.jit(partial(evaluated, at, name, dtype))()
    assert ours.keys() == theirs.keys()
    for key, expected in theirs.items():
        for a, b in zip(at.tree.leaves(ours[key]), jax.tree.leaves(expected), strict=True):
            assert (a.dtype, a.shape, a.weak_type) == (b.dtype, b.shape, b.weak_type), key
            np.testing.assert_allclose(np.asarray(a), np.asarray(b), 1e-10 if x64 else 5e-5, 1e-6, err_msg=key)


def test_eager_calls_with_numbers() -> None:
    for name in ("norm", "expon"):
        a, b = (getattr(s, name).logpdf(1.5, loc=0.5, scale=2) for s in (at.scipy.stats, jax.scipy.stats))
        assert (a.weak_type, a.dtype) == (b.weak_type, b.dtype)
        np.testing.assert_allclose(a, b, 1e-6)
