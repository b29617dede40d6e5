"""Spherical harmonics, and Bessel functions of the first kind of all orders up to one, both by recurrences.

Source: https://docs.jax.dev/en/latest/jax.scipy.html; https://dlmf.nist.gov/14.10 and https://dlmf.nist.gov/10.74.iv.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arraytyping import lax
from arraytyping.numpy import arange, array, broadcast_to, concatenate, conj, cos, cumprod, isscalar, sin, sqrt, where
from arraytyping.numpy.conversion import asarray
from arraytyping.runtime.array_likes import array_from, concrete_int
from arraytyping.runtime.calling import operation
from arraytyping.runtime.lax.control_flow.scan import scan
from arraytyping.scipy.gamma_functions import operands

__all__ = ["bessel_jn", "sph_harm_y"]


def _legendre(degree: int, x: Any) -> Any:
    """The associated Legendre functions by degree, order and number, scaled to spherical harmonics of norm 1."""
    orders, degrees = np.arange(degree + 1.0), np.arange(degree + 1.0)[:, None]
    with np.errstate(all="ignore"):
        rise = np.sqrt((4 * degrees**2 - 1) / (degrees**2 - orders**2))
        fall = np.sqrt(((degrees - 1) ** 2 - orders**2) / (4 * (degrees - 1) ** 2 - 1))
    rise, fall = np.where(degrees > orders, rise, 0), np.where(degrees > orders + 1, fall, 0)
    factors = np.cumprod([0.5 / np.sqrt(np.pi), *-np.sqrt(1 + 0.5 / orders[1:])])
    sines = concatenate([lax.full_like(x, 1)[None], broadcast_to(sqrt(1.0 - x * x), (degree, x.shape[0]))])
    own = asarray(factors[:, None], dtype=x.dtype) * cumprod(sines, axis=0)  # those of which degree and order are one

    def next_degree(carry: Any, given: Any) -> Any:
        before, last = carry
        rise, fall, is_own = given
        row = rise * (x * last - fall * before) + is_own * own
        return (last, row), row

    given = [asarray(v[..., None], dtype=x.dtype) for v in (rise, fall, np.eye(degree + 1))]
    zero = lax.full_like(own, 0)
    return scan(next_degree, (zero, zero), tuple(given))[1]


def _harmonics(n: Any, m: Any, theta: Any, phi: Any, degree: int) -> Any:
    values = _legendre(degree, cos(theta))
    order = abs(m)
    values = values.at[n, order, arange(len(n))].get(mode="clip")
    angle = order * phi
    result = lax.complex(values * cos(angle), values * sin(angle))
    return where(m < 0, (-1.0) ** order * conj(result), result)


def sph_harm_y(n: Any, m: Any, theta: Any, phi: Any, diff_n: int | None = None, n_max: int | None = None) -> Any:
    """`jax.scipy.special.sph_harm_y`: the spherical harmonic of degree n and order m at polar and azimuthal angles.

    Raises:
        NotImplementedError: if derivatives are asked for.
        ConcretizationTypeError: if the greatest degree is not known when the program is traced.
    """
    if diff_n is not None:
        raise NotImplementedError("The 'diff_n' argument to jax.scipy.special.sph_harm_y is not supported.")
    if isscalar(theta):
        theta = array([theta])
    most = concrete_int(array_from(n).max() if n_max is None else n_max, "the n_max argument of sph_harm_y")
    return _harmonics(asarray(n), asarray(m), asarray(theta), asarray(phi), most)


@operation("scipy.special.bessel_jn", "z")
def bessel_jn(z: Any, *, v: int, n_iter: int = 50) -> Any:
    """`jax.scipy.special.bessel_jn`: the functions J_0 to J_v, by Miller's recurrence, which goes down the orders."""
    (z,) = operands(z)

    def lower(carry: Any, order: Any) -> Any:
        above, here, total = carry
        below = 2.0 * (order + 1.0) * here / z - above
        return (here, below, where(order % 2 == 0, total + 2.0 * below, total)), below

    zero = lax.full_like(z, 0)
    orders = lax.iota(z.dtype, n_iter + 1)
    (_, _, total), values = scan(lower, (zero, lax.full_like(z, 1e-16), zero), orders, reverse=True)
    return values[: v + 1] / (total - values[0])
