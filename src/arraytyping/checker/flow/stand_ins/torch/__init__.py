"""`torch`: tensors as far as data that goes to JAX needs them.

Source: https://docs.pytorch.org/docs/stable/tensors.html.
"""

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

    def float(self):
        return tensor_of(facts.numpy_array("float32", self._array.shape))

    def long(self):
        return tensor_of(facts.numpy_array("int64", self._array.shape))


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
