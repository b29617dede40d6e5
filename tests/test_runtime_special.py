"""The functions of `scipy.special` against JAX's: values and derivatives."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import jax.scipy.special
import numpy as np
import pytest
from answers import compiled

import arraytyping as at
from arraytyping.scipy import special

X = np.array([-7.3, -2.5, -1, -0.3, 0, 0.2, 0.5, 0.9, 1, 1.7, 3.3, 4.5, 7, 11, 60, np.inf, np.nan], np.float32)
Y = np.array([2.5, 1.5, 3, 0.3, 1, 0.2, 2, 0.9, 4, 1.7, 3.3, 0.5, 7, 2, 6, 1, 1], np.float32)
Z = (X[:-2] / 10 + 1j * Y[:-2]).astype(np.complex64)
ONE = [
    "dawsn", "digamma", "entr", "erf", "erfc", "erfcx", "erfinv", "exp1", "expi", "expit", "factorial", "gamma",
    "gammaln", "gammasgn", "i0", "i0e", "i1", "i1e", "log_ndtr", "log_softmax", "loggamma", "logit", "ndtr",
    "ndtri", "sici", "softmax", "spence",
]  # fmt: skip
TWO = [
    "beta", "betaln", "boxcox", "boxcox1p", "comb", "gammainc", "gammaincc", "kl_div", "poch", "rel_entr",
    "xlog1py", "xlogy",
]  # fmt: skip
OTHERS: dict[str, Callable[[Any, Any, Any, Any], Any]] = {
    "betainc": lambda s, x, y, z: s.betainc(y, y[::-1], y / 8),
    "zeta": lambda s, x, y, z: s.zeta(abs(x) + 1.5, y),
    "polygamma": lambda s, x, y, z: s.polygamma(np.arange(17, dtype=np.int32) % 4, y),
    "multigammaln": lambda s, x, y, z: s.multigammaln(y + 3, 3),
    "expn": lambda s, x, y, z: [s.expn(np.arange(15, dtype=np.int32) % 5, abs(x[:15])), s.expn(6000, y)],
    "complex": lambda s, x, y, z: [getattr(s, n)(z) for n in ("gamma", "loggamma", "erfcx", "wofz", "logit")],
    "combinations with repetition": lambda s, x, y, z: s.comb(y * 2, 2.0, repetition=True),
    "logarithms of small numbers": lambda s, x, y, z: s.log_ndtr(-x * 2, 5),
}
DIFFERENTIATED = ["dawsn", "entr", "erfcx", "expi", "gamma", "log_ndtr", "logit", "ndtri"]


def same(ours: Any, theirs: Any, tolerance: float) -> None:
    """Assert that two dictionaries of arrays are equal to rounding."""
    assert ours.keys() == theirs.keys()
    for name, expected in theirs.items():
        for a, b in zip(jax.tree.leaves(ours[name]), jax.tree.leaves(expected), strict=True):
            x, y = np.asarray(a), np.asarray(b)
            assert (x.dtype, x.shape) == (y.dtype, y.shape), name
            np.testing.assert_allclose(x, y, tolerance, tolerance / 100, err_msg=name)


def values(framework: Any, x: Any, y: Any, z: Any) -> dict[str, Any]:
    """The value of each function."""
    s = framework.scipy.special
    found = {n: getattr(s, n)(x) for n in ONE} | {n: getattr(s, n)(x, y) for n in TWO}
    return found | {n: f(s, x, y, z) for n, f in OTHERS.items()}


def slopes(framework: Any, x: Any, y: Any) -> dict[str, Any]:
    """Derivatives: of functions with rules of their own, and by both arguments."""
    s = framework.scipy.special

    def of(function: Callable[..., Any], *args: Any) -> Any:
        return framework.grad(lambda *a: function(*a).sum(), tuple(range(len(args))))(*args)

    found = {n: of(getattr(s, n), x) for n in DIFFERENTIATED}
    found |= {n: of(getattr(s, n), x, y) for n in ("xlogy", "xlog1py", "rel_entr", "poch", "gammainc")}
    found["sici"] = of(lambda x: s.sici(x)[0], x[6:12])
    found["zeta"] = of(s.zeta, abs(x) + 1.5, y)
    found["expn"] = of(lambda x: s.expn(2, x), x[6:12])
    return found


@pytest.mark.parametrize("x64", [False, pytest.param(True, marks=pytest.mark.thorough)])
def test_values(x64: bool) -> None:
    wide = {"f": np.float64, "c": np.complex128} if x64 else {"f": np.float32, "c": np.complex64}
    args: list[Any] = [v.astype(wide[v.dtype.kind]) for v in (X, Y, Z)]
    theirs = compiled(partial(values, jax), *args, x64=x64)
    with at.enable_x64(x64), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        same(at.jit(partial(values, at))(*args), theirs, 1e-12 if x64 else 5e-6)


def test_derivatives() -> None:
    args = X[3:14], Y[3:14]
    same(at.jit(partial(slopes, at))(*args), compiled(partial(slopes, jax), *args), 5e-5)


WRONG: tuple[Callable[[Any], Any], ...] = (
    lambda s: s.bernoulli(-1), lambda s: s.ndtr(np.int8(1)), lambda s: s.beta(1j, 2.0), lambda s: s.gammainc(1j, 2),
    lambda s: s.zeta(2.0), lambda s: s.log_ndtr(1.0, 31), lambda s: s.factorial(3, exact=True),
)  # fmt: skip


def test_bernoulli_and_mistakes() -> None:
    np.testing.assert_allclose(special.bernoulli(20), jax.scipy.special.bernoulli(20), 1e-6)
    for wrong in WRONG:
        with pytest.raises((TypeError, ValueError, NotImplementedError)) as expected:
            wrong(jax.scipy.special)
        with pytest.raises(expected.type):
            wrong(special)


def test_signatures() -> None:
    for name in (*ONE, *TWO, *OTHERS, "bernoulli"):
        if hasattr(special, name):
            real = inspect.signature(getattr(jax.scipy.special, name)).parameters.values()
            ours = inspect.signature(getattr(special, name)).parameters.values()
            assert [(p.name, p.kind, p.default) for p in ours] == [(p.name, p.kind, p.default) for p in real], name
