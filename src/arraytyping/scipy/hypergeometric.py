"""Hypergeometric functions: Kummer's 1F1 and Gauss's 2F1, by the methods that their arguments call for.

Source: https://docs.jax.dev/en/latest/jax.scipy.html; J. Pearson, S. Olver, M. Porter, "Numerical methods for the
computation of the confluent and Gauss hypergeometric functions", https://arxiv.org/abs/1407.7786; M. Abramowitz,
I. Stegun, "Handbook of Mathematical Functions", 15.3.10 to 15.3.12.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from arraytyping import lax
from arraytyping.numpy import exp, log, round as rounded, where
from arraytyping.numpy.conversion import asarray
from arraytyping.runtime.calling import operation
from arraytyping.runtime.lax.control_flow.while_loop import while_loop
from arraytyping.runtime.np_dtypes import limits_of
from arraytyping.runtime.transformations.custom_rules import custom_jvp
from arraytyping.scipy.gamma_functions import digamma, gamma, operands

__all__ = ["hyp1f1", "hyp2f1"]

_MOST = 250
"""The terms of a series, at most."""


def _eps(x: Any) -> float:
    return float(limits_of(x.aval.dtype).eps)


def _always(k: Any) -> float:
    return 1.0


def _series(start: float, first: Any, ratio: Callable[[Any], Any], weight: Callable[[Any], Any] = _always) -> Any:
    """The sum of terms, each the one before times a ratio of its number, from 1 on, until they are small."""

    def goes_on(total: Any, k: Any, term: Any) -> Any:
        return (k < _MOST) & (abs(term) > _eps(first) * abs(total)) & (total == total)

    def step(carry: Any) -> Any:
        is_active, total, k, term = carry
        after = total + term * weight(k)
        further = term * ratio(k)
        total, term = where(is_active, after, total), where(is_active, further, term)
        return is_active & goes_on(total, k + 1, term), total, k + 1, term

    total, k = lax.full_like(first, start), lax.full_like(first, 1, shape=())
    begun = (goes_on(total, k, first), total, k, first)
    return while_loop(lambda carry: carry[0].any(), step, begun)[1]


def _kummer_series(a: Any, b: Any, x: Any, start: float, weight: Callable[[Any], Any] = _always) -> Any:
    return _series(start, a / b * x, lambda k: (a + k) / (b + k) * x / (k + 1), weight)


def _kummer_far(a: Any, b: Any, x: Any) -> Any:
    """Of great numbers, by the asymptotic expansion."""
    total = _series(1.0, (b - a) * (1 - a) / x, lambda k: (b - a + k) * (1 - a + k) / (k + 1) / x)
    return gamma(b) / gamma(a) * exp(x) * x ** (a - b) * total


@custom_jvp
def _hyp1f1(a: Any, b: Any, x: Any) -> Any:
    result = where(abs(x) < 100, _kummer_series(a, b, x, 1.0), _kummer_far(a, b, x))
    return where(a == 0, 1.0, where(a == b, exp(x), where(b == 0, np.inf, result)))


_hyp1f1.defjvps(
    lambda g, ans, a, b, x: _kummer_series(a, b, x, 0.0, lambda k: digamma(a + k) - digamma(a)) * g,
    lambda g, ans, a, b, x: _kummer_series(a, b, x, 0.0, lambda k: digamma(b) - digamma(b + k)) * g,
    lambda g, ans, a, b, x: a / b * _hyp1f1(a + 1, b + 1, x) * g,
)


@operation("scipy.special.hyp1f1", "a", "b", "x")
def hyp1f1(a: Any, b: Any, x: Any) -> Any:
    """`jax.scipy.special.hyp1f1`: Kummer's function."""
    return _hyp1f1(*operands(*map(asarray, (a, b, x))))


def _tolerance(x: Any) -> float:
    return 50 * _eps(x)


def _is_negative_integer(a: Any) -> Any:
    return (a <= 0) & (abs(a - rounded(a)) < _tolerance(a))


def _polynomial(a: Any, b: Any, c: Any, x: Any) -> Any:
    """The series of a negative integer a or b, which ends: of the one that ends first before c makes it infinite."""
    c_is_first = (c % 1 == 0) & (c <= 0) & (c > b)
    is_turned = (b < a) & (abs(b - rounded(b)) < _tolerance(x)) & ~c_is_first
    degree, other = abs(where(is_turned, b, a)), where(is_turned, a, b)

    def step(carry: Any) -> Any:
        i, total, term = carry
        further = term * -(degree - i + 1) / (c + i - 1) * (other + i - 1) / i * x
        is_active = i < degree + 1
        return i + 1, where(is_active, total + further, total), where(is_active, further, term)

    one = lax.full_like(x, 1)
    first = lax.full_like(x, 1, shape=())
    return while_loop(lambda carry: (carry[0] < degree + 1).any(), step, (first, one, one))[1]


def _gauss_series(a: Any, b: Any, c: Any, x: Any) -> Any:
    return _series(0.0, lax.full_like(x, 1), lambda k: (a + k - 1) * (b + k - 1) / (c + k - 1) / k * x)


