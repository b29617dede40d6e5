"""Distributions that are made of other ones.

Source: https://www.tensorflow.org/probability/api_docs/python/tfp/distributions, a page for each.
"""

import jax
import jax.numpy as jnp
from tensorflow_probability.substrates.jax.bijectors.base import Bijector
from tensorflow_probability.substrates.jax.distributions.base import (
    AutoCompositeTensorDistribution,
    Composite,
    Distribution,
    pytree,
)
from tensorflow_probability.substrates.jax.distributions.kullback_leibler import RegisterKL, kl_divergence
from tensorflow_probability.substrates.jax.tensors import joined, sizes, summed

from arraytyping import facts


@pytree("distribution", reinterpreted_batch_ndims="reinterpreted_batch_ndims")
class Independent(AutoCompositeTensorDistribution):
    def __init__(
        self, distribution, reinterpreted_batch_ndims=None, validate_args=False, experimental_use_kahan_sum=False,
        name=None,
    ):  # fmt: skip
        self.distribution = distribution
        rank = len(distribution.batch_shape)
        given = reinterpreted_batch_ndims
        self.reinterpreted_batch_ndims = max(0, rank - 1) if given is None else int(given)
        super().__init__(distribution._dtype, validate_args=validate_args, name=name)

    def _batch_shape(self):
        whole = tuple(self.distribution.batch_shape)
        return whole[: len(whole) - self.reinterpreted_batch_ndims]

    def _event_shape(self):
        whole = tuple(self.distribution.batch_shape)
        return (*whole[len(whole) - self.reinterpreted_batch_ndims :], *self.distribution.event_shape)

    def _sum(self, found):
        return summed(found, self.reinterpreted_batch_ndims)

    def _sample_n(self, n, seed=None, **options):
        return self.distribution.sample(n, seed, **options)

    def _log_prob(self, value, **options):
        return self._sum(self.distribution.log_prob(value, **options))

    def _log_cdf(self, value, **options):
        return self._sum(self.distribution.log_cdf(value, **options))

    def _entropy(self, **options):
        return self._sum(self.distribution.entropy(**options))

    def _mean(self, **options):
        return self.distribution.mean(**options)

    def _mode(self, **options):
        return self.distribution.mode(**options)

    def _variance(self, **options):
        return self.distribution.variance(**options)

    def _stddev(self, **options):
        return self.distribution.stddev(**options)


@pytree("distribution", sample_shape="sample_shape")
class Sample(AutoCompositeTensorDistribution):
    def __init__(
        self, distribution, sample_shape=(), validate_args=False, experimental_use_kahan_sum=False, name=None
    ):
        self.distribution = distribution
        self.sample_shape = sample_shape
        super().__init__(distribution._dtype, validate_args=validate_args, name=name)

    def _batch_shape(self):
        return tuple(self.distribution.batch_shape)

    def _event_shape(self):
        return (*sizes(self.sample_shape), *self.distribution.event_shape)

    def _spread(self, found):
        """Of each sample of the distribution as many as are one event of this one."""
        event = tuple(self.distribution.event_shape)
        before = found.shape[: found.ndim - len(event)]
        own = sizes(self.sample_shape)
        wide = jnp.reshape(found, (*before, *[1 for _ in own], *event))
        return jnp.broadcast_to(wide, (*before, *own, *event))

    def _sample_n(self, n, seed=None, **options):
        return self._spread(self.distribution.sample(n, seed, **options))

    def _log_prob(self, value, **options):
        one = self.distribution.log_prob(jnp.zeros(self.distribution.event_shape.as_list(), value.dtype), **options)
        return summed(value, len(self._event_shape())).astype(one.dtype) + one

    def _entropy(self, **options):
        return self.distribution.entropy(**options)

    def _mean(self, **options):
        return self._spread(self.distribution.mean(**options))

    def _mode(self, **options):
        return self._spread(self.distribution.mode(**options))

    def _variance(self, **options):
        return self._spread(self.distribution.variance(**options))

    def _stddev(self, **options):
        return self._spread(self.distribution.stddev(**options))


