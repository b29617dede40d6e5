"""The incomplete gamma function of a, its complement, and how both change with a.

Where x is less than 1 or than a, the sum of a power series; elsewhere a continued fraction.  Both are gone through
until a step changes no element any more.

Source: the Cephes library, https://www.netlib.org/cephes/, `igam.c`; M. Figurnov, S. Mohamed, A. Mnih, "Implicit
Reparameterization Gradients", https://arxiv.org/abs/1805.08498, for the derivatives;
https://docs.jax.dev/en/latest/jax.lax.html.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Literal

import numpy as np

from arraytyping.runtime.array_likes import convert_to
from arraytyping.runtime.calling import operation
from arraytyping.runtime.core import Primitive
from arraytyping.runtime.lax.choices import select_n_p
from arraytyping.runtime.lax.control_flow.while_loop import while_loop
from arraytyping.runtime.lax.elementary import exp_p, log_p
from arraytyping.runtime.lax.nary import elementwise
from arraytyping.runtime.lax.special import digamma_p, lgamma_p
from arraytyping.runtime.lax.structure import broadcast_to
from arraytyping.runtime.np_dtypes import limits_of
from arraytyping.runtime.transformations.jit import jit
from arraytyping.semantics.rules.shapes.broadcasting import broadcast_shapes

__all__ = [
    "igamma", "igamma_grad_a", "igamma_grad_a_p", "igamma_grad_of", "igamma_of", "igamma_p", "igammac", "igammac_of",
    "igammac_p", "in_one_shape", "random_gamma_grad", "select",
]  # fmt: skip

Wanted = Literal["value", "by a", "of samples"]
"""The value, its derivative by a, or that of a sample of the gamma distribution by a."""

MOST_STEPS: Final = 2000


def select(which: Any, on_true: Any, on_false: Any) -> Any:
    """Elements of the one or the other array, each a number or of the shape of the first."""
    like = next(v for v in (on_true, on_false) if hasattr(v, "aval"))
    pair = [v if hasattr(v, "aval") else full_like(like, v) for v in (on_false, on_true)]
    return select_n_p.bind(which, *pair)


def full_like(x: Any, value: float) -> Any:
    """An array of one number, of the dtype and shape of another."""
    from arraytyping.runtime.lax.creation import full_of

    return full_of(value, x.aval)


def in_one_shape(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function of operands of one shape and of at least 32 bits, for those that broadcast, and narrower ones."""

    def wide(*operands: Any) -> Any:
        shape = broadcast_shapes("broadcasting", *[x.aval.shape for x in operands])
        dtype = operands[0].aval.dtype
        working = dtype if dtype in ("float32", "float64") else "float32"
        given = [convert_to(broadcast_to(x, shape), working) for x in operands]  # type: ignore[arg-type]
        return convert_to(function(*given), dtype)

    return wide


def _eps(x: Any) -> float:
    return float(limits_of(x.aval.dtype).eps)


def _series(density: Any, x: Any, a: Any, active: Any, wanted: Wanted) -> Any:
    """The sum over n of x^n / ((a + 1) ... (a + n)), of which each term gives the next."""

    def step(carry: Any) -> Any:
        active, r, *old = carry
        term, total, d_term, d_total = old
        r = r + 1
        d_term = d_term * (x / r) - term * x / (r * r)
        d_total = d_total + d_term
        term = term * (x / r)
        total = total + term
        change = term / total if wanted == "value" else abs(d_term / d_total)
        new = [select(active, n, o) for n, o in zip((r, term, total, d_term, d_total), carry[1:])]
        return (active & (change > _eps(x)), *new)

    one, zero = full_like(a, 1), full_like(a, 0)
    _, _, _, total, _, d_total = while_loop(lambda c: c[0].any(), step, (active, a, one, one, zero, zero))
    if wanted == "value":
        return total * density / a
    slope = log_p.bind(x) - digamma_p.bind(a + 1)
    if wanted == "by a":
        return density * (total * slope + d_total) / a
    return -(d_total + total * slope) * x / a


def _fraction(density: Any, x: Any, a: Any, active: Any, wanted: Wanted) -> Any:
    """Legendre's continued fraction of the complement: numerators p and denominators q of its convergents.

    Of each the last two are kept, with their derivatives by a, all made smaller together where they get great.
    """
    eps = _eps(x)

    def step(carry: Any) -> Any:
        active, count, value, _, y, z, d_value, *convergents = carry
        p1, q1, p2, q2, dp1, dq1, dp2, dq2 = convergents
        count = count + 1
        new_y, new_z = y + 1, z + 2
        yc = new_y * count
        p, q = p1 * new_z - p2 * yc, q1 * new_z - q2 * yc
        dp = dp1 * new_z - p1 - dp2 * yc + p2 * count
        dq = dq1 * new_z - q1 - dq2 * yc + q2 * count
        is_number = q != 0
        ratio = p / q
        new_change = select(is_number, abs((value - ratio) / ratio), 1.0)
        new_value = select(is_number, ratio, value)
        new_d = select(is_number, (dp - new_value * dq) / q, d_value)
        d_change = select(is_number, abs(new_d - d_value), 1.0)
        is_great = abs(p) > 1 / eps
        kept = [select(is_great, v * eps, v) for v in (p, q, p1, q1, dp, dq, dp1, dq1)]
        goes_on = active & ((new_change if wanted == "value" else d_change) > eps)
        new = (new_value, new_change, new_y, new_z, new_d, *kept)
        return (goes_on, count, *(select(active, n, o) for n, o in zip(new, carry[2:])))

    one, zero = full_like(x, 1), full_like(x, 0)
    z = x + (1 - a) + 1
    p1, q1 = x + 1, z * x
    value = p1 / q1
    start = (
        active,
        np.zeros((), x.dtype),
        value,
        one,
        1 - a,
        z,
        -value * -x / q1,
        p1,
        q1,
        one,
        x,
        zero,
        -x,
        zero,
        zero,
    )
    carry = while_loop(lambda c: (c[1] < MOST_STEPS) & c[0].any(), step, start)
    value, d_value = carry[2], carry[6]
    if wanted == "value":
        return value * density
    slope = log_p.bind(x) - digamma_p.bind(a)
    if wanted == "by a":
        return density * (value * slope + d_value)
    return -(d_value + value * slope) * x


