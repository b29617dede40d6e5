"""`tensorflow_probability.substrates.jax.bijectors`: bijectors by the arrays that their methods give.

Source: https://www.tensorflow.org/probability/api_docs/python/tfp/bijectors.
"""

from tensorflow_probability.substrates.jax.bijectors.base import Bijector
from tensorflow_probability.substrates.jax.bijectors.compounds import Chain, Invert
from tensorflow_probability.substrates.jax.bijectors.elementwise import (
    AutoCompositeTensorBijector,
    Exp,
    Expm1,
    Identity,
    Log,
    Log1p,
    NormalCDF,
    Scale,
    Shift,
    Sigmoid,
    Softplus,
    Softsign,
    Tanh,
)

from arraytyping import facts


def __getattr__(name):
    return facts.unknown("tfb." + name)
