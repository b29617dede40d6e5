"""`tensorflow_probability.substrates.jax`: distributions and bijectors on JAX's arrays.

Source: https://www.tensorflow.org/probability/examples/TensorFlow_Probability_on_JAX.
"""

from tensorflow_probability.substrates.jax import bijectors, distributions, tf2jax

from arraytyping import facts


def __getattr__(name):
    return facts.unknown("tfp." + name)
