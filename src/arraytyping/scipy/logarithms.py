"""Functions of logarithms and exponentials: entropies, powers of Box and Cox, softmax, Bessel functions.

Source: https://docs.jax.dev/en/latest/jax.scipy.html.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from arraytyping import lax
from arraytyping.nn.operations import composed
from arraytyping.numpy import exp, expm1, isnan, log, log1p, where
from arraytyping.runtime.calling import operation
from arraytyping.runtime.transformations.custom_rules import custom_jvp
from arraytyping.scipy.gamma_functions import operands
from arraytyping.semantics.rules import special as special  # enters what is composed

__all__ = [
    "boxcox", "boxcox1p", "entr", "expit", "i0", "i0e", "i1", "i1e", "kl_div", "log_softmax", "logit", "logsumexp",
    "rel_entr", "softmax", "xlog1py", "xlogy",
]  # fmt: skip

logsumexp: Final = composed("scipy.special.logsumexp", "a", "b", "where")
softmax: Final = composed("scipy.special.softmax", "x")
log_softmax: Final = composed("scipy.special.log_softmax", "x")


@custom_jvp
def _logit(x: Any) -> Any:
    return log(x / (1 - x))


_logit.defjvps(lambda g, ans, x: g / (x * (1 - x)))


@operation("scipy.special.logit", "x")
def logit(x: Any) -> Any:
    """`jax.scipy.special.logit`: log(x / (1 - x))."""
    return _logit(*operands(x))


@operation("scipy.special.expit", "x")
def expit(x: Any) -> Any:
    """`jax.scipy.special.expit`: 1 / (1 + exp(-x))."""
    return lax.logistic(*operands(x))


@custom_jvp
def _xlogy(x: Any, y: Any) -> Any:
    return where((x != 0) | isnan(y), x * log(y), 0)


_xlogy.defjvps(lambda g, ans, x, y: g * log(y), lambda g, ans, x, y: g * x / y)


@operation("scipy.special.xlogy", "x", "y")
def xlogy(x: Any, y: Any) -> Any:
    """`jax.scipy.special.xlogy`: x log(y), 0 where x is."""
    return _xlogy(*operands(x, y))


@custom_jvp
def _xlog1py(x: Any, y: Any) -> Any:
    return where((x != 0) | isnan(y), x * log1p(y), 0)


_xlog1py.defjvps(lambda g, ans, x, y: g * log1p(y), lambda g, ans, x, y: g * x / (1 + y))


@operation("scipy.special.xlog1py", "x", "y")
def xlog1py(x: Any, y: Any) -> Any:
    """`jax.scipy.special.xlog1py`: x log(1 + y), 0 where x is."""
    return _xlog1py(*operands(x, y))


@custom_jvp
def _xlogx(x: Any) -> Any:
    return _xlogy(x, x)


_xlogx.defjvps(lambda g, ans, x: g * (log(x) + 1))


@operation("scipy.special.entr", "x")
def entr(x: Any) -> Any:
    """`jax.scipy.special.entr`: -x log(x), minus infinity of negative numbers."""
    (x,) = operands(x)
    return where(x < 0, -np.inf, -_xlogx(x))


def _relative_entropy(p: Any, q: Any) -> Any:
    both = (p > 0) & (q > 0)
    safe_p, safe_q = where(both, p, 1), where(both, q, 1)
    value = _xlogx(safe_p) - _xlogy(safe_p, safe_q)
    return where(both, value, where((p == 0) & (q >= 0), 0.0, np.inf))


@operation("scipy.special.rel_entr", "p", "q")
def rel_entr(p: Any, q: Any) -> Any:
    """`jax.scipy.special.rel_entr`: p log(p / q)."""
    return _relative_entropy(*operands(p, q))


@operation("scipy.special.kl_div", "p", "q")
def kl_div(p: Any, q: Any) -> Any:
    """`jax.scipy.special.kl_div`: p log(p / q) - p + q."""
    p, q = operands(p, q)
    return _relative_entropy(p, q) - p + q


def _power(logarithm: Any, power: Any) -> Any:
    is_zero = power == 0
    safe = where(is_zero, 1, power)
    return where(is_zero, logarithm, expm1(safe * logarithm) / safe)


@operation("scipy.special.boxcox", "x", "lmbda")
def boxcox(x: Any, lmbda: Any) -> Any:
    """`jax.scipy.special.boxcox`: (x^lmbda - 1) / lmbda, log(x) where lmbda is 0."""
    x, lmbda = operands(x, lmbda)
    return _power(log(x), lmbda)


@operation("scipy.special.boxcox1p", "x", "lmbda")
def boxcox1p(x: Any, lmbda: Any) -> Any:
    """`jax.scipy.special.boxcox1p`: the same of 1 + x."""
    x, lmbda = operands(x, lmbda)
    return _power(log1p(x), lmbda)


@operation("scipy.special.i0e", "x")
def i0e(x: Any) -> Any:
    """`jax.scipy.special.i0e`: exp(-|x|) times the modified Bessel function of order 0."""
    return lax.bessel_i0e(*operands(x))


@operation("scipy.special.i0", "x")
def i0(x: Any) -> Any:
    """`jax.scipy.special.i0`: the modified Bessel function of order 0."""
    (x,) = operands(x)
    return exp(abs(x)) * lax.bessel_i0e(x)


@operation("scipy.special.i1e", "x")
def i1e(x: Any) -> Any:
    """`jax.scipy.special.i1e`: exp(-|x|) times the modified Bessel function of order 1."""
    return lax.bessel_i1e(*operands(x))


@operation("scipy.special.i1", "x")
def i1(x: Any) -> Any:
    """`jax.scipy.special.i1`: the modified Bessel function of order 1."""
    (x,) = operands(x)
    return exp(abs(x)) * lax.bessel_i1e(x)
