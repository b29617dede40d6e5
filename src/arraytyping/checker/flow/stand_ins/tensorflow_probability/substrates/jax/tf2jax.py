"""`tfp.tf2jax`: shapes as TensorFlow has them.

Source: https://www.tensorflow.org/api_docs/python/tf/TensorShape.
"""

import math

from arraytyping import facts


class TensorShape:
    def __init__(self, dims):
        self._dims = tuple(dims)

    @property
    def rank(self):
        return len(self._dims)

    ndims = rank

    @property
    def dims(self):
        return list(self._dims)

    def as_list(self):
        return list(self._dims)

    def __len__(self):
        return len(self._dims)

    def __iter__(self):
        return iter(self._dims)

    def __bool__(self):
        return True

    def __getitem__(self, key):
        found = self._dims[key]
        return TensorShape(found) if isinstance(key, slice) else found

    def concatenate(self, other):
        return TensorShape((*self._dims, *other))

    __add__ = concatenate

    def __radd__(self, other):
        return TensorShape((*other, *self._dims))

    def __eq__(self, other):
        return self._dims == tuple(other)

    def is_fully_defined(self):
        return True

    def num_elements(self):
        return math.prod(self._dims)


def __getattr__(name):
    return facts.unknown("tfp.tf2jax." + name)
