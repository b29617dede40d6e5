"""Distributions of whole numbers, of one choice among many, and of what is certain.

Source: https://www.tensorflow.org/probability/api_docs/python/tfp/distributions, a page for each.
"""

import jax
import jax.numpy as jnp
import numpy as np
from tensorflow_probability.substrates.jax.distributions.base import (
    AutoCompositeTensorDistribution,
    pytree,
)
from tensorflow_probability.substrates.jax.distributions.kullback_leibler import RegisterKL
from tensorflow_probability.substrates.jax.distributions.scalars import Scalar
from tensorflow_probability.substrates.jax.tensors import common_dtype, joined, parameter, settled


class _Odds(AutoCompositeTensorDistribution):
    """A distribution that is given either logits or probabilities."""

    def __init__(self, logits, probs, dtype, validate_args, name):
        if (logits is None) == (probs is None):
            raise ValueError("either logits or probs have to be given")
        odds = common_dtype([logits, probs])
        self.logits = parameter(logits, odds)
        self.probs = parameter(probs, odds)
        super().__init__(np.dtype(dtype).type, validate_args=validate_args, name=name)

    def _parameters(self):
        return self.probs if self.logits is None else self.logits

    def _each(self):
        whole = self._parameters()
        return settled(whole, whole)

    def logits_parameter(self, name=None):
        return self._each() if self.logits is None else self.logits

    def probs_parameter(self, name=None):
        return self._each() if self.probs is None else self.probs


@pytree("logits", "probs", dtype="_dtype")
class Bernoulli(_Odds):
    def __init__(
        self, logits=None, probs=None, dtype=jnp.int32, validate_args=False, allow_nan_stats=True, name="Bernoulli"
    ):
        super().__init__(logits, probs, dtype, validate_args, name)

    def _batch_shape(self):
        return jnp.shape(self._parameters())

    def _event_shape(self):
        return ()

    def _sample_n(self, n, seed=None):
        whole = self._parameters()
        return (jax.random.uniform(seed, (n, *whole.shape)) + whole).astype(self._dtype)

    def _log_prob(self, value):
        whole = self._parameters()
        return settled(joined(whole, value), whole, value)

    _cdf = _log_prob

    def _mean(self):
        return self._each()

    _variance = _entropy = _mean

    def _mode(self):
        return self._parameters().astype(self._dtype)


@pytree("logits", "probs", dtype="_dtype")
class Categorical(_Odds):
    def __init__(
        self, logits=None, probs=None, dtype=jnp.int32, force_probs_to_zero_outside_support=False,
        validate_args=False, allow_nan_stats=True, name="Categorical",
    ):  # fmt: skip
        super().__init__(logits, probs, dtype, validate_args, name)

    @property
    def num_categories(self):
        return self._parameters().shape[-1]

    def _batch_shape(self):
        return self._parameters().shape[:-1]

    def _event_shape(self):
        return ()

    def _sample_n(self, n, seed=None):
        whole = self._parameters()
        return jax.random.randint(seed, (n, *whole.shape[:-1]), 0, whole.shape[-1]).astype(self._dtype)

    def _log_prob(self, value):
        whole = self._parameters()
        return jnp.sum(self._each(), axis=-1) + jnp.zeros_like(value, dtype=whole.dtype)

    def _entropy(self):
        return jnp.sum(self._each(), axis=-1)

    def _mode(self):
        return jnp.argmax(self._parameters(), axis=-1).astype(self._dtype)


@pytree("logits", "probs", dtype="_dtype")
class OneHotCategorical(_Odds):
    def __init__(
        self, logits=None, probs=None, dtype=jnp.int32, validate_args=False, allow_nan_stats=True,
        name="OneHotCategorical",
    ):  # fmt: skip
        super().__init__(logits, probs, dtype, validate_args, name)

    def _batch_shape(self):
        return self._parameters().shape[:-1]

    def _event_shape(self):
        return self._parameters().shape[-1:]

    def _sample_n(self, n, seed=None):
        whole = self._parameters()
        drawn = jax.random.randint(seed, (n, *whole.shape[:-1]), 0, whole.shape[-1])
        return jax.nn.one_hot(drawn, whole.shape[-1], dtype=self._dtype)

    def _log_prob(self, value):
        whole = self._parameters()
        return jnp.sum(settled(joined(whole, value), whole, value), axis=-1)

    def _entropy(self):
        return jnp.sum(self._each(), axis=-1)

    def _mean(self):
        return self._each()

    _variance = _mean

    def _covariance(self):
        whole = self._each()
        return whole[..., None] + whole[..., None, :]

    def _mode(self):
        return self._parameters().astype(self._dtype)


@pytree("rate", "log_rate")
class Poisson(Scalar):
    def __init__(
        self, rate=None, log_rate=None, force_probs_to_zero_outside_support=False, validate_args=False,
        allow_nan_stats=True, name="Poisson",
    ):  # fmt: skip
        self._take({"rate": rate, "log_rate": log_rate}, {"validate_args": validate_args, "name": name})

    def _variance(self):
        return self._each()

    _quantile = AutoCompositeTensorDistribution._quantile
    _entropy = AutoCompositeTensorDistribution._entropy


@pytree("loc", "atol", "rtol")
class Deterministic(AutoCompositeTensorDistribution):
    def __init__(self, loc, atol=None, rtol=None, validate_args=False, allow_nan_stats=True, name="Deterministic"):
        dtype = common_dtype([loc, atol, rtol])
        self.loc = parameter(loc, dtype)
        self.atol = parameter(0.0 if atol is None else atol, dtype)
        self.rtol = parameter(0.0 if rtol is None else rtol, dtype)
        super().__init__(dtype, validate_args=validate_args, name=name)

    def _batch_shape(self):
        return jnp.shape(joined(self.loc, self.atol, self.rtol))

    def _event_shape(self):
        return ()

    def _sample_n(self, n, seed=None):
        return jnp.broadcast_to(self.loc, (n, *self._batch_shape()))

    def _prob(self, value):
        return settled(joined(self.loc, value), self.loc, value)

    _cdf = _prob

    def _entropy(self):
        return settled(self.loc, self.loc)

    _variance = _entropy

    def _mean(self):
        return self.loc

    _mode = _mean


def _pair(one, other, name=None):
    mine, its = one._parameters(), other._parameters()
    return settled(joined(mine, its), mine, its)


def _summed_pair(one, other, name=None):
    return jnp.sum(_pair(one, other), axis=-1)


for _class in (Bernoulli, Poisson):
    RegisterKL(_class, _class)(_pair)
for _class in (Categorical, OneHotCategorical):
    RegisterKL(_class, _class)(_summed_pair)
