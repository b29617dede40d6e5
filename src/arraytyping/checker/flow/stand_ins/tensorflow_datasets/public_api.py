"""`tensorflow_datasets.public_api`: the same names.

Source: https://github.com/tensorflow/datasets/blob/master/tensorflow_datasets/public_api.py.
"""

import tensorflow_datasets


def __getattr__(name):
    return getattr(tensorflow_datasets, name)
