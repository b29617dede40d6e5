"""`tensorflow`: nothing that it is given is changed; tensors and `tf.data` are known as far as data sets need them.

Source: https://www.tensorflow.org/api_docs/python/tf.
"""

from arraytyping import facts


class DType:
    def __init__(self, name):
        self.name = name


float16, float32, float64, bfloat16 = DType("float16"), DType("float32"), DType("float64"), DType("bfloat16")
int8, int16, int32, int64 = DType("int8"), DType("int16"), DType("int32"), DType("int64")
uint8, uint16, uint32, uint64 = DType("uint8"), DType("uint16"), DType("uint32"), DType("uint64")


def _name(dtype):
    return dtype.name if isinstance(dtype, DType) else dtype


class Tensor:
    def __init__(self, array):
        self._array = array

    @property
    def shape(self):
        return self._array.shape

    def numpy(self):
        return self._array

    def __array__(self):
        return self._array

    def __len__(self):
        return len(self._array)

    def __getitem__(self, index):
        return Tensor(self._array[index])

    def _with(self, other, combine):
        is_float = self._array.dtype in ("float16", "float32", "float64")
        if isinstance(other, (int, float)) and is_float:
            return Tensor(self._array)
        if isinstance(other, Tensor) and is_float and other._array.dtype == self._array.dtype:
            return Tensor(combine(self._array, other._array))
        return facts.reads_only("an operator of tensorflow")

    def __add__(self, other):
        return self._with(other, lambda a, b: a + b)

    def __sub__(self, other):
        return self._with(other, lambda a, b: a - b)

    def __mul__(self, other):
        return self._with(other, lambda a, b: a * b)

    def __truediv__(self, other):
        return self._with(other, lambda a, b: a / b)

    __radd__, __rmul__ = __add__, __mul__


def cast(x, dtype, name=None):
    if isinstance(x, Tensor):
        return Tensor(facts.numpy_array(_name(dtype), x.shape))
    return facts.reads_only("tensorflow.cast")


def reshape(tensor, shape, name=None):
    if isinstance(tensor, Tensor):
        return Tensor(tensor._array.reshape(tuple(shape)))
    return facts.reads_only("tensorflow.reshape")


def one_hot(indices, depth, on_value=None, off_value=None, axis=None, dtype=None, name=None):
    if isinstance(indices, Tensor) and on_value is None and off_value is None and axis is None:
        return Tensor(facts.numpy_array("float32" if dtype is None else _name(dtype), (*indices.shape, depth)))
    return facts.reads_only("tensorflow.one_hot")


def __getattr__(name):
    return facts.reads_only("tensorflow." + name)
