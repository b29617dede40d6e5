"""`keras`: of its parts, `datasets` is known."""

from keras import datasets

from arraytyping import facts


def __getattr__(name):
    return facts.unknown("keras." + name)
