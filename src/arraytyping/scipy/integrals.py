"""Exponential integrals, the sine and the cosine integral, and Spence's function (the dilogarithm).

Source: https://docs.jax.dev/en/latest/jax.scipy.html; the Cephes library, https://www.netlib.org/cephes/: `ei.c`,
`expn.c`, `sici.c`, `spence.c`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from arraytyping import lax
from arraytyping.numpy import cos, exp, log, sign, sin, sinc, where
from arraytyping.numpy.conversion import asarray
from arraytyping.runtime.array_likes import materialized
from arraytyping.runtime.calling import operation
from arraytyping.runtime.lax.control_flow.while_loop import while_loop
from arraytyping.runtime.np_dtypes import limits_of
from arraytyping.runtime.transformations.custom_rules import custom_jvp
from arraytyping.scipy.error_functions import polynomial
from arraytyping.scipy.gamma_functions import operands
from arraytyping.scipy.integral_coefficients import EXPONENTIAL, FAR, FARTHEST, NEAR_COSINE, NEAR_SINE, SPENCE

__all__ = ["exp1", "expi", "expn", "sici", "spence"]


def _ratio(pair: Sequence[Sequence[float]], x: Any) -> Any:
    return polynomial(pair[0], x) / polynomial(pair[1], x)


def _eps(x: Any) -> float:
    return float(limits_of(x.aval.dtype).eps)


def _by_series(n: Any, x: Any, active: Any) -> Any:
    """E_n of numbers up to 1: a power series, and a logarithm with the harmonic number before n."""
    psi = -np.euler_gamma - log(x)
    last = where(active, n, 1)

    def more(carry: Any) -> Any:
        i, psi = carry
        return i + 1, where(i < last, psi + 1 / i, psi)

    first = lax.full_like(x.ravel()[:1].sum(), 1)
    _, psi = while_loop(lambda carry: (carry[0] < last).any(), more, (first, psi))

    def step(carry: Any) -> Any:
        goes_on, k, power, p, total = carry
        k, p = k + 1, p + 1
        power = power * -x / k
        total = where(goes_on, total + where(p == 0, 0.0, power / where(p == 0, 1.0, p)), total)
        change = where(total == 0, 1.0, abs(power / where(total == 0, 1.0, total)))
        return goes_on & (change > _eps(x)), k, power, p, total

    zero, one = lax.full_like(x, 0), lax.full_like(x, 1)
    start = where(n == 1, 0.0, 1 / (1 - where(n == 1, 2.0, n)))
    *_, total = while_loop(lambda carry: carry[0].any(), step, (active, zero, one, 1 - n, start))
    return (-x) ** (n - 1) * psi / exp(lax.lgamma(n)) - total


_GREAT: Final = float(2**57)


def _by_fraction(n: Any, x: Any, active: Any) -> Any:
    """E_n of numbers beyond 1: a continued fraction, of whose convergents the last two are kept."""

    def step(carry: Any) -> Any:
        goes_on, k, value, p2, q2, p1, q1 = carry
        k = k + 1
        is_odd = k % 2 == 1
        by, of = where(is_odd, 1.0, x), where(is_odd, n + (k - 1) / 2, k / 2)
        p, q = p1 * by + p2 * of, q1 * by + q2 * of
        is_number = q != 0
        ratio = p / where(is_number, q, 1.0)
        change = where(is_number, abs((value - ratio) / ratio), 1.0)
        value = where(goes_on & is_number, ratio, value)
        scale = where(abs(p) > _GREAT, 1 / _GREAT, 1.0)
        return goes_on & (change > _eps(x)), k, value, p1 * scale, q1 * scale, p * scale, q * scale

    one = lax.full_like(x, 1)
    start = (active, one, 1 / (x + n), one, x, one, x + n)
    return while_loop(lambda carry: carry[0].any(), step, start)[2] * exp(-x)


def _of_great_order(n: Any, x: Any) -> Any:
    xk = x + n
    yk = 1 / (xk * xk)
    total = yk * n * (6 * x * x - 8 * n * x + n * n)
    total = yk * (total + n * (n - 2 * x))
    return (yk * (total + n) + 1) * exp(-x) / xk


def _expn_value(n: Any, x: Any) -> Any:
    is_great, is_far = n >= 5000, x > 1
    ordinary = (n > 0) & (x > 0) & ~is_great
    safe_n, safe_x = where(ordinary, n, 2), where(ordinary, x, 1)
    far = _by_fraction(safe_n, where(is_far, safe_x, 2.0), ordinary & is_far)
    near = _by_series(safe_n, where(is_far, 1.0, safe_x), ordinary & ~is_far)
    result = where(is_great, _of_great_order(n, x), where(is_far, far, near))
    result = where(n == 0, exp(-x) / x, result)
    at_zero = where(n < 2, np.inf, 1 / where(n == 1, 2.0, n))
    return where((n < 0) | (x < 0) | (x != x), np.nan, where(x == 0, at_zero, result))


@custom_jvp
def _expn(n: Any, x: Any) -> Any:
    return _expn_value(n, x)


def _next_order(n: Any, x: Any) -> Any:
    """E of the order before, which is what E_n falls by."""
    return where(n == 0, exp(-x) * (x + 1) / (x * x), _expn(n - 1, x))


_expn.defjvps(None, lambda g, ans, n, x: -g * _next_order(n, x))


@operation("scipy.special.expn", "n", "x")
def expn(n: Any, x: Any) -> Any:
    """`jax.scipy.special.expn`: the exponential integral E_n."""
    return _expn(*operands(asarray(n), asarray(x)))


@operation("scipy.special.exp1", "x")
def exp1(x: Any) -> Any:
    """`jax.scipy.special.exp1`: the exponential integral E_1."""
    (x,) = operands(x)
    return _expn(lax.full_like(x, 1), x)


def _positive(x: Any) -> Any:
    """Ei of positive numbers, by seven ranges, each twice as long as the one before."""
    near = x * _ratio(EXPONENTIAL[0], x) + np.euler_gamma + log(x)
    result, w = near, 1 / x
    for power, pair in enumerate(EXPONENTIAL[1:], 1):
        far = exp(x) * w * (w * _ratio(pair, w) + 1)
        result = where(x > 2.0**power, far, result)
    return result


@custom_jvp
def _expi(x: Any) -> Any:
    is_negative = x < 0
    negative = -_expn_value(lax.full_like(x, 1), where(is_negative, -x, 1.0))
    positive = where(x > 0, _positive(where(x > 0, x, 1.0)), np.nan)
    return where(is_negative, negative, positive)


_expi.defjvps(lambda g, ans, x: exp(x) / x * g)


@operation("scipy.special.expi", "x")
def expi(x: Any) -> Any:
    """`jax.scipy.special.expi`: the exponential integral Ei."""
    return _expi(*operands(x))


def _near(x: Any) -> tuple[Any, Any]:
    square = x * x
    safe = where(x == 0, 1.0, x)
    cosine = np.euler_gamma + log(safe) + square * _ratio(NEAR_COSINE, square)
    return x * _ratio(NEAR_SINE, square), where(x == 0, -np.inf, cosine)


def _far(x: Any) -> tuple[Any, Any]:
    s, c, z = sin(x), cos(x), 1 / (x * x)
    parts = []
    for f_above, f_below, g_above, g_below in (FAR, FARTHEST):
        parts.append((_ratio((f_above, f_below), z) / x, z * _ratio((g_above, g_below), z)))
    f, g = (where(x < 8, *pair) for pair in zip(*parts))
    return math.pi / 2 - f * c - g * s, f * s - g * c


@custom_jvp
def _sici(x: Any) -> tuple[Any, Any]:
    size = abs(x)
    is_near, is_infinite = size <= 4, size == np.inf
    near, far = _near(where(is_near, size, 1.0)), _far(where(is_near | is_infinite, 5.0, size))
    last = where(is_infinite, 1.0, size)
    farthest = (
        where(is_infinite, math.pi / 2, math.pi / 2 - cos(last) / last), where(is_infinite, 0.0, sin(last) / last)
    )  # fmt: skip
    sine, cosine = (where(is_near, a, where(size <= 1e9, b, c)) for a, b, c in zip(near, far, farthest))
    return where(x != x, x, sign(x) * sine), where((x == -np.inf) | (x != x), np.nan, cosine)


@_sici.defjvp
def _sici_jvp(primals: Sequence[Any], tangents: Sequence[Any]) -> tuple[Any, Any]:
    (x,), (t,) = primals, tangents
    return _sici(x), (sinc(x / math.pi) * t, cos(x) / x * t)


@operation("scipy.special.sici", "x")
def sici(x: Any) -> tuple[Any, Any]:
    """`jax.scipy.special.sici`: the sine and the cosine integral."""
    return _sici(*operands(x))


def _dilogarithm(x: Any) -> Any:
    """Of positive numbers, brought near 1 by its functional equations."""
    is_great = x > 2
    x = where(is_great, 1 / x, x)
    is_above, is_below = x > 1.5, x < 0.5
    w = where(is_above, 1 / x - 1, where(is_below, -x, x - 1))
    y = -w * _ratio(SPENCE, w)
    other = where(is_below, 1 - x, 1.0)
    y = where(is_below, math.pi**2 / 6 - log(x) * log(other) - y, y)
    return where(is_great | is_above, -0.5 * log(x) ** 2 - y, y)


@operation("scipy.special.spence", "x")
def spence(x: Any) -> Any:
    """`jax.scipy.special.spence`: Spence's function, minus the integral of log(t) / (t - 1) from 1 to x."""
    x = materialized(asarray(x))
    ordinary: Callable[[Any], Any] = _dilogarithm
    is_ordinary = (x > 0) & (x != 1)
    result = where(is_ordinary, ordinary(where(is_ordinary, x, 2.0)), 0.0)
    return where(x < 0, np.nan, where(x == 0, math.pi**2 / 6, where(x != x, x, result)))
