"""The incomplete beta function: a continued fraction, gone through until no element changes any more.

Source: https://dlmf.nist.gov/8.17, equations 22 and 4; W. J. Lentz, "Generating Bessel functions in Mie scattering
calculations using continued fractions", Applied Optics 15 (1976), with I. Thompson's and A. Barnett's change;
https://docs.jax.dev/en/latest/_autosummary/jax.lax.betainc.html.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arraytyping.runtime.array_likes import convert_to
from arraytyping.runtime.calling import operation
from arraytyping.runtime.core import Primitive
from arraytyping.runtime.lax.control_flow.while_loop import while_loop
from arraytyping.runtime.lax.elementary import exp_p, log1p_p, log_p
from arraytyping.runtime.lax.incomplete_gamma import full_like, select
from arraytyping.runtime.lax.nary import elementwise
from arraytyping.runtime.lax.special import lgamma_p
from arraytyping.runtime.np_dtypes import limits_of

__all__ = ["betainc", "betainc_of", "regularized_incomplete_beta_p"]


def _numerator(n: Any, a: Any, b: Any, x: Any) -> Any:
    """The n-th numerator of the fraction, from 1 on; the denominators are 1."""
    m = convert_to((n - 1) // 2, a.aval.dtype)
    twice = a + 2 * m
    # without m, since a quotient of two numbers near 0 would lose its digits
    first = -(a + b) * x / (a + 1)
    even = -(a + m) * (a + b + m) * x / (twice * (twice + 1))
    odd = m * (b - m) * x / ((twice - 1) * twice)
    coefficient = select(_all_like(n % 2 == 0, a), select(_all_like(n == 2, a), first, even), odd)
    return select(_all_like(n == 1, a), 1.0, coefficient)


def _all_like(flag: Any, x: Any) -> Any:
    from arraytyping.runtime.lax.structure import broadcast_to

    return broadcast_to(flag, x.aval.shape)


def _fraction(a: Any, b: Any, x: Any) -> Any:
    """The continued fraction, by Lentz' method: the quotients of numerators and of denominators one after the other."""
    tiny = float(limits_of(x.aval.dtype).eps) / 2
    steps = 200 if x.aval.dtype == "float32" else 600

    def kept_from_zero(v: Any) -> Any:
        return select(abs(v) < tiny, tiny, v)

    def step(carry: Any) -> Any:
        n, _, c, d, value = carry
        numerator = _numerator(n, a, b, x)
        c = kept_from_zero(1 + numerator / c)
        d = 1 / kept_from_zero(1 + numerator * d)
        change = c * d
        return n + 1, (abs(change - 1) >= tiny).any(), c, d, value * change

    start = full_like(x, tiny)
    carry = (np.int32(1), np.True_, start, full_like(x, 0), start)
    return while_loop(lambda c: (c[0] < steps) & c[1], step, carry)[4]


def betainc_of(a: Any, b: Any, x: Any) -> Any:
    """The regularized incomplete beta function of operands of one shape."""
    a_is_least, b_is_least = (a == 0) | (b == np.inf), (b == 0) | (a == np.inf)
    wrong = (a < 0) | (b < 0) | (x < 0) | (x > 1) | (a != a) | (b != b) | (x != x) | (a_is_least & b_is_least)
    is_zero = (b_is_least & (x != 1)) | (a_is_least & (x == 0))
    is_one = (a_is_least & (x != 0)) | (b_is_least & (x == 1))
    # the fraction converges fast on this side; on the other it is the one of 1 - x with a and b exchanged
    is_fast = x < (a + 1) / (a + b + 2)
    a, b = select(is_fast, a, b), select(is_fast, b, a)
    x = select(is_fast, x, 1 - x)
    least = 2 * float(limits_of(x.aval.dtype).tiny)
    partial = lgamma_p.bind(b) - lgamma_p.bind(a + b)
    with_a = exp_p.bind(log_p.bind(x) * a + log1p_p.bind(-x) * b - (lgamma_p.bind(a) + partial)) / a
    factor = select(a < least, exp_p.bind(log1p_p.bind(-x) * b - partial), with_a)
    result = _fraction(a, b, x) * factor
    result = select(is_fast, result, 1 - result)
    return select(wrong, np.nan, select(is_one, 1.0, select(is_zero, 0.0, result)))


def _of_parameters(g: Any, ans: Any, a: Any, b: Any, x: Any) -> Any:
    raise ValueError("Betainc gradient with respect to a and b not supported.")


def _by_x(g: Any, ans: Any, a: Any, b: Any, x: Any) -> Any:
    beta = lgamma_p.bind(a) + lgamma_p.bind(b) - lgamma_p.bind(a + b)
    return g * exp_p.bind((b - 1) * log1p_p.bind(-x) + (a - 1) * log_p.bind(x) - beta)


regularized_incomplete_beta_p: Primitive = elementwise(
    "regularized_incomplete_beta", _of_parameters, _of_parameters, _by_x, rule="lax.betainc"
)


@operation("lax.betainc", "a", "b", "x", how="inline")
def betainc(a: Any, b: Any, x: Any) -> Any:
    """`jax.lax.betainc`: the regularized incomplete beta function, elementwise, of operands of one dtype."""
    return regularized_incomplete_beta_p.bind(a, b, x)
