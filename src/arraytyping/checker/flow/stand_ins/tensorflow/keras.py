"""`tensorflow.keras`: see `keras.datasets`."""

from keras import datasets

from arraytyping import facts


def __getattr__(name):
    return facts.reads_only("tensorflow.keras." + name)