def _density(a: Any, x: Any) -> tuple[Any, Any]:
    """x^a exp(-x) / Gamma(a), and where it is too small for a number."""
    exponent = a * log_p.bind(x) - x - lgamma_p.bind(a)
    return exp_p.bind(exponent), exponent < -float(np.log(np.float64(limits_of(x.aval.dtype).max)))


def _is_nan(a: Any, x: Any) -> Any:
    return (a != a) | (x != x)


def igamma_of(a: Any, x: Any) -> Any:
    """The regularized incomplete gamma function of operands of one shape."""
    wrong = (x < 0) | (a < 0) | ((a == 0) & (x == 0)) | _is_nan(a, x)
    by_fraction = (x >= 1) & (x > a)
    density, is_tiny = _density(a, x)
    active = ~((x == 0) | wrong | is_tiny | (x == np.inf))
    result = select(
        by_fraction,
        1 - _fraction(density, x, a, active & by_fraction, "value"),
        _series(density, x, a, active & ~by_fraction, "value"),
    )
    result = select(x == np.inf, 1.0, select(x == 0, 0.0, result))
    return select(wrong, np.nan, result)


def igammac_of(a: Any, x: Any) -> Any:
    """Its complement, of operands of one shape."""
    wrong = (x < 0) | (a < 0) | ((a == 0) & (x == 0)) | _is_nan(a, x)
    by_series = (x < 1) | (x < a)
    density, is_tiny = _density(a, x)
    active = ~(wrong | is_tiny | (x == np.inf) | (a == 0))
    result = select(
        by_series,
        1 - _series(density, x, a, active & by_series, "value"),
        _fraction(density, x, a, active & ~by_series, "value"),
    )
    return select(wrong, np.nan, select((x == np.inf) | (a == 0), 0.0, result))


def _slope(a: Any, x: Any, wanted: Wanted) -> Any:
    is_nan = _is_nan(a, x)
    wrong = (x < 0) | (a <= 0)
    by_fraction = (x > 1) & (x > a)
    density, is_tiny = _density(a, x)
    active = ~((x == 0) | wrong | is_tiny | is_nan)
    result = select(
        by_fraction,
        -_fraction(density, x, a, active & by_fraction, wanted),
        _series(density, x, a, active & ~by_fraction, wanted),
    )
    return select(wrong | is_nan, np.nan, select(x == 0, 0.0, result))


def igamma_grad_of(a: Any, x: Any) -> Any:
    """The derivative of the incomplete gamma function by a, of operands of one shape."""
    return _slope(a, x, "by a")


def _by_x(g: Any, ans: Any, a: Any, x: Any) -> Any:
    return g * exp_p.bind(-x + (a - 1) * log_p.bind(x) - lgamma_p.bind(a))


igamma_grad_a_p: Primitive = elementwise("igamma_grad_a")
igamma_grad_a_p.jvp_rule = None  # as in JAX: it is not known how it changes
igamma_p: Primitive = elementwise("igamma", lambda g, ans, a, x: g * igamma_grad_a_p.bind(a, x), _by_x)
igammac_p: Primitive = elementwise(
    "igammac",
    lambda g, ans, a, x: -(g * igamma_grad_a_p.bind(a, x)),
    lambda g, ans, a, x: -_by_x(g, ans, a, x),
)


@operation("lax.igamma", "a", "x", how="inline")
def igamma(a: Any, x: Any) -> Any:
    """`jax.lax.igamma`: the regularized incomplete gamma function, elementwise, of operands of one dtype."""
    return igamma_p.bind(a, x)


@operation("lax.igammac", "a", "x", how="inline")
def igammac(a: Any, x: Any) -> Any:
    """`jax.lax.igammac`: one minus the regularized incomplete gamma function, exact where it is small."""
    return igammac_p.bind(a, x)


@operation("lax.igamma_grad_a", "a", "x", how="inline")
def igamma_grad_a(a: Any, x: Any) -> Any:
    """`jax.lax.igamma_grad_a`: the derivative of the regularized incomplete gamma function by a."""
    return igamma_grad_a_p.bind(a, x)


@jit
def random_gamma_grad(*args: Any) -> Any:
    """`jax.lax.random_gamma_grad(a, x)`: how samples `x` of the gamma distribution of `a` change with it."""
    return in_one_shape(lambda a, x: _slope(a, x, "of samples"))(*args)
