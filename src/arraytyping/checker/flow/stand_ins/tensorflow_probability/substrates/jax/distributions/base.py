"""What all distributions have: the public methods, which ask those with an underscore, and how they are pytrees.

Source: https://www.tensorflow.org/probability/api_docs/python/tfp/distributions/Distribution.
"""

import math

import jax
import jax.numpy as jnp
import numpy as np
from tensorflow_probability.substrates.jax.distributions.kullback_leibler import kl_divergence
from tensorflow_probability.substrates.jax.tensors import argument, key, sizes
from tensorflow_probability.substrates.jax.tf2jax import TensorShape

from arraytyping import facts

_CHILDREN = {}
"""The arguments of a constructor that are children in the pytree, and those that are not, by classes."""


def pytree(*children, **rest):
    """A class whose instances are made of these arguments; the attributes of static ones are said."""

    def enter(cls):
        _CHILDREN[cls] = (children, rest)
        return cls

    return enter


def _flatten(made):
    if type(made) not in _CHILDREN:
        return facts.unknown("a distribution of a class of the program, as a pytree"), None
    children, rest = _CHILDREN[type(made)]
    held = [getattr(made, made._attributes.get(name, name)) for name in children]
    return held, tuple([getattr(made, name) for name in rest.values()])


def _unflatten(cls, rest, children):
    if cls not in _CHILDREN:
        return facts.unknown("a distribution of a class of the program, as a pytree")
    for child in children:
        if child is not None and not isinstance(child, (jax.Array, Composite)):
            return facts.unknown("a distribution that holds something else than arrays")
    names, static = _CHILDREN[cls]
    return cls(**dict(zip((*names, *static), (*children, *rest))))


class Composite:
    """What is a pytree in each class that is derived from it."""

    _attributes = {}
    """Where an argument of the constructor is an attribute of another name."""

    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        jax.tree_util.register_pytree_node(cls, _flatten, lambda rest, children: _unflatten(cls, rest, children))


def _not_said(what):
    return facts.unknown("what a distribution of tfp gives: " + what)


class Distribution:
    def __init__(
        self, dtype, reparameterization_type=None, validate_args=False, allow_nan_stats=True, parameters=None,
        graph_parents=None, name=None,
    ):  # fmt: skip
        self._dtype = dtype
        self.reparameterization_type = reparameterization_type
        self.validate_args = validate_args
        self.allow_nan_stats = allow_nan_stats
        self._given = parameters
        self.name = facts.text() if name is None else name

    @property
    def dtype(self):
        """A class or an instance of NumPy's, with 32 or 64 bits, as the constructor has it."""
        if self._dtype is np.float64 and not jax.config.jax_enable_x64:
            return facts.unknown("the dtype of a distribution with parameters of float64")
        return facts.one_of(np.dtype(self._dtype), self._dtype)

    @property
    def parameters(self):
        return _not_said("parameters") if self._given is None else self._given

    def _batch_shape(self):
        return _not_said("batch_shape")

    def _event_shape(self):
        return _not_said("event_shape")

    @property
    def batch_shape(self):
        return TensorShape(self._batch_shape())

    @property
    def event_shape(self):
        return TensorShape(self._event_shape())

    def batch_shape_tensor(self, name=None):
        return np.asarray(self._batch_shape(), np.int32)

    def event_shape_tensor(self, name=None):
        return np.asarray(self._event_shape(), np.int32)

    def _sample_n(self, n, seed=None, **options):
        return _not_said("sample")

    def sample(self, sample_shape=(), seed=None, name="sample", **options):
        shape = sizes(sample_shape)
        drawn = self._sample_n(math.prod(shape), key(seed), **options)
        return jax.tree.map(lambda one: jnp.reshape(one, (*shape, *jnp.shape(one)[1:])), drawn)

    def experimental_sample_and_log_prob(self, sample_shape=(), seed=None, name=None, **options):
        drawn = self.sample(sample_shape, seed, **options)
        return drawn, self.log_prob(drawn, **options)

    def _log_prob(self, value, **options):
        return _not_said("log_prob")

    def _prob(self, value, **options):
        return _not_said("prob")

    def _log_cdf(self, value, **options):
        return _not_said("log_cdf")

    def _cdf(self, value, **options):
        return _not_said("cdf")

    def _has(self, name):
        return getattr(type(self), name) is not getattr(Distribution, name)

    def _asked(self, plain, other, change, value, options):
        """What a method gives, or the one of which it is the logarithm or the exponential."""
        value = argument(value, self._dtype)
        if self._has(plain) or not self._has(other):
            return getattr(self, plain)(value, **options)
        return change(getattr(self, other)(value, **options))

    def log_prob(self, value, name="log_prob", **options):
        return self._asked("_log_prob", "_prob", jnp.log, value, options)

    def prob(self, value, name="prob", **options):
        return self._asked("_prob", "_log_prob", jnp.exp, value, options)

    def unnormalized_log_prob(self, value, name=None, **options):
        return _not_said("unnormalized_log_prob")

    def log_cdf(self, value, name="log_cdf", **options):
        return self._asked("_log_cdf", "_cdf", jnp.log, value, options)

    def cdf(self, value, name="cdf", **options):
        return self._asked("_cdf", "_log_cdf", jnp.exp, value, options)

    def survival_function(self, value, name=None, **options):
        if self._has("_cdf"):
            return self._asked("_survival_function", "_cdf", lambda found: 1.0 - found, value, options)
        return self._asked("_survival_function", "_log_cdf", lambda found: -jnp.expm1(found), value, options)

    def log_survival_function(self, value, name=None, **options):
        other = "_log_cdf" if self._has("_log_cdf") else "_cdf"
        return self._asked("_log_survival_function", other, jnp.log1p, value, options)

    def _survival_function(self, value, **options):
        return _not_said("survival_function")

    def _log_survival_function(self, value, **options):
        return _not_said("log_survival_function")

    def _quantile(self, value, **options):
        return _not_said("quantile")

    def quantile(self, value, name="quantile", **options):
        return self._quantile(argument(value, self._dtype), **options)

    def _entropy(self, **options):
        return _not_said("entropy")

    def entropy(self, name="entropy", **options):
        return self._entropy(**options)

    def _mean(self, **options):
        return _not_said("mean")

    def mean(self, name="mean", **options):
        return self._mean(**options)

    def _mode(self, **options):
        return _not_said("mode")

    def mode(self, name="mode", **options):
        return self._mode(**options)

    def _variance(self, **options):
        return _not_said("variance")

    def _stddev(self, **options):
        return _not_said("stddev")

    def variance(self, name="variance", **options):
        if self._has("_variance") or not self._has("_stddev"):
            return self._variance(**options)
        return jnp.square(self._stddev(**options))

    def stddev(self, name="stddev", **options):
        if self._has("_stddev") or not self._has("_variance"):
            return self._stddev(**options)
        return jnp.sqrt(self._variance(**options))

    def _covariance(self, **options):
        return _not_said("covariance")

    def covariance(self, name="covariance", **options):
        return self._covariance(**options)

    def kl_divergence(self, other, name="kl_divergence"):
        return kl_divergence(self, other)

    def cross_entropy(self, other, name="cross_entropy"):
        return _not_said("cross_entropy")

    def copy(self, **changed):
        return _not_said("copy")

    def __getitem__(self, key):
        return _not_said("a part of a batch")


class AutoCompositeTensorDistribution(Distribution, Composite):
    pass
