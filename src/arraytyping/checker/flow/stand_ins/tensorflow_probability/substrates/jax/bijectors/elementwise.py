"""Bijectors that take one number to one number.

Source: https://www.tensorflow.org/probability/api_docs/python/tfp/bijectors, a page for each.
"""

import jax.numpy as jnp
from tensorflow_probability.substrates.jax.bijectors.base import Bijector
from tensorflow_probability.substrates.jax.distributions.base import Composite, pytree
from tensorflow_probability.substrates.jax.tensors import common_dtype, joined, parameter, settled

from arraytyping import facts


class AutoCompositeTensorBijector(Bijector, Composite):
    pass


class Elementwise(AutoCompositeTensorBijector):
    """A bijector of numbers; its parameters are attributes, None where one is not given."""

    def _take(self, named, options):
        given = [value for value in named.values() if value is not None]
        dtype = common_dtype(given) if given else None
        super().__init__(dtype=dtype, **options)
        self._names = list(named)
        for name, value in named.items():
            setattr(self, name, parameter(value, dtype))

    def _parameters(self):
        return joined(*[getattr(self, name) for name in self._names])

    def _keeps(self, shape):
        whole = self._parameters()
        return whole is None or jnp.broadcast_shapes(whole.shape, shape) == shape

    def _forward(self, x):
        found = joined(jnp.exp(x), self._parameters())
        return found if jnp.issubdtype(x.dtype, jnp.floating) else found + facts.array(None, ())

    _inverse = _forward

    def _forward_log_det_jacobian(self, x):
        return settled(self._forward(x), x, *[getattr(self, name) for name in self._names])

    _inverse_log_det_jacobian = _forward_log_det_jacobian

    def _forward_event_shape(self, input_shape):
        return input_shape

    _inverse_event_shape = _forward_event_shape


@pytree()
class Identity(Elementwise):
    def __init__(self, validate_args=False, name="identity"):
        self._take({}, {"is_constant_jacobian": True})

    def _forward(self, x):
        return x

    _inverse = _forward

    def _forward_log_det_jacobian(self, x):
        return jnp.zeros((), x.dtype)

    _inverse_log_det_jacobian = _forward_log_det_jacobian


class _Plain(Elementwise):
    def __init__(self, validate_args=False, name=None):
        self._take({}, {"validate_args": validate_args, "name": name})


@pytree()
class Exp(_Plain):
    pass


@pytree()
class Log(_Plain):
    pass


@pytree()
class Tanh(_Plain):
    pass


@pytree()
class Softsign(_Plain):
    pass


@pytree()
class Expm1(_Plain):
    pass


@pytree()
class Log1p(_Plain):
    pass


class _Rounded(Elementwise):
    """One whose formula has constants."""

    def _forward(self, x):
        held = [getattr(self, name) for name in self._names]
        return settled(joined(jnp.exp(x), *held), x, *held)

    _inverse = _forward


@pytree()
class NormalCDF(_Rounded):
    def __init__(self, validate_args=False, name="normal"):
        self._take({}, {"validate_args": validate_args, "name": name})


@pytree("low", "high")
class Sigmoid(Elementwise):
    def __init__(self, low=None, high=None, validate_args=False, name="sigmoid"):
        self._take({"low": low, "high": high}, {"validate_args": validate_args, "name": name})
        self.dtype = None  # a number of Python is of float32, whatever its bounds are


@pytree("hinge_softness", "low")
class Softplus(_Rounded):
    def __init__(self, hinge_softness=None, low=None, validate_args=False, name="softplus"):
        self._take({"hinge_softness": hinge_softness, "low": low}, {"validate_args": validate_args, "name": name})


@pytree("shift")
class Shift(Elementwise):
    def __init__(self, shift, validate_args=False, name="shift"):
        self._take({"shift": shift}, {"is_constant_jacobian": True, "name": name})

    def _forward(self, x):
        return joined(x, self.shift)

    _inverse = _forward

    def _forward_log_det_jacobian(self, x):
        return jnp.zeros((), joined(x, self.shift).dtype)

    _inverse_log_det_jacobian = _forward_log_det_jacobian


@pytree("scale", "log_scale")
class Scale(Elementwise):
    def __init__(self, scale=None, log_scale=None, validate_args=False, name="scale"):
        self._take({"scale": scale, "log_scale": log_scale}, {"is_constant_jacobian": True, "name": name})

    def _forward(self, x):
        return joined(x, self._parameters())

    _inverse = _forward

    def _forward_log_det_jacobian(self, x):
        return settled(self._parameters(), self.scale, self.log_scale)

    _inverse_log_det_jacobian = _forward_log_det_jacobian
