"""`tensorflow_probability`: what is in it for JAX, under `substrates`.

Source: https://www.tensorflow.org/probability/api_docs/python/tfp.
"""

from arraytyping import facts


def __getattr__(name):
    return facts.unknown("tensorflow_probability." + name)
