"""What only arranges tensors, by TensorFlow's name for these: dtypes stay, sizes move.

Source: https://www.tensorflow.org/api_docs/python/tf.
"""

import numpy as np
from tensorflow.tensors import Tensor, TensorShape, made, tensor
from tensorflow.tensors import unknown as _unknown

from arraytyping import facts


def _size(size):
    return facts.size("size") if isinstance(size, Tensor) else size


def sizes_of(shape):
    if isinstance(shape, TensorShape):
        return tuple(shape)
    if isinstance(shape, int):
        return (shape,)
    return tuple([_size(size) for size in shape])


def reshape(tensor, shape, name=None):
    if not isinstance(tensor, Tensor):
        return _unknown("reshape")
    if not isinstance(shape, Tensor):
        return Tensor(tensor._array.reshape(sizes_of(shape)))
    return made(tensor._array.dtype, [None] * shape._array.shape[0] if facts.axes(shape._array) == 1 else None)


def expand_dims(input, axis, name=None):
    found = tensor(input)
    return _unknown("expand_dims") if found is None else Tensor(np.expand_dims(found._array, axis))


def squeeze(input, axis=None, name=None):
    found = tensor(input)
    axis = tuple(axis) if isinstance(axis, list) else axis
    return _unknown("squeeze") if found is None else Tensor(np.squeeze(found._array, axis))


def transpose(a, perm=None, conjugate=False, name=None):
    found = tensor(a)
    return _unknown("transpose") if found is None else Tensor(np.transpose(found._array, perm))


def _arrays(values):
    found = [tensor(value) for value in values]
    first = found[0]
    if all([one is not None and one._array.dtype == first._array.dtype for one in found]):
        return [one._array for one in found]
    return None


def concat(values, axis, name=None):
    if isinstance(values, (list, tuple)) and any([isinstance(value, TensorShape) for value in values]):
        if all([isinstance(value, (TensorShape, list, tuple)) for value in values]):
            return TensorShape([size for value in values for size in value])
    arrays = _arrays(values) if isinstance(values, (list, tuple)) else None
    return _unknown("concat") if arrays is None else Tensor(np.concatenate(arrays, axis))


def stack(values, axis=0, name=None):
    arrays = _arrays(values) if isinstance(values, (list, tuple)) else None
    return _unknown("stack") if arrays is None else Tensor(np.stack(arrays, axis))


def tile(input, multiples, name=None):
    found = tensor(input)
    if found is None or isinstance(multiples, Tensor):
        return _unknown("tile")
    return Tensor(np.tile(found._array, sizes_of(multiples)))


def repeat(input, repeats, axis=None, name=None):
    found = tensor(input)
    if found is None or not isinstance(repeats, int):
        return _unknown("repeat")
    return Tensor(np.repeat(found._array, repeats, axis))


def pad(tensor, paddings, mode="CONSTANT", constant_values=0, name=None):
    if not isinstance(tensor, Tensor) or isinstance(paddings, Tensor):
        return _unknown("pad")
    return Tensor(np.pad(tensor._array, [tuple(sizes_of(one)) for one in paddings]))


def broadcast_to(input, shape, name=None):
    found = tensor(input)
    if found is None or isinstance(shape, Tensor):
        return _unknown("broadcast_to")
    return made(found._array.dtype, sizes_of(shape))


def gather(params, indices, validate_indices=None, axis=0, batch_dims=0, name=None):
    values, places = tensor(params), tensor(indices)
    if values is None or places is None or batch_dims != 0:
        return _unknown("gather")
    return Tensor(np.take(values._array, places._array, axis if isinstance(axis, int) else 0))


def slice(input_, begin, size, name=None):
    found = tensor(input_)
    if found is None:
        return _unknown("slice")
    if isinstance(begin, Tensor) or isinstance(size, Tensor):
        return made(found._array.dtype, [None] * len(found.shape))
    return made(found._array.dtype, [None if isinstance(n, Tensor) or n == -1 else n for n in size])


def unstack(value, num=None, axis=0, name=None):
    found = tensor(value)
    if found is None or axis != 0:
        return _unknown("unstack")
    return [found[at] for at in np.arange(len(found)).tolist()]


def split(value, num_or_size_splits, axis=0, num=None, name=None):
    found = tensor(value)
    if found is None or isinstance(num_or_size_splits, Tensor):
        return _unknown("split")
    if isinstance(num_or_size_splits, int):
        return [Tensor(part) for part in np.split(found._array, num_or_size_splits, axis)]
    parts = []
    for size in num_or_size_splits:
        sizes = list(found.shape)
        sizes[axis] = None if isinstance(size, Tensor) or size == -1 else size
        parts.append(made(found._array.dtype, sizes))
    return parts


def ensure_shape(x, shape, name=None):
    found = tensor(x)
    if found is None:
        return _unknown("ensure_shape")
    kept = Tensor(found._array)
    kept.set_shape(shape)
    return kept


def reverse(tensor, axis, name=None):
    return Tensor(tensor._array) if isinstance(tensor, Tensor) else _unknown("reverse")


def roll(input, shift, axis, name=None):
    return reverse(input, axis)


def sort(values, axis=-1, direction="ASCENDING", name=None):
    return reverse(values, axis)


def argsort(values, axis=-1, direction="ASCENDING", stable=False, name=None):
    return made("int32", values.shape) if isinstance(values, Tensor) else _unknown("argsort")


def boolean_mask(tensor, mask, axis=None, name="boolean_mask"):
    if not isinstance(tensor, Tensor) or not isinstance(mask, Tensor) or axis not in (None, 0):
        return _unknown("boolean_mask")
    return made(tensor._array.dtype, (None, *tensor._array.shape[len(mask.shape):]))
