"""Bijectors that are made of other ones.

Source: https://www.tensorflow.org/probability/api_docs/python/tfp/bijectors, a page for each.
"""

from tensorflow_probability.substrates.jax.bijectors.base import Bijector
from tensorflow_probability.substrates.jax.bijectors.elementwise import AutoCompositeTensorBijector
from tensorflow_probability.substrates.jax.distributions.base import pytree
from tensorflow_probability.substrates.jax.tensors import joined

from arraytyping import facts


@pytree("bijectors")
class Chain(AutoCompositeTensorBijector):
    def __init__(self, bijectors=None, validate_args=False, validate_event_size=False, parameters=None, name=None):
        self.bijectors = [] if bijectors is None else list(bijectors)
        constant = True
        dtype = None
        for one in self.bijectors:
            constant = constant and one.is_constant_jacobian
            if dtype is None:
                dtype = one.dtype
            elif one.dtype is not None and one.dtype != dtype:
                dtype = facts.unknown("the dtype of a chain of bijectors of several dtypes")
            if one._least_of_forward != 0 or one._least_of_inverse != 0:
                self.bijectors = facts.unknown("bijectors of vectors in a chain")
                break
        super().__init__(dtype=dtype, is_constant_jacobian=constant, validate_args=validate_args, name=name)
        self.forward_min_event_ndims = facts.unknown("the axes of an event of a chain")
        self.inverse_min_event_ndims = facts.unknown("the axes of an event of a chain")

    def _keeps(self, shape):
        return all([one._keeps(shape) for one in self.bijectors])

    def _forward(self, x, **options):
        for one in reversed(self.bijectors):
            x = one.forward(x)
        return x

    def _inverse(self, y, **options):
        for one in self.bijectors:
            y = one.inverse(y)
        return y

    def forward_log_det_jacobian(self, x, event_ndims=None, name=None, **options):
        found = None
        for one in reversed(self.bijectors):
            found = joined(one.forward_log_det_jacobian(x, event_ndims), found)
            x = one.forward(x)
        return facts.unknown("a chain of no bijectors") if found is None else found

    def inverse_log_det_jacobian(self, y, event_ndims=None, name=None, **options):
        found = None
        for one in self.bijectors:
            found = joined(one.inverse_log_det_jacobian(y, event_ndims), found)
            y = one.inverse(y)
        return facts.unknown("a chain of no bijectors") if found is None else found

    def _forward_event_shape(self, input_shape):
        for one in reversed(self.bijectors):
            input_shape = one.forward_event_shape(input_shape)
        return input_shape

    def _inverse_event_shape(self, output_shape):
        for one in self.bijectors:
            output_shape = one.inverse_event_shape(output_shape)
        return output_shape


@pytree("bijector")
class Invert(AutoCompositeTensorBijector):
    def __init__(self, bijector, validate_args=False, parameters=None, name=None):
        self.bijector = bijector if isinstance(bijector, Bijector) else facts.unknown("what is no bijector of tfp")
        super().__init__(
            dtype=self.bijector.dtype, is_constant_jacobian=self.bijector.is_constant_jacobian,
            forward_min_event_ndims=self.bijector._least_of_inverse,
            inverse_min_event_ndims=self.bijector._least_of_forward, validate_args=validate_args, name=name,
        )  # fmt: skip

    def _keeps(self, shape):
        return self.bijector._keeps(shape)

    def forward(self, x, name="forward", **options):
        return self.bijector.inverse(x, **options)

    def inverse(self, y, name="inverse", **options):
        return self.bijector.forward(y, **options)

    def forward_log_det_jacobian(self, x, event_ndims=None, name=None, **options):
        return self.bijector.inverse_log_det_jacobian(x, event_ndims, **options)

    def inverse_log_det_jacobian(self, y, event_ndims=None, name=None, **options):
        return self.bijector.forward_log_det_jacobian(y, event_ndims, **options)

    def forward_event_shape(self, input_shape):
        return self.bijector.inverse_event_shape(input_shape)

    def inverse_event_shape(self, output_shape):
        return self.bijector.forward_event_shape(output_shape)
