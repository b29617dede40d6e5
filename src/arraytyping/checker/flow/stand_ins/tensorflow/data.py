"""`tf.data`: what one element of a data set is, and what becomes of it.

Source: https://www.tensorflow.org/api_docs/python/tf/data/Dataset.
"""

import numpy as np
from tensorflow import Tensor

from arraytyping import facts

AUTOTUNE = -1


def over(change, structure):
    """A structure with each tensor changed; what is no tensor of known kind is unknown."""
    if isinstance(structure, Tensor):
        return change(structure)
    if isinstance(structure, dict):
        return {key: over(change, value) for key, value in structure.items()}
    if isinstance(structure, (tuple, list)):
        return tuple([over(change, value) for value in structure])
    return facts.reads_only("an element of tensorflow's data")


def _sliced(value):
    if isinstance(value, Tensor):
        return Tensor(facts.numpy_array(value.numpy().dtype, value.shape[1:]))
    if isinstance(value, np.ndarray):
        return Tensor(facts.numpy_array(value.dtype, value.shape[1:]))
    if isinstance(value, dict):
        return {key: _sliced(part) for key, part in value.items()}
    if isinstance(value, tuple):
        return tuple([_sliced(part) for part in value])
    return facts.reads_only("an element of tensorflow's data")


class Dataset:
    def __init__(self, element=None):
        self.one = facts.reads_only("an element of tensorflow's data") if element is None else element

    @classmethod
    def from_tensor_slices(cls, tensors, name=None):
        return Dataset(_sliced(tensors))

    @classmethod
    def zip(cls, *datasets, **options):
        parts = datasets[0] if isinstance(datasets[0], tuple) else datasets
        return Dataset(tuple([part.one for part in parts]))

    def batch(self, batch_size, drop_remainder=False, **options):
        n = batch_size if drop_remainder else facts.size("batch", 1)
        return Dataset(over(lambda t: Tensor(facts.numpy_array(t.numpy().dtype, (n, *t.shape))), self.one))

    def unbatch(self, name=None):
        return Dataset(_sliced(self.one))

    def map(self, map_func, num_parallel_calls=None, deterministic=None, **options):
        made = map_func(*self.one) if isinstance(self.one, tuple) else map_func(self.one)
        return Dataset(over(lambda tensor: tensor, made))

    def _same(self, *args, **options):
        return Dataset(self.one)

    repeat = shuffle = prefetch = cache = take = skip = shard = filter = with_options = _same

    def __iter__(self):
        return iter(facts.many(self.one))

    def as_numpy_iterator(self):
        return iter(facts.many(over(lambda tensor: tensor.numpy(), self.one)))

    def __len__(self):
        return facts.size("batches")


def __getattr__(name):
    return facts.reads_only("tensorflow.data." + name)
