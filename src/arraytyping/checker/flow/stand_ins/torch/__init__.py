"""`torch`: tensors as far as data that goes to JAX needs them.

Source: https://docs.pytorch.org/docs/stable/tensors.html.
"""

import numpy as np

from arraytyping import facts


class Tensor:
    def __init__(self, *args, **options):
        self._array = facts.numpy_array(None, None)

    @property
    def shape(self):
        return self._array.shape

    def size(self, dim=None):
        return self._array.shape if dim is None else self._array.shape[dim]

    def numpy(self, **options):
        return self._array

    def __array__(self):
        return self._array

    def __len__(self):
        return len(self._array)

    def detach(self):
        return tensor_of(self._array)

    cpu = contiguous = clone = detach

    def _as(self, dtype):
        return tensor_of(facts.numpy_array(dtype, self._array.shape))

    def float(self):
        return self._as("float32")

    def double(self):
        return self._as("float64")

    def half(self):
        return self._as("float16")

    def byte(self):
        return self._as("uint8")

    def short(self):
        return self._as("int16")

    def int(self):
        return self._as("int32")

    def long(self):
        return self._as("int64")

    def bool(self):
        return self._as("bool")

    def view(self, *sizes):
        if not all(isinstance(size, (int, tuple, list)) for size in sizes):
            return facts.unknown("a tensor of another dtype")
        return tensor_of(self._array.reshape(*sizes))

    reshape = view

    def t(self):
        return tensor_of(self._array.T)

    def transpose(self, dim0, dim1):
        return tensor_of(np.swapaxes(self._array, dim0, dim1))

    swapaxes = transpose

    def permute(self, *dims):
        return tensor_of(np.transpose(self._array, dims[0] if isinstance(dims[0], (tuple, list)) else dims))

    def squeeze(self, dim=None):
        if dim is None or self._array.shape[dim] == 1:
            return tensor_of(np.squeeze(self._array, dim))
        return self

    def unsqueeze(self, dim):
        return tensor_of(np.expand_dims(self._array, dim))

    def flatten(self, start_dim=0, end_dim=-1):
        if end_dim != -1:
            return facts.unknown("a tensor of which some dimensions are one")
        return tensor_of(self._array.reshape((*self._array.shape[:start_dim], -1)))

    def _with_number(self, number):
        """With a number of Python: it changes the dtype where it is of a higher sort."""
        kind = self._array.dtype.kind
        if kind == "f" or (kind in "iu" and isinstance(number, int)):
            return self._as(self._array.dtype)
        if kind in "iu" and isinstance(number, float):
            return self._as(None)  # the default dtype of torch
        return facts.unknown("an operator on a tensor")

    def __mul__(self, number):
        return self._with_number(number) if isinstance(number, (int, float)) else facts.unknown("a product of tensors")

    __add__ = __sub__ = __radd__ = __rsub__ = __rmul__ = __mul__

    def __truediv__(self, number):
        if self._array.dtype.kind == "f" and isinstance(number, (int, float)):
            return self._as(self._array.dtype)
        return facts.unknown("a quotient of tensors")


def tensor_of(array):
    """The tensor that has the elements of an array of NumPy."""
    made = Tensor()
    made._array = array
    return made


def from_numpy(array):
    return tensor_of(array)


def _filled(*size, dtype=None, **options):
    sizes = size[0] if len(size) == 1 and isinstance(size[0], (tuple, list)) else size
    if dtype is not None or "size" in options:
        return facts.unknown("a tensor of torch")
    return tensor_of(facts.numpy_array(None, tuple(sizes)))


zeros = ones = rand = randn = empty = _filled


def __getattr__(name):
    return facts.unknown("torch." + name)
