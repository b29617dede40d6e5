"""What all bijectors have: the public methods, which ask those with an underscore.

What comes of `forward` is remembered by tfp: `inverse` of that very array is the array that was given, of whatever dtype
and shape.  So `inverse` is known only as long as no bijector of the class has changed a dtype or a shape.

Source: https://www.tensorflow.org/probability/api_docs/python/tfp/bijectors/Bijector.
"""

import jax
import jax.numpy as jnp
from tensorflow_probability.substrates.jax.tensors import argument
from tensorflow_probability.substrates.jax.tf2jax import TensorShape

from arraytyping import facts

_CHANGED = {}
"""Whether the bijectors of a class have changed a shape, a dtype or a weak type."""


def _not_said(what):
    return facts.unknown("what a bijector of tfp gives: " + what)


class Bijector:
    def __init__(
        self, graph_parents=None, is_constant_jacobian=False, validate_args=False, dtype=None,
        forward_min_event_ndims=0, inverse_min_event_ndims=0, experimental_use_kahan_sum=False, parameters=None,
        name=None,
    ):  # fmt: skip
        self.is_constant_jacobian = is_constant_jacobian
        self.validate_args = validate_args
        self.dtype = dtype
        self.forward_min_event_ndims = forward_min_event_ndims
        self.inverse_min_event_ndims = inverse_min_event_ndims
        self._least_of_forward, self._least_of_inverse = forward_min_event_ndims, inverse_min_event_ndims
        self._given = parameters
        self.name = facts.text() if name is None else name

    @property
    def parameters(self):
        return _not_said("parameters") if self._given is None else self._given

    def _keeps(self, shape):
        """Whether it takes samples of such a shape to samples of the same shape."""
        return _not_said("what shape a bijector of the program gives")

    def _has(self, name):
        return getattr(type(self), name) is not getattr(Bijector, name)

    def _forward(self, x, **options):
        return _not_said("forward")

    def _inverse(self, y, **options):
        return _not_said("inverse")

    def _forward_log_det_jacobian(self, x, **options):
        return _not_said("forward_log_det_jacobian")

    def _inverse_log_det_jacobian(self, y, **options):
        return _not_said("inverse_log_det_jacobian")

    def _remembered(self, method, given, options):
        """What a method gives, of an array of one kind with what it is given, else nothing is known of the way back."""
        if _CHANGED.get(type(self), False):
            return _not_said("what it remembers")
        given = argument(given, self.dtype)
        made = method(given, **options)
        if isinstance(given, jax.Array) and isinstance(made, jax.Array):
            if (given.shape, given.dtype, given.weak_type) != (made.shape, made.dtype, made.weak_type):
                _CHANGED[type(self)] = True
        else:
            _CHANGED[type(self)] = True
        return made

    def forward(self, x, name="forward", **options):
        return self._remembered(self._forward, x, options)

    def inverse(self, y, name="inverse", **options):
        return self._remembered(self._inverse, y, options)

    def _reduced(self, found, given, axes, least):
        """The sum over the axes of an event, of which a bijector has seen so many itself."""
        axes = least if axes is None else axes
        if axes == least:
            return found
        event = jnp.shape(given)[jnp.ndim(given) - axes : jnp.ndim(given) - least]
        return jnp.sum(found + jnp.zeros(event, found.dtype), axis=tuple(range(least - axes, 0)))

    def forward_log_det_jacobian(self, x, event_ndims=None, name=None, **options):
        x = argument(x, self.dtype)
        if self._has("_forward_log_det_jacobian") or not self._has("_inverse_log_det_jacobian"):
            found = self._forward_log_det_jacobian(x, **options)
        else:
            found = -self._inverse_log_det_jacobian(self._forward(x, **options), **options)
        return self._reduced(found, x, event_ndims, self._least_of_forward)

    def inverse_log_det_jacobian(self, y, event_ndims=None, name=None, **options):
        y = argument(y, self.dtype)
        if self._has("_inverse_log_det_jacobian") or not self._has("_forward_log_det_jacobian"):
            found = self._inverse_log_det_jacobian(y, **options)
        else:
            found = -self._forward_log_det_jacobian(self._inverse(y, **options), **options)
        return self._reduced(found, y, event_ndims, self._least_of_inverse)

    def _forward_event_shape(self, input_shape):
        return _not_said("forward_event_shape")

    def _inverse_event_shape(self, output_shape):
        return _not_said("inverse_event_shape")

    def forward_event_shape(self, input_shape):
        return TensorShape(self._forward_event_shape(TensorShape(input_shape)))

    def inverse_event_shape(self, output_shape):
        return TensorShape(self._inverse_event_shape(TensorShape(output_shape)))

    def forward_dtype(self, dtype=None, name=None, **options):
        return _not_said("forward_dtype")

    def inverse_dtype(self, dtype=None, name=None, **options):
        return _not_said("inverse_dtype")

    def copy(self, **changed):
        return _not_said("copy")

    def __call__(self, value, name=None, **options):
        from tensorflow_probability.substrates.jax.bijectors.compounds import Chain
        from tensorflow_probability.substrates.jax.distributions.base import Distribution
        from tensorflow_probability.substrates.jax.distributions.compounds import TransformedDistribution

        if isinstance(value, Distribution):
            return TransformedDistribution(distribution=value, bijector=self)
        if isinstance(value, Bijector):
            return Chain([self, value])
        return self.forward(value, **options)
