"""Fresnel's integrals, and Owen's T function.

Source: https://docs.jax.dev/en/latest/jax.scipy.html; the Cephes library, https://www.netlib.org/cephes/, `fresnl.c`;
M. Patefield, D. Tandy, "Fast and accurate calculation of Owen's T function", Journal of Statistical Software 5 (2000).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from arraytyping import lax
from arraytyping.numpy import arctan, exp, fmod, matmul, sin, where
from arraytyping.runtime.array_likes import convert_to
from arraytyping.runtime.calling import operation
from arraytyping.runtime.transformations.custom_rules import custom_jvp
from arraytyping.scipy.error_functions import polynomial
from arraytyping.scipy.fresnel_coefficients import DOUBLE, SINGLE
from arraytyping.scipy.gamma_functions import operands

__all__ = ["fresnel", "owens_t"]


def _turned(x: Any) -> tuple[Any, Any]:
    """The sine and the cosine of pi x^2 / 2, of an angle that is reduced first."""
    x = abs(x)
    rest = fmod(x, 2.0)
    turn = fmod(rest * (x - rest / 2), 2.0)

    def sine(shift: float) -> Any:
        return sin(math.pi * (turn - shift))

    sines = where(turn < 0.5, sine(0.0), where(turn > 1.5, sine(2.0), -sine(1.0)))
    return sines, where(turn == 0.5, 0.0, where(turn < 1.0, -sine(0.5), sine(1.5)))


def _ratio(pair: Sequence[Sequence[float]], x: Any) -> Any:
    above = polynomial(pair[0], x)
    return above if len(pair[1]) == 1 else above / polynomial(pair[1], x)


def _integrals(signed: Any) -> tuple[Any, Any]:
    is_single = signed.aval.dtype == "float32"
    of_sine, of_cosine, of_f, of_g = SINGLE if is_single else DOUBLE
    x = abs(signed)
    square = x * x
    near = x * square * _ratio(of_sine, square * square), x * _ratio(of_cosine, square * square)
    sines, cosines = _turned(x)
    t = 1.0 / (math.pi * square)
    u = t * t
    f, g = 1.0 - u * _ratio(of_f, u), t * _ratio(of_g, u)
    angle = math.pi * x
    far = 0.5 - (f * cosines + g * sines) / angle, 0.5 + (f * sines - g * cosines) / angle
    farthest = (0.5, 0.5) if is_single else (0.5 - cosines / angle, 0.5 + sines / angle)
    found = []
    for a, b, c in zip(near, far, farthest):
        value = where(x == np.inf, 0.5, where(square < 2.5625, a, where(x > 36974.0, c, b)))
        found.append(where(signed < 0.0, -value, value))
    return found[0], found[1]


@custom_jvp
def _fresnel(x: Any) -> tuple[Any, Any]:
    dtype = x.aval.dtype
    wide = x if dtype in ("float32", "float64") else convert_to(x, "float32")
    sine, cosine = _integrals(wide)
    return convert_to(sine, dtype), convert_to(cosine, dtype)


@_fresnel.defjvp
def _fresnel_jvp(primals: Sequence[Any], tangents: Sequence[Any]) -> tuple[Any, Any]:
    (x,), (t,) = primals, tangents
    sines, cosines = _turned(x)
    return _fresnel(x), (sines * t, cosines * t)


@operation("scipy.special.fresnel", "x")
def fresnel(x: Any) -> tuple[Any, Any]:
    """`jax.scipy.special.fresnel`: the integrals of the sine and the cosine of pi t^2 / 2 from 0 to x."""
    return _fresnel(*operands(x))


_POINTS: Final = (
    0.0035082039676451715, 0.031279042338030754, 0.085266826283219451, 0.16245071730812277, 0.25851196049125435,
    0.36807553840697534, 0.48501092905604697, 0.60277514152618577, 0.71477884217753227, 0.81475510988760099,
    0.89711029755948966, 0.95723808085944262, 0.99178832974629704,
)  # fmt: skip
_WEIGHTS: Final = (
    0.018831438115323503, 0.018567086243977649, 0.018042093461223386, 0.017263829606398753, 0.016243219975989857,
    0.014994592034116705, 0.013535474469662088, 0.011886351605820165, 0.010070377242777432, 0.0081130545742299587,
    0.0060419009528470239, 0.0038862217010742058, 0.0016793031084546090,
)  # fmt: skip
"""The paper's method T5, of 13 points."""


def _quadrature(h: Any, a: Any) -> Any:
    points, weights = (np.asarray(v) for v in (_POINTS, _WEIGHTS))
    spread = 1.0 + (a * a)[..., None] * points
    return a * matmul(exp(-0.5 * (h * h)[..., None] * spread) / spread, weights)


@custom_jvp
def _owens_t(h: Any, a: Any) -> Any:
    """Of positive numbers; a beyond 1 is turned into its reciprocal, by what T(h, a) and T(ah, 1/a) sum to."""
    is_number = (h == h) & (a == a)
    sign, h, a = lax.sign(a), abs(h), abs(a)
    root = lax.full_like(h, math.sqrt(2), shape=())
    is_great = a > 1.0
    b, k = where(is_great, 1 / a, a), where(is_great, a * h, h)
    result = where(k == 0.0, arctan(b) / (2 * math.pi), _quadrature(k, b))
    result = where(b == 1.0, 0.125 * lax.erfc(-k / root) * lax.erfc(k / root), result)
    x, y = h / root, a * (h / root)
    outside, beyond = lax.erfc(x), lax.erfc(y)
    near, far = 0.25 - 0.25 * lax.erf(x) * lax.erf(y), 0.25 * (outside + beyond - outside * beyond)
    result = where(is_great, where(a * h <= 0.67, near, far) - result, result)
    return where(is_number, sign * result, lax.full_like(result, np.nan))


@_owens_t.defjvp
def _owens_t_jvp(primals: Sequence[Any], tangents: Sequence[Any]) -> tuple[Any, Any]:
    (h, a), (dh, da) = primals, tangents
    by_h = -exp(-0.5 * h * h) * lax.erf(a * h / math.sqrt(2)) / (2.0 * math.sqrt(2.0 * math.pi))
    square = a * a + 1.0
    by_a = exp(-0.5 * square * h * h) / (2.0 * math.pi * square)
    result = _owens_t(h, a)
    return result, convert_to(by_h * dh + by_a * da, result.aval.dtype)


@operation("scipy.special.owens_t", "h", "a")
def owens_t(h: Any, a: Any) -> Any:
    """`jax.scipy.special.owens_t`: the probability that X > h and 0 < Y < aX, of two independent normal numbers."""
    return _owens_t(*operands(h, a))
