"""Distributions of vectors, and those that are another one under a bijector by name.

Source: https://www.tensorflow.org/probability/api_docs/python/tfp/distributions, a page for each.
"""

import jax
import jax.numpy as jnp
from tensorflow_probability.substrates.jax.bijectors.elementwise import Exp
from tensorflow_probability.substrates.jax.distributions.base import (
    AutoCompositeTensorDistribution,
    Distribution,
    pytree,
)
from tensorflow_probability.substrates.jax.distributions.kullback_leibler import RegisterKL
from tensorflow_probability.substrates.jax.distributions.compounds import TransformedDistribution
from tensorflow_probability.substrates.jax.distributions.scalars import Normal, Scalar, of_parameters
from tensorflow_probability.substrates.jax.tensors import common_dtype, joined, parameter, settled

from arraytyping import facts


class Vector(AutoCompositeTensorDistribution):
    """A distribution of vectors, of which `_parameters` is a batch."""

    def _batch_shape(self):
        return self._parameters().shape[:-1]

    def _event_shape(self):
        return self._parameters().shape[-1:]

    def _sample_n(self, n, seed=None):
        whole = self._parameters()
        return whole + jax.random.normal(seed, (n, *whole.shape), whole.dtype)

    def _held(self):
        return [self._parameters()]

    def _each(self):
        return settled(self._parameters(), *self._held())

    def _log_prob(self, value):
        whole = self._parameters()
        return jnp.sum(settled(joined(value, whole), value, *self._held()), axis=-1)

    def _entropy(self):
        return jnp.sum(self._each(), axis=-1)

    def _mean(self):
        return self._each()

    _mode = _variance = _mean

    def _covariance(self):
        whole = self._each()
        return whole[..., None] + whole[..., None, :]


@pytree("concentration")
class Dirichlet(Vector):
    def __init__(
        self, concentration, validate_args=False, allow_nan_stats=True, force_probs_to_zero_outside_support=False,
        name="Dirichlet",
    ):  # fmt: skip
        dtype = common_dtype([concentration])
        self.concentration = parameter(concentration, dtype)
        super().__init__(dtype, validate_args=validate_args, name=name)

    def _parameters(self):
        return self.concentration


class MultivariateNormalLinearOperator(Vector, TransformedDistribution):
    """Normal distributions of vectors, which have a location, a scale, or both; of a linear operator nothing is known."""

    def __init__(
        self, loc=None, scale=None, validate_args=False, allow_nan_stats=True, experimental_use_kahan_sum=False,
        name="MultivariateNormalLinearOperator",
    ):  # fmt: skip
        dtype = common_dtype([loc])
        self.loc = parameter(loc, dtype)
        self._spread = self._whole = facts.unknown("a normal distribution of a linear operator")
        Distribution.__init__(self, dtype, validate_args=validate_args, name=name)

    def _take(self, loc, scale, scale_axes, options):
        dtype = common_dtype([loc, scale])
        self.loc = parameter(loc, dtype)
        scale = parameter(scale, dtype)
        self._spread = scale[..., 0] if scale_axes == 2 and scale is not None else scale
        self._whole = joined(self.loc, self._spread)
        Distribution.__init__(self, dtype, **options)
        return scale

    def _parameters(self):
        return self._whole

    def _held(self):
        return [self.loc, self._spread, self._whole]

    def _stddev(self):
        return self._each()


@pytree("loc", "scale_diag")
class MultivariateNormalDiag(MultivariateNormalLinearOperator):
    _attributes = {"scale_diag": "_scale_diag"}

    def __init__(
        self, loc=None, scale_diag=None, validate_args=False, allow_nan_stats=True, experimental_use_kahan_sum=False,
        name="MultivariateNormalDiag",
    ):  # fmt: skip
        self._scale_diag = self._take(loc, scale_diag, 1, {"validate_args": validate_args, "name": name})


@pytree("loc", "scale_tril")
class MultivariateNormalTriL(MultivariateNormalLinearOperator):
    _attributes = {"scale_tril": "_scale_tril"}

    def __init__(
        self, loc=None, scale_tril=None, validate_args=False, allow_nan_stats=True, experimental_use_kahan_sum=False,
        name="MultivariateNormalTriL",
    ):  # fmt: skip
        self._scale_tril = self._take(loc, scale_tril, 2, {"validate_args": validate_args, "name": name})


@pytree("loc", "covariance_matrix")
class MultivariateNormalFullCovariance(MultivariateNormalLinearOperator):
    _attributes = {"covariance_matrix": "_covariance_matrix"}

    def __init__(
        self, loc=None, covariance_matrix=None, validate_args=False, allow_nan_stats=True,
        name="MultivariateNormalFullCovariance",
    ):  # fmt: skip
        self._covariance_matrix = self._take(loc, covariance_matrix, 2, {"validate_args": validate_args, "name": name})


@pytree("loc", "scale")
class LogNormal(Scalar, TransformedDistribution):
    def __init__(self, loc, scale, validate_args=False, allow_nan_stats=True, name="LogNormal"):
        self._take({"loc": loc, "scale": scale}, {"validate_args": validate_args, "name": name})

    @property
    def distribution(self):
        return Normal(self.loc, self.scale)

    @property
    def bijector(self):
        return Exp()

    def _variance(self):
        return self._each()

    _stddev = _variance
    _log_cdf = _survival_function = Scalar._with


@pytree("loc", "scale")
class Gumbel(Scalar, TransformedDistribution):
    def __init__(self, loc, scale, validate_args=False, allow_nan_stats=True, name="Gumbel"):
        self._take({"loc": loc, "scale": scale}, {"validate_args": validate_args, "name": name})

    def _stddev(self):
        return self._each()

    _log_cdf = _survival_function = Scalar._with


def _pair(one, other, name=None):
    mine, its = one._parameters(), other._parameters()
    return jnp.sum(settled(joined(mine, its), mine, its), axis=-1)


_NORMALS = (MultivariateNormalDiag, MultivariateNormalTriL, MultivariateNormalFullCovariance)
for _one in _NORMALS:
    for _other in _NORMALS:
        RegisterKL(_one, _other)(_pair)
RegisterKL(Dirichlet, Dirichlet)(_pair)
for _class in (LogNormal, Gumbel):
    RegisterKL(_class, _class)(of_parameters)
