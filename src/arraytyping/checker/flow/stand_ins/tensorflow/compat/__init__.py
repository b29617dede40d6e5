"""`tensorflow.compat`: TensorFlow under the names of its two versions.

Source: https://www.tensorflow.org/api_docs/python/tf/compat.
"""

from tensorflow.compat import v1, v2


def __getattr__(name):
    from arraytyping import facts

    return facts.reads_only("tensorflow.compat." + name)
