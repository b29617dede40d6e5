"""`tf.data`: what one element of a data set is, and what becomes of it.

Source: https://www.tensorflow.org/api_docs/python/tf/data/Dataset.
"""

import numpy as np
from tensorflow.tensors import DType, Tensor, made, over
from tensorflow.texts import Text

from arraytyping import facts

AUTOTUNE = -1


def _any_of(datasets):
    """One with an element of any of these."""
    return Dataset(facts.one_of(*[data.one for data in datasets]))


class experimental:
    AUTOTUNE = -1
    sample_from_datasets = staticmethod(lambda datasets, *args, **options: _any_of(datasets))
    choose_from_datasets = staticmethod(lambda datasets, *args, **options: _any_of(datasets))
    Options = staticmethod(lambda: Options())


class Options:
    """Of which a program sets attributes of attributes."""

    def __getattr__(self, name):
        return facts.reads_only("tensorflow.data.Options")

    def __setattr__(self, name, value):
        pass


def _called(function, element):
    """What a function gives for an element: a tuple is several arguments."""
    if isinstance(element, (Tensor, Text, dict)):
        return function(element)
    return function(*element) if isinstance(element, tuple) else function(element)


def _elements(value, shape_of):
    """Tensors for the arrays in a structure, each of the shape that is made of the array's."""
    if isinstance(value, Tensor):
        return _elements(value.numpy(), shape_of)
    if isinstance(value, str) or (isinstance(value, list) and isinstance(facts.one_item(value), str)):
        return Text()
    if isinstance(value, np.ndarray):
        return Tensor(facts.numpy_array(value.dtype, shape_of(value.shape)))
    if isinstance(value, dict):
        return {key: _elements(part, shape_of) for key, part in value.items()}
    if isinstance(value, tuple):
        return tuple([_elements(part, shape_of) for part in value])
    return facts.reads_only("an element of tensorflow's data")


def _whole(value):
    return _elements(value, lambda shape: shape)


def _sliced(value):
    return _elements(value, lambda shape: shape[1:])


def _typed(types, shapes):
    """Tensors of dtypes and shapes that are said apart from each other."""
    if isinstance(types, DType):
        return facts.reads_only("a text of tensorflow") if types.name == "string" else made(types.name, shapes)
    if isinstance(types, dict):
        return {key: _typed(one, shapes[key] if isinstance(shapes, dict) else None) for key, one in types.items()}
    if isinstance(types, (tuple, list)):
        inner = shapes if isinstance(shapes, (tuple, list)) else [None] * len(types)
        return tuple([_typed(one, shape) for one, shape in zip(types, inner)])
    return None


def _padded(value, shapes, rows):
    """So many tensors, each of the sizes that are said, and of what the longest needs where it is None or -1."""
    if isinstance(value, Tensor):
        sizes = [facts.size("padded") if n is None or n == -1 else n for n in shapes]
        return Tensor(facts.numpy_array(value.numpy().dtype, (rows, *sizes)))
    if isinstance(value, dict) and isinstance(shapes, dict):
        return {key: _padded(part, shapes[key], rows) for key, part in value.items()}
    if isinstance(value, tuple) and isinstance(shapes, tuple):
        return tuple([_padded(part, inner, rows) for part, inner in zip(value, shapes)])
    return facts.reads_only("an element of tensorflow's data")


class Dataset:
    def __init__(self, element=None):
        self.one = facts.reads_only("an element of tensorflow's data") if element is None else element

    @classmethod
    def from_tensor_slices(cls, tensors, name=None):
        return Dataset(_sliced(tensors))

    @classmethod
    def from_tensors(cls, tensors, name=None):
        return Dataset(_whole(tensors))

    @classmethod
    def from_generator(cls, generator, output_types=None, output_shapes=None, args=None, output_signature=None, **options):
        facts.call_with_anything(generator)
        if output_signature is None:
            return Dataset(_typed(output_types, output_shapes))
        return Dataset(over(lambda tensor: tensor, output_signature))

    @classmethod
    def range(cls, *limits, output_type=None, name=None):
        return Dataset(Tensor(facts.numpy_array("int64" if output_type is None else output_type.name, ())))

    @classmethod
    def list_files(cls, *args, **options):
        return Dataset(Text())

    @classmethod
    def sample_from_datasets(cls, datasets, *args, **options):
        return _any_of(datasets)

    @classmethod
    def choose_from_datasets(cls, datasets, *args, **options):
        return _any_of(datasets)

    @classmethod
    def zip(cls, *datasets, **options):
        parts = datasets[0] if isinstance(datasets[0], tuple) else datasets
        return Dataset(tuple([part.one for part in parts]))

    def batch(self, batch_size, drop_remainder=False, **options):
        n = batch_size if drop_remainder else facts.size("batch", 1)
        return Dataset(over(lambda t: Tensor(facts.numpy_array(t.numpy().dtype, (n, *t.shape))), self.one))

    def padded_batch(self, batch_size, padded_shapes=None, padding_values=None, drop_remainder=False, name=None):
        n = batch_size if drop_remainder else facts.size("batch", 1)
        if padded_shapes is None:
            padded_shapes = over(lambda t: [None] * len(t.shape), self.one)
        return Dataset(_padded(self.one, padded_shapes, n))

    def unbatch(self, name=None):
        return Dataset(_sliced(self.one))

    def map(self, map_func, num_parallel_calls=None, deterministic=None, **options):
        made = _called(map_func, self.one)
        return Dataset(over(lambda tensor: tensor, made))

    def interleave(self, map_func, *args, **options):
        return self.flat_map(map_func)

    def flat_map(self, map_func, name=None):
        made = _called(map_func, self.one)
        return Dataset(made.one)

    def enumerate(self, start=0, name=None):
        return Dataset((Tensor(facts.numpy_array("int64", ())), self.one))

    def apply(self, transformation_func):
        return Dataset(transformation_func(self).one)

    def filter(self, predicate, name=None):
        _called(predicate, self.one)
        return Dataset(self.one)

    take_while = filter

    def concatenate(self, dataset, name=None):
        return _any_of([self, dataset])

    def _same(self, *args, **options):
        return Dataset(self.one)

    repeat = shuffle = prefetch = cache = take = skip = shard = with_options = ignore_errors = rebatch = _same
    snapshot = unique = _same

    def options(self):
        return Options()

    @property
    def element_spec(self):
        return self.one

    def get_single_element(self, name=None):
        return self.one

    def cardinality(self, name=None):
        return Tensor(facts.numpy_array("int64", ()))

    def __iter__(self):
        return iter(facts.many(self.one))

    def as_numpy_iterator(self):
        return iter(facts.many(over(lambda tensor: tensor.numpy(), self.one)))

    def __len__(self):
        return _Length(facts.numpy_array("int64", ()))


class _Length(Tensor):
    """What `__len__` itself gives is a tensor, of which `len` takes the number."""

    def __index__(self):
        return facts.size("batches")


def TFRecordDataset(filenames, *args, **options):
    return Dataset(Text())


def TextLineDataset(filenames, *args, **options):
    return Dataset(Text())


def __getattr__(name):
    return facts.reads_only("tensorflow.data." + name)
