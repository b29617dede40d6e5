"""Distributions of real numbers whose parameters are broadcast against one another.

Source: https://www.tensorflow.org/probability/api_docs/python/tfp/distributions, a page for each.
"""

import jax
import jax.numpy as jnp
from tensorflow_probability.substrates.jax.distributions.base import (
    AutoCompositeTensorDistribution,
    Distribution,
    pytree,
)
from tensorflow_probability.substrates.jax.distributions.kullback_leibler import RegisterKL
from tensorflow_probability.substrates.jax.tensors import common_dtype, joined, parameter, settled, strong

from arraytyping import facts


class Scalar(AutoCompositeTensorDistribution):
    """A distribution of one number; its parameters are attributes, None where one is not given."""

    def _take(self, named, options):
        dtype = common_dtype(list(named.values()))
        Distribution.__init__(self, dtype, **options)
        self._names = list(named)
        for name, value in named.items():
            setattr(self, name, parameter(value, dtype))

    def _held(self):
        return [getattr(self, name) for name in self._names]

    def _parameters(self):
        """An array of the shape and dtype that elementwise operations on the parameters give."""
        return joined(*self._held())

    def _batch_shape(self):
        return jnp.shape(self._parameters())

    def _event_shape(self):
        return ()

    def _sample_n(self, n, seed=None):
        whole = self._parameters()
        return whole + jax.random.normal(seed, (n, *whole.shape), whole.dtype)

    def _with(self, value):
        return settled(joined(value, self._parameters()), value, *self._held())

    _log_prob = _cdf = _log_survival_function = _quantile = _with

    def _each(self):
        return settled(self._parameters(), *self._held())

    _mean = _mode = _entropy = _each


class _Spread(Scalar):
    """One whose standard deviation is a formula of its own."""

    def _stddev(self):
        return self._each()


class _Varied(Scalar):
    """One whose variance is a formula of its own."""

    def _variance(self):
        return self._each()


class _Located(_Spread):
    def __init__(self, loc, scale, validate_args=False, allow_nan_stats=True, name=None):
        self._take({"loc": loc, "scale": scale}, {"validate_args": validate_args, "name": name})

    def _log_cdf(self, value):
        return self._with(value)


_LOCATED = pytree("loc", "scale")


@_LOCATED
class Normal(_Located):
    def _with(self, value):
        return strong(joined(value, self._parameters()))

    _cdf = _log_cdf = _log_survival_function = _quantile = _with

    def _log_prob(self, value):
        return self._with(value) + jnp.zeros((), self._parameters().dtype)

    def _mean(self):
        return self._parameters()

    _mode = _stddev = _mean

    def _entropy(self):
        return strong(self._parameters())


@_LOCATED
class Laplace(_Located):
    pass


@_LOCATED
class Logistic(_Located):
    pass


@_LOCATED
class Cauchy(_Located):
    pass


@pytree("scale")
class HalfNormal(_Varied):
    def __init__(self, scale, validate_args=False, allow_nan_stats=True, name=None):
        self._take({"scale": scale}, {"validate_args": validate_args, "name": name})

    def _mode(self):
        """Zeros of float32, whatever the dtype of the scale."""
        whole = self._parameters()
        return jnp.zeros(whole.shape, jnp.float32) if whole.dtype == jnp.float32 else whole + facts.array(None, ())


@pytree("df", "loc", "scale")
class StudentT(_Varied):
    def __init__(self, df, loc, scale, validate_args=False, allow_nan_stats=True, name=None):
        self._take({"df": df, "loc": loc, "scale": scale}, {"validate_args": validate_args, "name": name})


@pytree("loc", "scale", "low", "high")
class TruncatedNormal(_Varied):
    def __init__(self, loc, scale, low, high, validate_args=False, allow_nan_stats=True, name=None):
        named = {"loc": loc, "scale": scale, "low": low, "high": high}
        self._take(named, {"validate_args": validate_args, "name": name})


@pytree("low", "high")
class Uniform(_Varied):
    def __init__(self, low=0.0, high=1.0, validate_args=False, allow_nan_stats=True, name=None):
        self._take({"low": low, "high": high}, {"validate_args": validate_args, "name": name})

    _mode = AutoCompositeTensorDistribution._mode

    def range(self, name="range"):
        return self._parameters()


@pytree("concentration1", "concentration0")
class Beta(_Varied):
    def __init__(
        self, concentration1, concentration0, validate_args=False, allow_nan_stats=True,
        force_probs_to_zero_outside_support=False, name=None,
    ):  # fmt: skip
        named = {"concentration1": concentration1, "concentration0": concentration0}
        self._take(named, {"validate_args": validate_args, "name": name})

    @property
    def total_concentration(self):
        return self._parameters()


@pytree("concentration", "rate", "log_rate")
class Gamma(_Varied):
    def __init__(
        self, concentration, rate=None, log_rate=None, validate_args=False, allow_nan_stats=True,
        force_probs_to_zero_outside_support=False, name=None,
    ):  # fmt: skip
        named = {"concentration": concentration, "rate": rate, "log_rate": log_rate}
        self._take(named, {"validate_args": validate_args, "name": name})


@pytree("rate")
class Exponential(_Varied):
    def __init__(
        self, rate, force_probs_to_zero_outside_support=False, validate_args=False, allow_nan_stats=True, name=None
    ):
        self._take({"rate": rate}, {"validate_args": validate_args, "name": name})

    @property
    def concentration(self):
        return facts.unknown("what a distribution of tfp gives: concentration")


def of_parameters(one, other, name=None):
    given = (*one._held(), *other._held())
    return settled(joined(*given), *given)


for _class in (Normal, Laplace, Cauchy, HalfNormal, Uniform, Beta, Gamma, Exponential):
    RegisterKL(_class, _class)(of_parameters)
