"""`tensorflow.random`: what is drawn has the shape and the dtype that are asked for.

Source: https://www.tensorflow.org/api_docs/python/tf/random.
"""

from tensorflow.tensors import Tensor, made, name_of, tensor

from arraytyping import facts


def uniform(shape, minval=0, maxval=None, dtype="float32", seed=None, name=None):
    return facts.reads_only("tensorflow.random") if isinstance(shape, Tensor) else made(name_of(dtype), shape)


def normal(shape, mean=0.0, stddev=1.0, dtype="float32", seed=None, name=None):
    return uniform(shape, dtype=dtype)


truncated_normal = normal


def stateless_uniform(shape, seed, minval=0, maxval=None, dtype="float32", name=None, alg="auto_select"):
    return uniform(shape, dtype=dtype)


def stateless_normal(shape, seed, mean=0.0, stddev=1.0, dtype="float32", name=None, alg="auto_select"):
    return uniform(shape, dtype=dtype)


stateless_truncated_normal = stateless_normal


def shuffle(value, seed=None, name=None):
    found = tensor(value)
    return facts.reads_only("tensorflow.random") if found is None else Tensor(found._array)


def set_seed(seed):
    return None


def split(seed, num=2, alg="auto_select"):
    return made("int32", (num, 2))


experimental_stateless_split = split


def fold_in(seed, data, alg="auto_select"):
    return made("int32", (2,))


def __getattr__(name):
    return facts.reads_only("tensorflow.random." + name)
