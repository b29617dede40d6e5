"""Densities that are estimated from samples by Gaussian kernels, for `arraytyping.scipy.stats`.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.scipy.stats.gaussian_kde.html; D. W. Scott, "Multivariate
Density Estimation".
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from arraytyping import numpy as jnp, random
from arraytyping.numpy.promoting import is_complex, promoted_inexact
from arraytyping.runtime import whole as whole
from arraytyping.runtime.array_likes import array_from, materialized
from arraytyping.runtime.transformations.jit import jit
from arraytyping.runtime.tree import register_pytree_node_class
from arraytyping.scipy.linalg import cho_factor, cho_solve, cholesky
from arraytyping.scipy.special import logsumexp, ndtr

__all__ = ["gaussian_kde"]


def _inexact(*xs: Any) -> list[Any]:
    return [materialized(x) for x in promoted_inexact(*xs)]


@partial(jit, static_argnums=0)
def _evaluated(in_log: bool, samples: Any, weights: Any, points: Any, precision: Any) -> Any:
    """The density at each point, or its logarithm; samples and points are rows."""
    samples, weights, points, precision = _inexact(samples, weights, points, precision)
    whitening = cholesky(precision, lower=True)
    distance = jnp.dot(points, whitening)[:, None] - jnp.dot(samples, whitening)
    scale = jnp.log(jnp.diag(whitening)).sum() - 0.5 * samples.shape[1] * math.log(2 * math.pi)
    exponents = scale - 0.5 * jnp.square(distance).sum(-1)
    if in_log:
        return logsumexp(jnp.log(weights) + exponents, axis=1)
    return (weights * jnp.exp(exponents)).sum(1)


@jit
def _convolved(covariance: Any, samples: Any, weights: Any, means: Any) -> Any:
    """The integrals of the density with Gaussian ones of these means, in columns, all covariances summed."""
    d = samples.shape[0]
    factor = cho_factor(covariance)
    norm = 1.0 / (math.sqrt(2 * math.pi) ** d * jnp.prod(jnp.diag(factor[0])))
    apart = samples[:, None, :] - means[:, :, None]
    solved = cho_solve(factor, apart.reshape(d, -1)).reshape(apart.shape)
    return norm * (jnp.exp(-0.5 * (apart * solved).sum(0)) * weights).sum(-1)


@jit
def _between(covariance: Any, dataset: Any, weights: Any, low: Any, high: Any) -> Any:
    deviation = jnp.squeeze(jnp.sqrt(covariance))
    low, high = (ndtr(jnp.squeeze((x - dataset) / deviation)) for x in (low, high))
    return (weights * (high - low)).sum()


def _real(x: Any, what: str) -> Any:
    """The array of an argument.

    Raises:
        NotImplementedError: for complex numbers.
    """
    array = materialized(array_from(x))
    if is_complex(array):
        raise NotImplementedError(f"gaussian_kde: {what} are real, got {array.dtype}; take jnp.real of them")
    return jnp.atleast_2d(array)


@register_pytree_node_class
@dataclass(frozen=True, init=False, slots=True)
class gaussian_kde:
    """`jax.scipy.stats.gaussian_kde`: the density of which samples, in columns, are drawn, by one kernel at each."""

    neff: Any
    dataset: Any
    weights: Any
    covariance: Any
    inv_cov: Any

    def __init__(
        self, dataset: Any, bw_method: str | float | Callable[[Any], Any] | None = None, weights: Any = None
    ) -> None:
        samples = _real(dataset, "samples")
        if samples.size < 2:
            raise ValueError(f"gaussian_kde: at least 2 samples are required, got shape {samples.shape}")
        n = samples.shape[1]
        if weights is None:
            (samples,) = _inexact(samples)
            weights = jnp.full(n, 1.0 / n, dtype=samples.dtype)
        else:
            samples, weights = _inexact(samples, materialized(array_from(weights)))
            weights = jnp.atleast_1d(weights)
            weights = weights / weights.sum()
            if weights.shape != (n,):
                raise ValueError(f"gaussian_kde: {n} weights are required, got shape {weights.shape}")
        self._set(neff=1 / (weights**2).sum(), dataset=samples, weights=weights)
        factor = self._factor("scott" if bw_method is None else bw_method)
        covariance = jnp.atleast_2d(jnp.cov(samples, rowvar=True, bias=False, aweights=weights))
        self._set(covariance=covariance * factor**2, inv_cov=jnp.linalg.inv(covariance) / factor**2)

    def _factor(self, bw_method: Any) -> Any:
        """By how much the kernels are narrower than the samples lie apart."""
        power = -1.0 / (self.d + 4)
        if isinstance(bw_method, str):
            if bw_method == "scott":
                return jnp.power(self.neff, power)
            if bw_method == "silverman":
                return jnp.power(self.neff * (self.d + 2) / 4.0, power)
        elif jnp.isscalar(bw_method):
            return bw_method
        elif callable(bw_method):
            return bw_method(self)
        raise ValueError("gaussian_kde: bw_method is 'scott', 'silverman', a scalar or a function")

    def _set(self, **attributes: Any) -> None:
        for name, value in attributes.items():
            object.__setattr__(self, name, value)

    def tree_flatten(self) -> tuple[tuple[Any, ...], None]:
        """The arrays that it is made of."""
        return (self.neff, self.dataset, self.weights, self.covariance, self.inv_cov), None

    @classmethod
    def tree_unflatten(cls, aux_data: None, children: Any) -> gaussian_kde:
        """The density of these arrays."""
        made = cls.__new__(cls)
        names = ("neff", "dataset", "weights", "covariance", "inv_cov")
        made._set(**dict(zip(names, children)))
        return made

    @property
    def d(self) -> int:
        """The number of dimensions."""
        return int(self.dataset.shape[0])

    @property
    def n(self) -> int:
        """The number of samples."""
        return int(self.dataset.shape[1])

    def _at(self, points: Any, *, in_log: bool) -> Any:
        x = _real(points, "points")
        d, m = x.shape
        if d != self.d:
            if (d, m) != (1, self.d):
                raise ValueError(f"gaussian_kde: points of {self.d} dimensions are required, got {d}")
            x = x.reshape(self.d, 1)
        return _evaluated(in_log, self.dataset.T, self.weights, x.T, self.inv_cov)

    def evaluate(self, points: Any) -> Any:
        """The density at points, in columns."""
        return self._at(points, in_log=False)

    def __call__(self, points: Any) -> Any:
        """The density at points, in columns."""
        return self.evaluate(points)

    def pdf(self, x: Any) -> Any:
        """The density at points, in columns."""
        return self.evaluate(x)

    def logpdf(self, x: Any) -> Any:
        """The logarithm of the density at points, in columns."""
        return self._at(x, in_log=True)

    def integrate_gaussian(self, mean: Any, cov: Any) -> Any:
        """The integral of the density with a Gaussian one."""
        mean, cov = jnp.atleast_1d(jnp.squeeze(mean)), jnp.atleast_2d(cov)
        if mean.shape != (self.d,) or cov.shape != (self.d, self.d):
            raise ValueError(f"gaussian_kde: a mean and a covariance of {self.d} dimensions are required")
        return _convolved(self.covariance + cov, self.dataset, self.weights, mean[:, None])[0]

    def integrate_box_1d(self, low: Any, high: Any) -> Any:
        """The integral of a density of one dimension between two numbers."""
        if self.d != 1 or jnp.ndim(low) or jnp.ndim(high):
            raise ValueError("gaussian_kde: integrate_box_1d takes a density of one dimension, and numbers as limits")
        return _between(self.covariance, self.dataset, self.weights, low, high)

    def integrate_kde(self, other: gaussian_kde) -> Any:
        """The integral of the product with another density."""
        if other.d != self.d:
            raise ValueError(f"gaussian_kde: {self.d} and {other.d} dimensions do not go together")
        few, many = (self, other) if self.n < other.n else (other, self)
        found = _convolved(self.covariance + other.covariance, many.dataset, many.weights, few.dataset)
        return (found * few.weights).sum()

    def resample(self, key: Any, shape: tuple[int, ...] = ()) -> Any:
        """Samples of the density, of the number of dimensions before a shape."""
        which, around = random.split(key)
        chosen = random.choice(which, self.n, shape=shape, p=self.weights)
        zero = jnp.zeros(self.d, self.covariance.dtype)
        moved = random.multivariate_normal(around, zero, self.covariance, shape=shape, dtype=self.dataset.dtype)
        return self.dataset[:, chosen] + jnp.moveaxis(moved, -1, 0)  # in jax the transpose, for one dimension alone

    def integrate_box(self, low_bounds: Any, high_bounds: Any, maxpts: Any = None) -> Any:
        """Refused, as JAX refuses it."""
        raise NotImplementedError("gaussian_kde: boxes have one dimension; call integrate_box_1d")

    def set_bandwidth(self, bw_method: Any = None) -> Any:
        """Refused, as JAX refuses it."""
        raise NotImplementedError("gaussian_kde: the bandwidth stays as it is; make another with bw_method")
