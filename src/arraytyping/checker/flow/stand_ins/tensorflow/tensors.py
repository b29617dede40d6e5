"""Tensors of TensorFlow: arrays of one dtype, which nothing but a cast changes.

Source: https://www.tensorflow.org/api_docs/python/tf/Tensor and .../tf/TensorShape.
"""

import numpy as np

from arraytyping import facts

_FLOATS = ("float16", "bfloat16", "float32", "float64")


class DType:
    def __init__(self, name):
        self.name = name

    def __eq__(self, other):
        return self.name == name_of(other)

    def __ne__(self, other):
        return not self == other

    @property
    def is_floating(self):
        return self.name in _FLOATS

    @property
    def is_integer(self):
        return "int" in self.name

    @property
    def as_numpy_dtype(self):
        return np.dtype(self.name)


_NAMES = (
    "float16", "bfloat16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32",
    "uint64", "bool", "complex64", "complex128",
)  # fmt: skip
DTYPES = {name: DType(name) for name in _NAMES}


def unknown(name):
    """What a function of TensorFlow gives of which no more is said."""
    return facts.reads_only("tensorflow." + name)


def name_of(dtype):
    """The name of a dtype that may be given in several ways."""
    return dtype.name if isinstance(dtype, DType) else dtype


class TensorShape:
    def __init__(self, dims):
        self._dims = tuple(dims)

    def __getitem__(self, index):
        found = self._dims[index]
        return TensorShape(found) if isinstance(index, slice) else found

    def __len__(self):
        return len(self._dims)

    def __iter__(self):
        return iter(self._dims)

    def __add__(self, other):
        return TensorShape(self._dims + tuple(other))

    def __radd__(self, other):
        return tuple(other) + self._dims

    concatenate = __add__

    def __eq__(self, other):
        return facts.boolean()

    def __ne__(self, other):
        return facts.boolean()

    def as_list(self):
        return list(self._dims)

    @property
    def ndims(self):
        return len(self._dims)

    rank = ndims

    def num_elements(self):
        size = 1
        for dim in self._dims:
            size = size * dim
        return size

    def is_fully_defined(self):
        return facts.boolean()


def made(dtype, shape):
    """A tensor of a dtype and a shape."""
    if isinstance(shape, TensorShape):
        shape = shape._dims
    elif isinstance(shape, int):
        shape = (shape,)
    return Tensor(facts.numpy_array(dtype, None if shape is None else tuple(shape)))


def tensor(value, dtype=None):
    """What a function of TensorFlow takes a value for; Python's numbers are of 32 bits."""
    if isinstance(value, Tensor):
        return value
    if isinstance(value, TensorShape):
        return made("int32" if dtype is None else name_of(dtype), (len(value),))
    if isinstance(value, np.ndarray):
        return made(value.dtype if dtype is None else name_of(dtype), value.shape)
    if isinstance(value, (bool, int, float, list, tuple)):
        array = np.asarray(value)
        kind = "int32" if array.dtype == "int64" else "float32" if array.dtype == "float64" else array.dtype
        return made(kind if dtype is None else name_of(dtype), array.shape)
    return None


def _both(array, sizes):
    """The sizes that are said of an array, and its own where None is said."""
    if facts.axes(array) != len(sizes):
        return sizes
    return tuple([own if size is None else size for own, size in zip(array.shape, sizes)])


class Tensor:
    channels = None
    """Of images of which the axes are not known: how many channels they have."""

    def __init__(self, array):
        self._array = array

    @property
    def shape(self):
        return TensorShape(self._array.shape)

    @property
    def dtype(self):
        return DTYPES[str(self._array.dtype)]

    @property
    def ndim(self):
        return self._array.ndim

    def get_shape(self):
        return TensorShape(self._array.shape)

    def set_shape(self, shape):
        self._array = facts.numpy_array(self._array.dtype, _both(self._array, tuple(shape)))

    def numpy(self):
        return self._array

    _numpy = numpy

    def __array__(self, dtype=None):
        return self._array

    def __len__(self):
        return len(self._array)

    def __iter__(self):
        return iter(facts.many(Tensor(self._array[0])))

    def __getitem__(self, index):
        return Tensor(self._array[index])

    def __bool__(self):
        return facts.boolean()

    def __int__(self):
        return facts.integer()

    def __float__(self):
        return facts.number()

    def with_other(self, other, combine):
        """Of a number or of a tensor of the same dtype; TensorFlow refuses others."""
        if not isinstance(other, Tensor):
            if isinstance(other, (bool, int, float)):
                return made(self._array.dtype, self._array.shape)
            other = tensor(other)
        if other is not None and other._array.dtype == self._array.dtype:
            return made(self._array.dtype, combine(self._array, other._array).shape)
        return facts.reads_only("an operator of tensorflow")

    def compared(self, other):
        if not isinstance(other, Tensor):
            if isinstance(other, (bool, int, float)):
                return made("bool", self._array.shape)
            other = tensor(other)
        if other is not None:
            return made("bool", (self._array == other._array).shape)
        return facts.reads_only("a comparison of tensorflow")

    def __add__(self, other):
        return self.with_other(other, lambda a, b: a + b)

    def __mul__(self, other):
        return self.with_other(other, lambda a, b: a * b)

    __sub__ = __mod__ = __pow__ = __floordiv__ = __radd__ = __rsub__ = __rmod__ = __rpow__ = __rfloordiv__ = __add__
    __rmul__ = __imul__ = __mul__
    __iadd__ = __isub__ = __imod__ = __ipow__ = __ifloordiv__ = __add__  # of which there are none: a new one is bound

    def __truediv__(self, other):
        # Whole numbers become floats, of 32 or 64 bits by how many they have.
        if self._array.dtype in _FLOATS:
            return self.with_other(other, lambda a, b: a + b)
        return facts.reads_only("a division of whole numbers in tensorflow")

    __rtruediv__ = __itruediv__ = __truediv__

    def __matmul__(self, other):
        if isinstance(other, Tensor) and other._array.dtype == self._array.dtype:
            return made(self._array.dtype, np.matmul(self._array, other._array).shape)
        return facts.reads_only("an operator of tensorflow")

    def __neg__(self):
        return Tensor(self._array)

    def __abs__(self):
        return Tensor(self._array)

    def __eq__(self, other):
        return self.compared(other)

    def __lt__(self, other):
        return self.compared(other)

    __ne__ = __le__ = __gt__ = __ge__ = __and__ = __or__ = __xor__ = __lt__

    def __invert__(self):
        return made("bool", self._array.shape)


def over(change, structure):
    """A structure with each tensor changed; what is no tensor of known kind is unknown."""
    if isinstance(structure, Tensor):
        return change(structure)
    if isinstance(structure, dict):
        return {key: over(change, value) for key, value in structure.items()}
    if isinstance(structure, (tuple, list)):
        return tuple([over(change, value) for value in structure])
    if structure is None:
        return None
    return facts.reads_only("an element of tensorflow's data")
