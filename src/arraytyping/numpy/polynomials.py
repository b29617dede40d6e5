"""Polynomials, as arrays of their coefficients, of which that of the highest power is first.

Source: https://docs.jax.dev/en/latest/jax.numpy.html; `jax/_src/numpy/polynomial.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arraytyping.numpy.arg_reductions import argmin
from arraytyping.numpy.arithmetic import divide
from arraytyping.numpy.choosing import where
from arraytyping.numpy.conversion import array
from arraytyping.numpy.creation import ones, zeros
from arraytyping.numpy.decompositions import lstsq
from arraytyping.numpy.diagonals import diag
from arraytyping.numpy.eigenvalues import eigvals
from arraytyping.numpy.elementary import sqrt
from arraytyping.numpy.index_arrays import vander
from arraytyping.numpy.joining import concatenate
from arraytyping.numpy.permuting import roll
from arraytyping.numpy.placing import trim_zeros
from arraytyping.numpy.promoting import in_result_dtype, inexact_dtype, promoted_inexact
from arraytyping.numpy.ranges import arange
from arraytyping.numpy.reductions import all as all_of
from arraytyping.numpy.reshaping import atleast_1d
from arraytyping.numpy.sampling import convolve
from arraytyping.numpy.solving import inv
from arraytyping.numpy.sorting import sorted_along
from arraytyping.runtime.array_likes import array_from, concrete_int, materialized
from arraytyping.runtime.calling import answered, operation
from arraytyping.runtime.lax.control_flow.scan import scan
from arraytyping.runtime.lax.creation import full_of
from arraytyping.runtime.np_dtypes import limits_of, np_dtype
from arraytyping.runtime.transformations.jit import jit
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.rules.shapes.broadcasting import broadcast_shapes

__all__ = ["poly", "polyadd", "polyder", "polydiv", "polyfit", "polyint", "polymul", "polysub", "polyval", "roots"]


@answered("numpy.polyval", "p", "x")
def polyval(answer: ShapedArray, p: Any, x: Any, *, unroll: int = 16) -> Any:
    """`jax.numpy.polyval`: the value of a polynomial at x, by Horner's scheme."""
    p, x = map(materialized, in_result_dtype(answer, p, x))
    shape = broadcast_shapes("polyval", p.aval.shape[1:], x.aval.shape)
    start = full_of(0, ShapedArray(shape, x.aval.dtype, False))
    return scan(lambda y, p: (y * x + p, None), start, p, unroll=unroll)[0]


def _sum(a: Any, b: Any) -> Any:
    if b.shape[0] <= a.shape[0]:
        return a.at[-b.shape[0] :].add(b)
    return b.at[-a.shape[0] :].add(a)


@answered("numpy.polyadd", "a1", "a2")
def polyadd(answer: ShapedArray, a1: Any, a2: Any) -> Any:
    """`jax.numpy.polyadd`: the sum of two polynomials."""
    return _sum(*map(materialized, in_result_dtype(answer, a1, a2)))


@answered("numpy.polysub", "a1", "a2")
def polysub(answer: ShapedArray, a1: Any, a2: Any) -> Any:
    """`jax.numpy.polysub`: the difference of two polynomials."""
    first, second = map(materialized, in_result_dtype(answer, a1, a2))
    return _sum(first, -second)


@operation("numpy.polymul", "a1", "a2", how="inline")
def polymul(a1: Any, a2: Any, *, trim_leading_zeros: bool = False) -> Any:
    """`jax.numpy.polymul`: the product of two polynomials."""
    a1, a2 = map(materialized, promoted_inexact(a1, a2))
    if trim_leading_zeros and (len(a1) > 1 or len(a2) > 1):
        a1, a2 = trim_zeros(a1, trim="f"), trim_zeros(a2, trim="f")
    a1, a2 = (zeros(1, dtype=v.aval.dtype) if not len(v) else v for v in (a1, a2))
    return convolve(a1, a2, mode="full")


@operation("numpy.polydiv", "u", "v")
def _division(u: Any, v: Any) -> tuple[Any, Any]:
    u, v = map(materialized, promoted_inexact(u, v))
    steps = u.shape[0] - v.shape[0] + 1
    quotient = zeros(max(steps, 1), dtype=u.aval.dtype)
    scale = 1.0 / v[0]
    for k in range(steps):
        factor = scale * u[k]
        quotient = quotient.at[k].set(factor)
        u = u.at[k : k + v.shape[0]].add(-factor * v)
    return quotient, u


@operation("numpy.polydiv", "u", "v", how="inline")
def polydiv(u: Any, v: Any, *, trim_leading_zeros: bool = False) -> tuple[Any, Any]:
    """`jax.numpy.polydiv`: the quotient of two polynomials, and the rest."""
    quotient, rest = _division(u, v)
    if trim_leading_zeros:
        least = float(np.sqrt(limits_of(rest.aval.dtype).eps))
        values = np.abs(np.asarray(rest))
        rest = rest[int(np.argmax(values > least)) if (values > least).any() else values.size :]
    return quotient, rest