def _about_one(a: Any, b: Any, c: Any, x: Any) -> Any:
    """Near 1, where c - a - b is an integer: a logarithm, a series with digamma functions, and a sum that ends."""
    d, s = c - a - b, 1 - x
    whole = rounded(d)
    is_positive = whole >= 0
    e, zero = where(is_positive, d, -d), lax.full_like(d, 0)
    d1, d2 = where(is_positive, d, zero), where(is_positive, zero, d)
    count = abs(whole)
    y = (digamma(1.0) + digamma(1.0 + e) - digamma(a + d1) - digamma(b + d1) - log(s)) / gamma(e + 1.0)

    def step(carry: Any) -> Any:
        is_active, t, p, y = carry
        q = p * (digamma(1.0 + t) + digamma(1.0 + t + e) - digamma(a + t + d1) - digamma(b + t + d1) - log(s))
        y = where(is_active, y + q, y)
        p = p * s * (a + t + d1) / (t + 1.0) * (b + t + d1) / (t + 1.0 + e)
        return is_active & (t + 1 < _MOST) & (abs(q) >= _eps(x) * abs(y)), t + 1.0, p, y

    one = lax.full_like(x, 1, shape=())
    p = (a + d1) * (b + d1) * s / gamma(e + 2.0)
    y = while_loop(lambda carry: carry[0].any(), step, (y == y, one, p, y))[-1]

    def ends(carry: Any) -> Any:
        t, p, total = carry
        p = p * s * (a + t + d2) * (b + t + d2) / (1.0 - e + t) / (t + 1.0)
        return t + 1.0, p, where(t + 1.0 < count, total + p, total)

    first = (lax.full_like(x, 0, shape=()), lax.full_like(x, 1), lax.full_like(x, 1))
    total = while_loop(lambda carry: (carry[0] + 1.0 < count).any(), ends, first)[-1]
    total = total * gamma(e) * gamma(c) / (gamma(a + d1) * gamma(b + d1))
    rest = y * gamma(c) / (gamma(a + d2) * gamma(b + d2))
    rest, power = where(count % 2 != 0, -rest, rest), s**whole
    summed = where(whole > 0, rest * power + total, rest + total * power)
    return where(whole == 0, y * gamma(c) / (gamma(a) * gamma(b)), summed)


def _polynomial_or_series(a: Any, b: Any, c: Any, x: Any) -> Any:
    ends = _is_negative_integer(a) | _is_negative_integer(b)
    d = c - a - b
    is_near_one = (x > 0.9) & (abs(d - rounded(d)) < _tolerance(x))
    near_one = where(is_near_one, _about_one(a, b, c, x), _gauss_series(a, b, c, x))
    return where(ends, _polynomial(a, b, c, x), near_one)


@custom_jvp
def _hyp2f1(a: Any, b: Any, c: Any, x: Any) -> Any:
    d, s = c - a - b, 1 - x
    is_whole = abs(d - rounded(d)) < _tolerance(x)
    at_one = gamma(c) * gamma(d) / (gamma(c - a) * gamma(c - b))
    result = where(x > 1, np.inf, where(x == 1, at_one, _polynomial_or_series(a, b, c, x)))
    result = where((x < 1) & (a == c), s**-b, result)
    result = where((x < 1) & (b == c), s**-a, result)
    result = where((d <= 0) & (x == 1), np.inf, result)
    turned = s**d * _polynomial_or_series(c - a, c - b, c, x)
    result = where((d <= -1) & (is_whole | (s >= 0)), turned, result)
    result = where((c == 0) | ((c < 0) & (c % 1 == 0)), np.inf, result)
    return where((x == 0) | (((a == 0) | (b == 0)) & (c != 0)), 1.0, result)


def _gauss_slope(a: Any, b: Any, c: Any, x: Any, weight: Callable[[Any], Any]) -> Any:
    return _series(0.0, a * b / c * x, lambda k: (a + k) * (b + k) / (c + k) / (k + 1) * x, weight)


_hyp2f1.defjvps(
    lambda g, ans, a, b, c, x: _gauss_slope(a, b, c, x, lambda k: digamma(a + k) - digamma(a)) * g,
    lambda g, ans, a, b, c, x: _gauss_slope(a, b, c, x, lambda k: digamma(b + k) - digamma(b)) * g,
    lambda g, ans, a, b, c, x: _gauss_slope(a, b, c, x, lambda k: digamma(c) - digamma(c + k)) * g,
    lambda g, ans, a, b, c, x: a * b / c * _hyp2f1(a + 1, b + 1, c + 1, x) * g,
)


@operation("scipy.special.hyp2f1", "a", "b", "c", "x")
def hyp2f1(a: Any, b: Any, c: Any, x: Any) -> Any:
    """`jax.scipy.special.hyp2f1`: Gauss's function."""
    return _hyp2f1(*operands(*map(asarray, (a, b, c, x))))
