"""`tensorflow.sparse`: features of which each example has as many as it has.

Source: https://www.tensorflow.org/api_docs/python/tf/sparse.
"""

from tensorflow.tensors import TensorShape, made
from tensorflow.texts import texts

from arraytyping import facts


class SparseTensor:
    def __init__(self, name, shape):
        self._name, self._shape = name, shape

    @property
    def shape(self):
        return TensorShape(self._shape)

    @property
    def values(self):
        return _dense(self._name, (facts.size("n"),))

    def __getattr__(self, name):
        return facts.reads_only("a part of a sparse tensor")


def _dense(name, shape):
    return texts(shape) if name == "string" else made(name, shape)


def to_dense(sp_input, default_value=None, validate_indices=True, name=None):
    if not isinstance(sp_input, SparseTensor):
        return facts.reads_only("tensorflow.sparse.to_dense")
    return _dense(sp_input._name, sp_input._shape)


def __getattr__(name):
    return facts.reads_only("tensorflow.sparse." + name)
