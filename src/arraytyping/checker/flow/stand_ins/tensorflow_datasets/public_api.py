"""`tensorflow_datasets.public_api`: the names of the package.

Source: https://github.com/tensorflow/datasets/blob/master/tensorflow_datasets/public_api.py.
"""

from tensorflow_datasets import as_numpy, builder, core, decode, even_splits, load, split_for_jax_process

from arraytyping import facts


def __getattr__(name):
    return facts.reads_only("tensorflow_datasets." + name)