@pytree("distribution", "bijector")
class TransformedDistribution(Distribution, Composite):
    def __init__(
        self, distribution, bijector, kwargs_split_fn=None, validate_args=False, parameters=None, name=None
    ):
        self.distribution = distribution
        self.bijector = bijector
        if not isinstance(bijector, Bijector):
            self.bijector = facts.unknown("what is no bijector of tfp")
        dtype = distribution._dtype
        if self.bijector.dtype is not None and self.bijector.dtype != dtype:
            dtype = facts.unknown("the dtype of a distribution under a bijector of another dtype")
        super().__init__(dtype, validate_args=validate_args, parameters=parameters, name=name)

    def _is_kept(self):
        """Whether the bijector has no batch that is wider than that of the distribution."""
        return self.bijector._keeps((*self.distribution.batch_shape, *self.distribution.event_shape))

    def _batch_shape(self):
        if self._is_kept():
            return tuple(self.distribution.batch_shape)
        return facts.unknown("the batch of a distribution under a bijector with a batch")

    def _event_shape(self):
        return tuple(self.bijector.forward_event_shape(self.distribution.event_shape))

    def _sample_n(self, n, seed=None, **options):
        if self._is_kept():
            return self.bijector.forward(self.distribution.sample(n, seed), **options)
        jax.random.bits(seed)
        return facts.unknown("samples of a distribution under a bijector with a batch")

    def _log_prob(self, value, **options):
        axes = len(self.event_shape)
        found = self.bijector.inverse(value, **options)
        return self.distribution.log_prob(found) + self.bijector.inverse_log_det_jacobian(value, axes, **options)

    def _prob(self, value, **options):
        return jnp.exp(self._log_prob(value, **options))

    def _cdf(self, value, **options):
        return self.distribution.cdf(self.bijector.inverse(value, **options))

    def _log_cdf(self, value, **options):
        return self.distribution.log_cdf(self.bijector.inverse(value, **options))

    def _survival_function(self, value, **options):
        return self.distribution.survival_function(self.bijector.inverse(value, **options))

    def _log_survival_function(self, value, **options):
        return self.distribution.log_survival_function(self.bijector.inverse(value, **options))

    def _quantile(self, value, **options):
        return self.bijector.forward(self.distribution.quantile(value), **options)

    def _moved(self, found):
        """A bijector that stretches all alike takes a mean to a mean; of others tfp does not say it."""
        if self.bijector.is_constant_jacobian and self._is_kept():
            return self.bijector.forward(found)
        return facts.unknown("a mean or a mode under a bijector")

    def _mean(self, **options):
        return self._moved(self.distribution.mean())

    def _mode(self, **options):
        return self._moved(self.distribution.mode())


@pytree("mixture_distribution", "components_distribution", reparameterize="reparameterize")
class MixtureSameFamily(AutoCompositeTensorDistribution):
    def __init__(
        self, mixture_distribution, components_distribution, reparameterize=False, validate_args=False,
        allow_nan_stats=True, name="MixtureSameFamily",
    ):  # fmt: skip
        self.mixture_distribution = mixture_distribution
        self.components_distribution = components_distribution
        self.reparameterize = reparameterize
        super().__init__(components_distribution._dtype, validate_args=validate_args, name=name)

    def _batch_shape(self):
        mixed = self.mixture_distribution
        one = jnp.zeros(tuple(mixed.batch_shape)) + jnp.zeros(self.components_distribution.batch_shape.as_list()[:-1])
        return one.shape

    def _event_shape(self):
        return tuple(self.components_distribution.event_shape)

    def _component_axis(self):
        return -1 - len(self._event_shape())

    def _sample_n(self, n, seed=None, **options):
        drawn = self.components_distribution.sample(n, seed, **options)
        chosen = jnp.sum(drawn, axis=self._component_axis(), dtype=drawn.dtype)
        return jnp.broadcast_to(chosen, (n, *self._batch_shape(), *self._event_shape()))

    def _log_prob(self, value, **options):
        wide = jnp.expand_dims(value, self._component_axis())
        each = self.components_distribution.log_prob(wide, **options)
        return jnp.sum(joined(each, self.mixture_distribution.logits_parameter()), axis=-1)

    def _log_cdf(self, value, **options):
        wide = jnp.expand_dims(value, self._component_axis())
        each = self.components_distribution.log_cdf(wide, **options)
        return jnp.sum(joined(each, self.mixture_distribution.logits_parameter()), axis=-1)

    def _mean(self, **options):
        each = self.components_distribution.mean(**options)
        weights = self.mixture_distribution.probs_parameter()
        for _ in self._event_shape():
            weights = weights[..., None]
        return jnp.sum(joined(each, weights), axis=self._component_axis())

    _variance = _mean


def _independent_pair(one, other, name=None):
    return summed(kl_divergence(one.distribution, other.distribution), one.reinterpreted_batch_ndims)


def _transformed_pair(one, other, name=None):
    """That of the distributions below, if they are under the same bijector, else tfp does not say it."""
    return kl_divergence(one.distribution, other.distribution)


RegisterKL(Independent, Independent)(_independent_pair)
RegisterKL(TransformedDistribution, TransformedDistribution)(_transformed_pair)
