"""Tensors of texts: of these it is known at most that there is one.

Source: https://www.tensorflow.org/api_docs/python/tf/strings.
"""

from tensorflow.tensors import DType, TensorShape

from arraytyping import facts

STRING = DType("string")


class Text:
    """One text: a record of a file, the name of one, or a feature of an example."""

    shape, ndim, dtype = TensorShape(()), 0, STRING

    def get_shape(self):
        return self.shape

    def _other(self, *others):
        return facts.reads_only("a text of tensorflow")

    __add__ = __radd__ = __eq__ = __ne__ = __getitem__ = _other

    def __getattr__(self, name):
        return facts.reads_only("a text of tensorflow")


def texts(shape):
    """Texts of a shape."""
    return Text() if len(shape) == 0 else facts.reads_only("a text of tensorflow")
