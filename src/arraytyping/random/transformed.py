"""Samples that are functions of uniform, normal or gamma-distributed numbers, and random vectors and matrices.

Source: https://docs.jax.dev/en/latest/jax.random.html; F. Mezzadri, "How to generate random matrices from the classical
compact groups", https://arxiv.org/abs/math-ph/0609050; F. Barthe, O. Guédon, S. Mendelson, A. Naor, "A probabilistic
approach to the geometry of the l_p^n-ball", https://arxiv.org/abs/math/0503650; J. Michael, W. Schucany, R. Haas,
"Generating random variates using transformations with multiple roots", The American Statistician 30 (1976);
https://github.com/jax-ml/jax/blob/main/jax/_src/random/core.py, for which key gives which bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from arraytyping.numpy import (
    broadcast_to,
    diagonal,
    einsum,
    exp,
    expand_dims,
    linalg,
    log,
    log1p,
    power,
    sign,
    sqrt,
    where,
)
from arraytyping.numpy.promoting import promoted_inexact
from arraytyping.random.bits_of_keys import sampler, two_keys
from arraytyping.random.continuous import exponential_of, float_dtype, in_dtype, normal_of, sizes, uniform_of
from arraytyping.random.discrete import rademacher_of
from arraytyping.random.gammas import gamma_of, parameters
from arraytyping.runtime.array_likes import array_from, materialized
from arraytyping.runtime.calling import dtype_of, type_of
from arraytyping.runtime.lax.dtype_arguments import canonical_dtype
from arraytyping.semantics.avals import ShapedArray

__all__ = [
    "ball", "double_sided_maxwell", "generalized_normal", "lognormal", "maxwell", "multivariate_normal", "orthogonal",
    "pareto", "rayleigh", "triangular", "wald", "weibull_min",
]  # fmt: skip


@sampler("pareto", "b")
def pareto(
    answer: ShapedArray, key: Any, b: Any, shape: int | Sequence[int] | None = None, dtype: Any = None, *,
    out_sharding: Any = None,
) -> Any:  # fmt: skip
    """`jax.random.pareto`: numbers of the Pareto distribution of `b`."""
    size, chosen = type_of(answer)
    (b,) = parameters(chosen, b)
    return exp(exponential_of(key, size, chosen) / b)


@sampler("rayleigh", "scale")
def rayleigh(
    answer: ShapedArray, key: Any, scale: Any, shape: int | Sequence[int] | None = None, dtype: Any = None, *,
    out_sharding: Any = None,
) -> Any:  # fmt: skip
    """`jax.random.rayleigh`: numbers of the Rayleigh distribution."""
    size, chosen = type_of(answer)
    (scale,) = parameters(chosen, scale)
    return broadcast_to(scale, size) * sqrt(log(uniform_of(key, size, chosen, 0.0, 1.0)) * -2)


@sampler("wald", "mean")
def wald(
    answer: ShapedArray, key: Any, mean: Any, shape: int | Sequence[int] | None = None, dtype: Any = None, *,
    out_sharding: Any = None,
) -> Any:  # fmt: skip
    """`jax.random.wald`: numbers of the Wald (inverse Gaussian) distribution, of scale 1."""
    size, chosen = type_of(answer)
    (mean,) = parameters(chosen, mean)
    mean = broadcast_to(mean, size)
    normal_key, uniform_key = two_keys(key)
    y = normal_of(normal_key, size, chosen) ** 2
    z = uniform_of(uniform_key, size, chosen, 0.0, 1.0)
    square = mean**2
    x = mean + square * y / 2 - mean / 2 * sqrt(4 * mean * y + square * y**2)
    return where(z <= mean / (mean + x), x, square / x)


@sampler("triangular", "left", "mode", "right")
def triangular(
    answer: ShapedArray, key: Any, left: Any, mode: Any, right: Any, shape: int | Sequence[int] | None = None,
    dtype: Any = None, *, out_sharding: Any = None,
) -> Any:  # fmt: skip
    """`jax.random.triangular`: numbers between `left` and `right`, most likely near `mode`."""
    size, chosen = type_of(answer)
    every = parameters(chosen, left, mode, right)
    left, mode, right = (broadcast_to(v, size) for v in every)
    u = uniform_of(key, size, chosen, 0.0, 1.0)
    below = left + sqrt(u * (right - left) * (mode - left))
    above = right - sqrt((1 - u) * (right - left) * (right - mode))
    return where(u < (mode - left) / (right - left), below, above)


_ONE: Final = np.float32(1)


@sampler("lognormal", "sigma")
def lognormal(
    answer: ShapedArray, key: Any, sigma: Any = _ONE, shape: int | Sequence[int] | None = None, dtype: Any = None, *,
    out_sharding: Any = None,
) -> Any:  # fmt: skip
    """`jax.random.lognormal`: exponentials of normally distributed numbers."""
    size, chosen = type_of(answer)
    (sigma,) = parameters(chosen, sigma)
    return exp(normal_of(key, size, chosen) * sigma)


@sampler("maxwell")
def maxwell(
    answer: ShapedArray, key: Any, shape: int | Sequence[int] = (), dtype: Any = None, *, out_sharding: Any = None
) -> Any:
    """`jax.random.maxwell`: lengths of vectors of three normally distributed numbers."""
    return _maxwell(key, *type_of(answer))


def _maxwell(key: Any, size: tuple[int, ...], dtype: str) -> Any:
    return linalg.norm(normal_of(key, (*size, 3), dtype), axis=-1)


@sampler("double_sided_maxwell", "loc", "scale")
def double_sided_maxwell(
    answer: ShapedArray, key: Any, loc: Any, scale: Any, shape: int | Sequence[int] = (), dtype: Any = None
) -> Any:
    """`jax.random.double_sided_maxwell`: the same with a sign by chance, scaled and moved."""
    size, _ = type_of(answer)
    chosen = float_dtype(dtype, "double_sided_maxwell")  # which those of loc and scale may widen
    loc, scale = materialized(array_from(loc)), materialized(array_from(scale))
    maxwell_key, sign_key = two_keys(key)
    lengths = _maxwell(maxwell_key, size, chosen)
    return rademacher_of(sign_key, size, chosen) * lengths * scale + loc


@sampler("weibull_min", "scale", "concentration")
def weibull_min(
    answer: ShapedArray, key: Any, scale: Any, concentration: Any, shape: int | Sequence[int] = (), dtype: Any = None
) -> Any:
    """`jax.random.weibull_min`: numbers of the Weibull distribution."""
    scale, concentration = materialized(array_from(scale)), materialized(array_from(concentration))
    u = uniform_of(key, sizes(shape), float_dtype(dtype, "weibull_min"), 0.0, 1.0)
    return power(-log1p(-u), 1.0 / concentration) * scale


def _generalized(key: Any, p: Any, size: tuple[int, ...], dtype: str) -> Any:
    gamma_key, sign_key = two_keys(key)
    length = gamma_of(False, gamma_key, broadcast_to(materialized(in_dtype(1 / p, dtype)), size))
    return rademacher_of(sign_key, size, dtype) * length ** (1 / p)


@sampler("generalized_normal", "p")
def generalized_normal(
    answer: ShapedArray, key: Any, p: Any, shape: int | Sequence[int] = (), dtype: Any = None, *,
    out_sharding: Any = None,
) -> Any:  # fmt: skip
    """`jax.random.generalized_normal`: numbers whose density falls as exp(-|x|^p)."""
    p = materialized(array_from(p))
    return _generalized(key, p, sizes(shape), float_dtype(dtype, "generalized_normal"))


@sampler("ball", "p")
def ball(
    answer: ShapedArray, key: Any, d: int, p: Any = 2, shape: int | Sequence[int] = (), dtype: Any = None, *,
    out_sharding: Any = None,
) -> Any:  # fmt: skip
    """`jax.random.ball`: points of the ball of radius 1, of `d` coordinates, by the norm of order `p`."""
    p, size, chosen = materialized(array_from(p)), sizes(shape), float_dtype(dtype, "ball")
    point_key, length_key = two_keys(key)
    g = _generalized(point_key, p, (*size, int(d)), chosen)
    e = exponential_of(length_key, size, chosen)
    return g / ((((abs(g) ** p).sum(-1) + e) ** (1 / p))[..., None])


@sampler("orthogonal")
def orthogonal(
    answer: ShapedArray, key: Any, n: int, shape: int | Sequence[int] = (), dtype: Any = None, m: int | None = None, *,
    out_sharding: Any = None,
) -> Any:  # fmt: skip
    """`jax.random.orthogonal`: orthogonal (or unitary) matrices, all equally likely; `m` is how many columns."""
    rows, columns = int(n), int(n if m is None else m)
    size = (*sizes(shape), max(rows, columns), min(rows, columns))
    q, r = linalg.qr(normal_of(key, size, dtype_of(answer)))
    result = q * expand_dims(sign(diagonal(r, 0, -2, -1)), -2)
    return result.mT if rows < columns else result


@sampler("multivariate_normal", "mean", "cov")
def multivariate_normal(
    answer: ShapedArray, key: Any, mean: Any, cov: Any, shape: int | Sequence[int] | None = None, dtype: Any = None,
    method: str = "cholesky", *, out_sharding: Any = None,
) -> Any:  # fmt: skip
    """`jax.random.multivariate_normal`: normally distributed vectors of this mean and covariance."""
    mean, cov = map(materialized, promoted_inexact(array_from(mean), array_from(cov)))
    size, _ = type_of(answer)
    chosen = mean.aval.dtype if dtype is None else canonical_dtype(dtype, "multivariate_normal")
    if method == "svd":
        u, s, _ = linalg.svd(cov)
        factor = u * sqrt(s[..., None, :])
    elif method == "eigh":
        w, v = linalg.eigh(cov)
        factor = v * sqrt(w[..., None, :])
    else:
        factor = linalg.cholesky(cov)
    normals = normal_of(key, size, chosen)
    return mean + einsum("...ij,...j->...i", factor, normals)