def _powers(of: Any, least: int, first: int, order: int) -> Any:
    """The products of each power with those before it, as many as the order, from the highest one on."""
    powers = np.arange(first, len(of) + least)[None] - np.arange(order)[:, None]
    return np.maximum(1, powers).prod(0)[::-1].astype(np_dtype(of.aval.dtype))


@answered("numpy.polyder", "p")
def polyder(answer: ShapedArray, p: Any, m: int = 1) -> Any:
    """`jax.numpy.polyder`: the derivative of order m of a polynomial."""
    (p,) = map(materialized, in_result_dtype(answer, p))
    order = concrete_int(m, "the order m of polyder")
    return p[:-order] * _powers(p, 0, order, order) if order else p


@answered("numpy.polyint", "p", "k")
def polyint(answer: ShapedArray, p: Any, m: int = 1, k: Any = None) -> Any:
    """`jax.numpy.polyint`: the integral of order m of a polynomial, with the constants k."""
    p, k = map(materialized, in_result_dtype(answer, p, array_from(0) if k is None else k))
    order = concrete_int(m, "the order m of polyint")
    if not order:
        return p
    k = atleast_1d(k)
    constants = concatenate([k] * order) if len(k) == 1 else k
    return divide(concatenate((p, constants)), _powers(p, order, 0, order))


@operation("numpy.poly", "seq_of_zeros")
def poly(seq_of_zeros: Any) -> Any:
    """`jax.numpy.poly`: the polynomial of which these, or the eigenvalues of a matrix, are the zeros."""
    (roots,) = map(materialized, promoted_inexact(seq_of_zeros))
    roots = eigvals(roots) if roots.ndim == 2 else atleast_1d(roots)
    result = materialized(array_from(np.ones((1,) if len(roots) else (), np_dtype(roots.aval.dtype))))
    for k in range(len(roots)):
        result = convolve(result, concatenate([np.ones(1, np_dtype(roots.aval.dtype)), -roots[k : k + 1]]), mode="full")
    return result


def _no_roots(p: Any) -> Any:
    return zeros(0, dtype="complex128" if p.aval.dtype in ("float64", "complex128") else "complex64")


@jit
def _roots(p: Any) -> Any:
    """The eigenvalues of the companion matrix."""
    below = diag(ones((p.size - 2,), dtype=p.aval.dtype), -1)
    return eigvals(below.at[0, :].set(-p[1:] / p[0]))


@jit
def _padded_roots(p: Any, leading: Any) -> Any:
    """The zeros of a polynomial that begins with so many zeros, of which each gives a NaN at the end."""
    p = where(len(p) == leading, 1.0, p)
    found = _roots(roll(p, -leading))
    _, found = sorted_along([found == 0, found], 0)
    return where(arange(found.size) < found.size - leading, found, complex(np.nan, np.nan))


def roots(p: Any, *, strip_zeros: bool = True) -> Any:
    """`jax.numpy.roots`: the zeros of a polynomial, complex.

    Raises:
        ValueError: for an array of more than 1 dimension.
        ConcretizationTypeError: if the polynomial is traced, unless `strip_zeros` is False.
    """
    (given,) = promoted_inexact(materialized(array_from(p)))
    coefficients = atleast_1d(given)
    if coefficients.ndim != 1:
        raise ValueError(f"roots: the coefficients are a vector, got shape {coefficients.shape}")
    if coefficients.size < 2:
        return _no_roots(coefficients)
    leading = where(all_of(coefficients == 0), len(coefficients), argmin(coefficients == 0))
    if not strip_zeros:
        return _padded_roots(coefficients, leading)
    rest = coefficients[concrete_int(leading, "how many zeros roots strips (with strip_zeros=False none)") :]
    return _roots(rest) if len(rest) > 1 else _no_roots(rest)


@operation("numpy.polyfit", "x", "y", "w")
def polyfit(
    x: Any, y: Any, deg: int, rcond: float | None = None, full: bool = False, w: Any = None, cov: Any = False
) -> Any:
    """`jax.numpy.polyfit`: the polynomial of degree `deg` that is nearest to points, by least squares."""
    order = int(deg) + 1
    if rcond is None:
        rcond = len(x) * float(limits_of(inexact_dtype(x.aval.dtype)).eps)
    left = vander(x, order)
    if w is not None:
        (w,) = promoted_inexact(w)
        left, y = left * w[:, None], y * (w[:, None] if y.ndim == 2 else w)
    scale = sqrt((left * left).sum(axis=0))
    left = left / scale
    c, residuals, rank, s = lstsq(left, y, rcond)
    c = (c.T / scale).T
    if full:
        return c, residuals, rank, s, array(rcond)
    if not cov:
        return c
    variances = inv(left.T @ left) / (scale[:, None] * scale)
    factor = array(1.0) if cov == "unscaled" else residuals / (len(x) - order)
    factor = atleast_1d(factor)
    return c, variances * factor if y.ndim == 1 else variances[:, :, None] * factor
