"""Polynomials, as arrays of their coefficients, of which that of the highest power is first.

Source: https://docs.jax.dev/en/latest/jax.numpy.html; `jax/_src/numpy/polynomial.py`.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from arraytyping.numpy.arithmetic import divide
from arraytyping.numpy.conversion import array
from arraytyping.numpy.creation import zeros
from arraytyping.numpy.decompositions import lstsq
from arraytyping.numpy.elementary import sqrt
from arraytyping.numpy.index_arrays import vander
from arraytyping.numpy.joining import concatenate
from arraytyping.numpy.placing import trim_zeros
from arraytyping.numpy.promoting import inexact_dtype, promoted, promoted_inexact
from arraytyping.numpy.reshaping import atleast_1d
from arraytyping.numpy.sampling import convolve
from arraytyping.numpy.solving import inv
from arraytyping.runtime.array_likes import array_from, concrete_int, materialized
from arraytyping.runtime.lax.control_flow.scan import scan
from arraytyping.runtime.lax.creation import full_of
from arraytyping.runtime.np_dtypes import limits_of, np_dtype
from arraytyping.runtime.transformations.jit import jit
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.rules.shapes.broadcasting import broadcast_shapes

__all__ = ["poly", "polyadd", "polyder", "polydiv", "polyfit", "polyint", "polymul", "polysub", "polyval"]


def _arrays(*xs: Any) -> list[Any]:
    return [materialized(array_from(x)) for x in xs]


@functools.partial(jit, static_argnames=("unroll",))
def _value(p: Any, x: Any, unroll: int) -> Any:
    shape = broadcast_shapes("polyval", p.aval.shape[1:], x.aval.shape)
    start = full_of(0, ShapedArray(shape, x.aval.dtype, bool(x.aval.weak_type)))
    return scan(lambda y, p: (y * x + p, None), start, p, unroll=unroll)[0]


def polyval(p: Any, x: Any, *, unroll: int = 16) -> Any:
    """`jax.numpy.polyval`: the value of a polynomial at x, by Horner's scheme."""
    p, x = promoted(*_arrays(p, x))
    if not p.aval.shape:
        raise ValueError(
            "polyval: the coefficients are an array of at least 1 dimension, got a number; give a list of one"
        )
    return _value(p, x, unroll)


def _sum(a: Any, b: Any) -> Any:
    if b.shape[0] <= a.shape[0]:
        return a.at[a.shape[0] - b.shape[0] :].add(b)
    return b.at[b.shape[0] - a.shape[0] :].add(a)


_sum_of = jit(_sum)


def polyadd(a1: Any, a2: Any) -> Any:
    """`jax.numpy.polyadd`: the sum of two polynomials."""
    return _sum_of(*promoted(*_arrays(a1, a2)))


def polysub(a1: Any, a2: Any) -> Any:
    """`jax.numpy.polysub`: the difference of two polynomials."""
    first, second = promoted(*_arrays(a1, a2))
    return _sum_of(first, -second)


def polymul(a1: Any, a2: Any, *, trim_leading_zeros: bool = False) -> Any:
    """`jax.numpy.polymul`: the product of two polynomials."""
    a1, a2 = promoted_inexact(*_arrays(a1, a2))
    if trim_leading_zeros and (len(a1) > 1 or len(a2) > 1):
        a1, a2 = trim_zeros(a1, trim="f"), trim_zeros(a2, trim="f")
    a1, a2 = (zeros(1, dtype=v.aval.dtype) if not len(v) else v for v in (a1, a2))
    return convolve(a1, a2, mode="full")


@jit
def _division(u: Any, v: Any) -> tuple[Any, Any]:
    steps = u.shape[0] - v.shape[0] + 1
    quotient = zeros(max(steps, 1), dtype=u.aval.dtype)
    scale = 1.0 / v[0]
    for k in range(steps):
        factor = scale * u[k]
        quotient = quotient.at[k].set(factor)
        u = u.at[k : k + v.shape[0]].add(-factor * v)
    return quotient, u


def polydiv(u: Any, v: Any, *, trim_leading_zeros: bool = False) -> tuple[Any, Any]:
    """`jax.numpy.polydiv`: the quotient of two polynomials, and the rest."""
    u, v = promoted_inexact(*_arrays(u, v))
    quotient, rest = _division(u, v)
    if trim_leading_zeros:
        least = float(np.sqrt(limits_of(rest.aval.dtype).eps))
        values = np.abs(np.asarray(rest))
        rest = rest[int(np.argmax(values > least)) if (values > least).any() else values.size :]
    return quotient, rest


def _order(m: Any, what: str) -> int:
    order = concrete_int(m, f"the order m of {what}")
    if order < 0:
        raise ValueError(f"{what}: the order m must not be negative, got {order}")
    return order


