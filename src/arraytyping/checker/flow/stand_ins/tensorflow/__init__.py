"""`tensorflow`: nothing that it is given is changed; tensors are known as far as data sets need them.

Source: https://www.tensorflow.org/api_docs/python/tf.
"""

import functools

import numpy as np
from tensorflow.array_ops import (
    argsort, boolean_mask, broadcast_to, concat, ensure_shape, expand_dims, gather, pad, repeat, reshape, reverse,
    roll, sizes_of, slice, sort, split, squeeze, stack, tile, transpose, unstack,
)  # fmt: skip
from tensorflow.math import (
    abs, add, argmax, argmin, cast, clip_by_value, cos, cumsum, divide, equal, exp, floor, greater, greater_equal, identity,
    less, less_equal, logical_and, logical_not, logical_or, maximum, minimum, multiply, negative, not_equal, ones_like, pow,
    rank, reduce_all, reduce_any, reduce_max, reduce_mean, reduce_min, reduce_prod, reduce_sum, round, shape, sigmoid, sign,
    sin, sqrt, square, stop_gradient, subtract, tanh, zeros_like,
)  # fmt: skip
from tensorflow.tensors import DTYPES, DType, Tensor, TensorShape, made, name_of, over, tensor
from tensorflow.tensors import unknown as _unknown
from tensorflow.texts import STRING

from arraytyping import facts

float16, float32, float64, bfloat16 = DTYPES["float16"], DTYPES["float32"], DTYPES["float64"], DTYPES["bfloat16"]
int8, int16, int32, int64 = DTYPES["int8"], DTYPES["int16"], DTYPES["int32"], DTYPES["int64"]
uint8, uint16, uint32, uint64 = DTYPES["uint8"], DTYPES["uint16"], DTYPES["uint32"], DTYPES["uint64"]
bool, complex64, complex128, string = DTYPES["bool"], DTYPES["complex64"], DTYPES["complex128"], STRING

newaxis = None


def convert_to_tensor(value, dtype=None, *args, **options):
    found = tensor(value, dtype)
    return _unknown("convert_to_tensor") if found is None else found


def constant(value, dtype=None, shape=None, name=None):
    found = tensor(value, dtype)
    if found is None:
        return _unknown("constant")
    return found if shape is None else made(found._array.dtype, shape)


def zeros(shape, dtype="float32", name=None, **options):
    return _unknown("zeros") if isinstance(shape, Tensor) else made(name_of(dtype), sizes_of(shape))


ones = zeros


def fill(dims, value, name=None, **options):
    found = tensor(value)
    return _unknown("fill") if found is None or isinstance(dims, Tensor) else made(found._array.dtype, sizes_of(dims))


def eye(num_rows, num_columns=None, batch_shape=None, dtype="float32", name=None):
    if batch_shape is not None:
        return _unknown("eye")
    return made(name_of(dtype), (num_rows, num_rows if num_columns is None else num_columns))


def range(start, limit=None, delta=1, dtype=None, name=None):
    if isinstance(start, Tensor) or isinstance(limit, Tensor) or isinstance(delta, Tensor):
        return made(None if dtype is None else name_of(dtype), (facts.size("n"),))
    array = np.arange(start) if limit is None else np.arange(start, limit, delta)
    kind = "int32" if array.dtype == "int64" else "float32"
    return made(kind if dtype is None else name_of(dtype), array.shape)


def where(condition, x=None, y=None, name=None):
    if x is None or y is None:
        return _unknown("where")
    chosen = add(x, y)
    found = tensor(condition)
    if found is None or not isinstance(chosen, Tensor):
        return _unknown("where")
    return made(chosen._array.dtype, (found._array == chosen._array).shape)


def one_hot(indices, depth, on_value=None, off_value=None, axis=None, dtype=None, name=None):
    found = tensor(indices)
    if found is not None and on_value is None and off_value is None and axis is None:
        return made("float32" if dtype is None else name_of(dtype), (*found.shape, depth))
    return _unknown("one_hot")


def matmul(a, b, transpose_a=False, transpose_b=False, *args, **options):
    if isinstance(a, Tensor) and not transpose_a and not transpose_b:
        return a @ b
    return _unknown("matmul")


def cond(pred, true_fn=None, false_fn=None, name=None):
    one, other = true_fn(), false_fn()
    if isinstance(one, Tensor) and isinstance(other, TensorShape):
        other = tensor(other)
    elif isinstance(one, TensorShape) and isinstance(other, Tensor):
        one = tensor(one)
    return facts.one_of(one, other)


def function(func=None, input_signature=None, **options):
    if func is None:
        return lambda inner: function(inner, input_signature)

    @functools.wraps(func)
    def compiled(*args, **kwargs):
        if input_signature is not None:  # of which no size is known that the signature does not say
            if kwargs or len(args) < len(input_signature):
                return _unknown("function")
            args = (*args[: len(args) - len(input_signature)], *input_signature)
        return func(*map(_argument, args), **{name: _argument(value) for name, value in kwargs.items()})

    compiled.get_concrete_function = _unknown("function.get_concrete_function")
    return compiled


def _argument(value):
    """What a compiled function is given for an argument: a tensor for each array of NumPy in it."""
    if isinstance(value, np.ndarray):
        return convert_to_tensor(value)
    if isinstance(value, dict):
        return {key: _argument(item) for key, item in value.items()}
    if type(value) is tuple:
        return tuple([_argument(item) for item in value])
    return [_argument(item) for item in value] if type(value) is list else value


def TensorSpec(shape=None, dtype="float32", name=None):
    return made(name_of(dtype), shape)


class nest:
    @staticmethod
    def map_structure(func, *structures, **options):
        if len(structures) == 1:
            return over(func, structures[0])
        return _unknown("nest.map_structure")


def map_fn(fn, elems, dtype=None, parallel_iterations=None, back_prop=True, swap_memory=False, infer_shape=True,
           name=None, fn_output_signature=None):
    told = dtype if fn_output_signature is None else fn_output_signature
    if not isinstance(elems, Tensor) or not (told is None or isinstance(told, (DType, Tensor))):
        return _unknown("map_fn")
    mapped = fn(elems[0])
    if not isinstance(mapped, Tensor):
        return _unknown("map_fn")
    return made(mapped._array.dtype, (elems._array.shape[0], *mapped._array.shape))


def as_dtype(type_value):
    name = str(np.dtype(type_value)) if isinstance(type_value, (type, np.dtype)) else name_of(type_value)
    return STRING if name == "string" else DTYPES[name]


class dtypes:
    DType = DType
    float16, float32, float64, bfloat16 = float16, float32, float64, bfloat16
    int8, int16, int32, int64 = int8, int16, int32, int64
    uint8, uint16, uint32, uint64 = uint8, uint16, uint32, uint64
    bool, complex64, complex128, string = bool, complex64, complex128, string
    cast = staticmethod(cast)
    as_dtype = staticmethod(as_dtype)


class errors:
    NotFoundError = OutOfRangeError = InvalidArgumentError = Exception


def __getattr__(name):
    return facts.reads_only("tensorflow." + name)
