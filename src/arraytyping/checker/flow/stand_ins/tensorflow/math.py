"""`tensorflow.math`, of which most is in `tensorflow` too: of each operation dtype and shape.

Source: https://www.tensorflow.org/api_docs/python/tf/math.
"""

import numpy as np
from tensorflow.tensors import Tensor, TensorShape, made, name_of, tensor
from tensorflow.tensors import unknown as _unknown

from arraytyping import facts


def identity(input, name=None):
    found = tensor(input)
    return _unknown("identity") if found is None else Tensor(found._array)


abs = exp = log = log1p = expm1 = sqrt = rsqrt = square = tanh = sigmoid = sin = cos = floor = ceil = round = sign = (
    identity
)
negative = stop_gradient = reciprocal = softplus = erf = identity


def zeros_like(input, dtype=None, name=None):
    found = tensor(input)
    if found is None:
        return _unknown("zeros_like")
    return made(found._array.dtype if dtype is None else name_of(dtype), found.shape)


ones_like = zeros_like


def clip_by_value(t, clip_value_min, clip_value_max, name=None):
    return identity(t)


def cast(x, dtype, name=None):
    found = tensor(x)
    return _unknown("cast") if found is None else made(name_of(dtype), found.shape)


def add(x, y, name=None):
    if isinstance(y, Tensor) and not isinstance(x, Tensor):
        return y + x
    found = tensor(x)
    return _unknown("an operation") if found is None else found + y


subtract = multiply = maximum = minimum = pow = floormod = floordiv = squared_difference = add


def divide(x, y, name=None):
    found = tensor(x)
    return _unknown("divide") if found is None else found / y


def equal(x, y, name=None):
    found = tensor(x)
    return _unknown("equal") if found is None else found.compared(y)


not_equal = less = less_equal = greater = greater_equal = logical_and = logical_or = equal


def logical_not(x, name=None):
    found = tensor(x)
    return _unknown("logical_not") if found is None else made("bool", found.shape)


is_nan = is_inf = is_finite = logical_not


def _axis(axis):
    return tuple(axis) if isinstance(axis, list) else axis


def reduce_sum(input_tensor, axis=None, keepdims=False, name=None):
    found = tensor(input_tensor)
    if found is None:
        return _unknown("a reduction")
    return made(found._array.dtype, found._array.max(axis=_axis(axis), keepdims=keepdims).shape)


reduce_mean = reduce_max = reduce_min = reduce_prod = reduce_std = reduce_variance = reduce_logsumexp = reduce_sum


def reduce_all(input_tensor, axis=None, keepdims=False, name=None):
    found = reduce_sum(input_tensor, axis, keepdims)
    return made("bool", found.shape) if isinstance(found, Tensor) else found


reduce_any = reduce_all


def argmax(input, axis=None, output_type="int64", name=None):
    found = tensor(input)
    if found is None:
        return _unknown("argmax")
    return made(name_of(output_type), found._array.max(axis=0 if axis is None else axis).shape)


argmin = argmax


def cumsum(x, axis=0, exclusive=False, reverse=False, name=None):
    return identity(x)


cumprod = cumsum


def shape(input, out_type=None, name=None):
    found = tensor(input)
    if found is None:
        return _unknown("shape")
    return made("int32", (None,)) if facts.axes(found._array) is None else TensorShape(found.shape)


def rank(input, name=None):
    found = tensor(input)
    return _unknown("rank") if found is None else len(found.shape)


def __getattr__(name):
    return facts.reads_only("tensorflow.math." + name)
