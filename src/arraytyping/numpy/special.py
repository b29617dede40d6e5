"""Functions with derivatives of their own, elementwise: `sinc`, `i0`, `logaddexp`, `logaddexp2`.

What automatic differentiation would make of them is wrong or not a number at single points; JAX has the same rules.

Source: https://docs.jax.dev/en/latest/jax.numpy.html.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from arraytyping.numpy.promoting import chosen, in_result_dtype, in_result_type, is_complex
from arraytyping.numpy.ufuncs import binary_ufunc
from arraytyping.runtime.calling import answered
from arraytyping.runtime.lax.arithmetic import add_p, constant_like, div_p, mul_p, neg_p, sub_p
from arraytyping.runtime.lax.comparisons import eq_p, lt_p, max_p, ne_p
from arraytyping.runtime.lax.complex_numbers import complex_p, imag_p, real_p
from arraytyping.runtime.lax.elementary import exp2_p, exp_p, log1p_p, sin_p
from arraytyping.runtime.lax.integers import abs_p, rem_p
from arraytyping.runtime.lax.logaddexp import logaddexp_of, without_infinity
from arraytyping.runtime.lax.special import bessel_i0e_p
from arraytyping.runtime.transformations.custom_rules import custom_jvp
from arraytyping.runtime.transformations.differentiation import jvp
from arraytyping.semantics.avals import ShapedArray

__all__ = ["i0", "logaddexp", "logaddexp2", "sinc"]


def _sinc_series(k: int, x: Any) -> Any:
    """The k-th derivative of sin(x)/x, at 0, to which x adds nothing but NaN."""
    nothing = mul_p.bind(x, constant_like(x, 0))
    return nothing if k % 2 else add_p.bind(nothing, constant_like(x, (-1) ** (k // 2) / (k + 1)))


_sinc_at_zero = custom_jvp(_sinc_series, nondiff_argnums=(0,))


@_sinc_at_zero.defjvp
def _sinc_at_zero_jvp(k: int, primals: Sequence[Any], tangents: Sequence[Any]) -> tuple[Any, Any]:
    (x,), (t,) = primals, tangents
    return _sinc_at_zero(k, x), mul_p.bind(_sinc_at_zero(k + 1, x), t)


@answered("numpy.sinc", "x")
def sinc(answer: ShapedArray, x: Any, /) -> Any:
    """sin(pi x) / (pi x), and 1 at 0: `jax.numpy.sinc`."""
    (x,) = in_result_dtype(answer, x)
    at_zero = eq_p.bind(x, constant_like(x, 0))
    scaled = mul_p.bind(constant_like(x, math.pi), x)
    safe = chosen(at_zero, constant_like(x, 1), scaled)
    return chosen(at_zero, _sinc_at_zero(0, scaled), div_p.bind(sin_p.bind(safe), safe))


def _i0_of(x: Any) -> Any:
    magnitude = abs_p.bind(x)
    return mul_p.bind(exp_p.bind(magnitude), bessel_i0e_p.bind(magnitude))


_i0 = custom_jvp(_i0_of)


@_i0.defjvp
def _i0_jvp(primals: Sequence[Any], tangents: Sequence[Any]) -> tuple[Any, Any]:
    (x,) = primals
    result, tangent = jvp(_i0_of, tuple(primals), tuple(tangents))
    return result, chosen(eq_p.bind(x, constant_like(x, 0)), constant_like(tangent, 0), tangent)


@answered("numpy.i0", "x")
def i0(answer: ShapedArray, x: Any) -> Any:
    """The modified Bessel function of order 0, elementwise: `jax.numpy.i0`."""
    return _i0(*in_result_dtype(answer, x))


_LN2 = math.log(2)


def _logaddexp2_of(x: Any, y: Any) -> Any:
    """log2(2^x + 2^y) of two arrays of one shape."""
    greatest = max_p.bind(x, y)
    difference = sub_p.bind(x, y)
    if is_complex(x):
        difference = sub_p.bind(add_p.bind(x, y), mul_p.bind(greatest, constant_like(greatest, 2)))
        result = add_p.bind(greatest, _log2_one_plus(exp2_p.bind(difference)))
        return complex_p.bind(real_p.bind(result), _within_half_turn(imag_p.bind(result)))
    ordinary = add_p.bind(greatest, _log2_one_plus(exp2_p.bind(neg_p.bind(abs_p.bind(difference)))))
    # NaNs, or infinities of one sign
    return chosen(ne_p.bind(difference, difference), add_p.bind(x, y), ordinary)


def _within_half_turn(angle: Any) -> Any:
    """An angle in units of ln 2, between that of -pi and that of pi."""
    half, turn = constant_like(angle, math.pi / _LN2), constant_like(angle, 2 * math.pi / _LN2)
    rest = rem_p.bind(add_p.bind(angle, half), turn)
    negative = lt_p.bind(rest, constant_like(rest, 0))
    return sub_p.bind(chosen(negative, add_p.bind(rest, turn), rest), half)


def _log2_one_plus(x: Any) -> Any:
    return mul_p.bind(constant_like(x, 1 / _LN2), log1p_p.bind(x))


def _with_shares(function: Callable[[Any, Any], Any], power: Callable[[Any], Any]) -> Callable[[Any, Any], Any]:
    """The function, of which each operand's tangent counts as much as its power is of that of the result."""
    custom = custom_jvp(function)

    @custom.defjvp
    def rule(primals: Sequence[Any], tangents: Sequence[Any]) -> tuple[Any, Any]:
        result = custom(*primals)
        finite = without_infinity(result)
        parts = [mul_p.bind(t, power(sub_p.bind(without_infinity(x), finite))) for x, t in zip(primals, tangents)]
        return result, add_p.bind(*parts)

    return custom


_logaddexp = _with_shares(logaddexp_of, exp_p.bind)
_logaddexp2 = _with_shares(_logaddexp2_of, exp2_p.bind)


@binary_ufunc(-math.inf, reduce="logaddexp")
@answered("numpy.logaddexp", "x", "y")
def logaddexp(answer: ShapedArray, x: Any, y: Any, /, *, out: None = None, where: None = None) -> Any:
    """log(e^x + e^y), elementwise, without overflow on the way: `jax.numpy.logaddexp`."""
    return _logaddexp(*in_result_type(answer, x, y))


@binary_ufunc(-math.inf, reduce="logaddexp2")
@answered("numpy.logaddexp2", "x", "y")
def logaddexp2(answer: ShapedArray, x: Any, y: Any, /, *, out: None = None, where: None = None) -> Any:
    """log2(2^x + 2^y), elementwise, without overflow on the way: `jax.numpy.logaddexp2`."""
    return _logaddexp2(*in_result_type(answer, x, y))
