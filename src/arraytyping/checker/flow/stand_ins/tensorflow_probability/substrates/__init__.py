"""`tensorflow_probability.substrates`: the same library on other arrays than TensorFlow's.

Source: https://www.tensorflow.org/probability/examples/TensorFlow_Probability_on_JAX.
"""

from arraytyping import facts


def __getattr__(name):
    return facts.unknown("tensorflow_probability.substrates." + name)