def polyder(p: Any, m: int = 1) -> Any:
    """`jax.numpy.polyder`: the derivative of order m of a polynomial."""
    (p,) = promoted_inexact(*_arrays(p))
    order = _order(m, "polyder")
    if not order:
        return p
    powers = np.arange(order, len(p))[None] - np.arange(order)[:, None]
    return p[:-order] * powers.prod(0)[::-1].astype(np_dtype(p.aval.dtype))


def polyint(p: Any, m: int = 1, k: Any = None) -> Any:
    """`jax.numpy.polyint`: the integral of order m of a polynomial, with the constants k."""
    p, k = promoted_inexact(*_arrays(p, 0 if k is None else k))
    order = _order(m, "polyint")
    k = atleast_1d(k)
    if len(k) == 1:
        k = concatenate([k] * order) if order else k[:0]
    if k.shape != (order,):
        raise ValueError(f"polyint: k is a number, or one for each of the {order} integrals, got an array of {k.shape}")
    if not order:
        return p
    powers = np.arange(len(p) + order)[None] - np.arange(order)[:, None]
    return divide(concatenate((p, k)), np.maximum(1, powers).prod(0)[::-1].astype(np_dtype(p.aval.dtype)))


def poly(seq_of_zeros: Any) -> Any:
    """`jax.numpy.poly`: the polynomial of which these are the zeros; of a matrix it is not implemented."""
    (roots,) = promoted_inexact(*_arrays(seq_of_zeros))
    roots = atleast_1d(roots)
    if roots.ndim == 2 and roots.shape[0] == roots.shape[1] != 0:
        raise NotImplementedError("poly: eigenvalues of a matrix are not implemented; give the zeros")
    if roots.ndim != 1:
        raise ValueError(f"poly: an array of 1 dimension is required, got shape {roots.shape}")
    result = materialized(array_from(np.ones((1,) if len(roots) else (), np_dtype(roots.aval.dtype))))
    for k in range(len(roots)):
        result = convolve(result, concatenate([np.ones(1, np_dtype(roots.aval.dtype)), -roots[k : k + 1]]), mode="full")
    return result


def _check_points(x: Any, y: Any, w: Any, deg: int) -> None:
    if deg < 0:
        raise ValueError(f"polyfit: the degree must not be negative, got {deg}")
    if x.ndim != 1 or not x.size:
        raise TypeError(f"polyfit: x is a vector with items, got shape {x.shape}")
    if y.ndim not in (1, 2):
        raise TypeError(f"polyfit: y has 1 or 2 dimensions, got shape {y.shape}")
    if x.shape[0] != y.shape[0]:
        raise TypeError(f"polyfit: x and y must have the same length, got {x.shape[0]} and {y.shape[0]}")
    if w is not None and w.shape != (y.shape[0],):
        raise TypeError(f"polyfit: the weights are a vector of the length of y, got shape {w.shape}")


@functools.partial(jit, static_argnames=("order", "rcond"))
def _fitted(x: Any, y: Any, w: Any, order: int, rcond: float) -> Any:
    left = vander(x, order)
    if w is not None:
        left, y = left * w[:, None], y * (w[:, None] if y.ndim == 2 else w)
    scale = sqrt((left * left).sum(axis=0))
    left = left / scale
    c, residuals, rank, s = lstsq(left, y, rcond)
    return (c.T / scale).T, residuals, rank, s, inv(left.T @ left) / (scale[:, None] * scale)


def polyfit(
    x: Any, y: Any, deg: int, rcond: float | None = None, full: bool = False, w: Any = None, cov: Any = False
) -> Any:
    """`jax.numpy.polyfit`: the polynomial of degree `deg` that is nearest to points, by least squares."""
    x, y = _arrays(x, y)
    (weights,) = (None,) if w is None else promoted_inexact(*_arrays(w))
    deg = concrete_int(deg, "the degree of polyfit")
    _check_points(x, y, weights, deg)
    if rcond is None:
        rcond = len(x) * float(limits_of(inexact_dtype(x.aval.dtype)).eps)
    c, residuals, rank, s, variances = _fitted(x, y, weights, deg + 1, float(rcond))
    if full:
        return c, residuals, rank, s, array(rcond)
    if not cov:
        return c
    factor: Any = 1.0
    if cov != "unscaled":
        if len(x) <= deg + 1:
            raise ValueError(f"polyfit: {len(x)} points are too few to scale the covariance of {deg + 1} coefficients")
        factor = residuals / (len(x) - deg - 1)
    if y.ndim == 1:
        return c, variances * factor
    return c, variances[:, :, None] * atleast_1d(array(factor))
