"""What random functions compute of the bits of a key, by the hash: more keys, and random bits.

Source: `_threefry_split_foldlike` and `_threefry_random_bits_partitionable` of
https://github.com/jax-ml/jax/blob/main/jax/_src/random/threefry2x32.py.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

import numpy as np

from arraytyping.basearray import Array
from arraytyping.random.key_arrays import PRNGKeyArray
from arraytyping.runtime.array_likes import array_from, concrete_int, convert_to
from arraytyping.runtime.calling import answered
from arraytyping.runtime.core import raised
from arraytyping.runtime.lax.aggregates import slice_along
from arraytyping.runtime.lax.arithmetic import constant_like
from arraytyping.runtime.lax.integers import bitwise_or_p, bitwise_xor_p, shift_left_p
from arraytyping.runtime.lax.slicing import concatenate_p
from arraytyping.runtime.lax.structure import reshape
from arraytyping.runtime.lax.threefry import counters, threefry2x32_p
from arraytyping.runtime.np_dtypes import dtype_name_of
from arraytyping.semantics.avals import NumPyArray, ShapedArray
from arraytyping.semantics.rules.errors import RuleError
from arraytyping.semantics.rules.random_arguments import key_shape, one_key

__all__ = ["bits_of", "key_bits", "keys_bits", "keys_of", "pairs", "sampler", "split_of", "two_keys", "words"]

P = ParamSpec("P")
R = TypeVar("R")


def keys_bits(operation: str, keys: Any) -> Any:
    """The bits of an array of keys, typed ones or bits already.

    Raises:
        TypeError: for what is neither.
    """
    if isinstance(keys, PRNGKeyArray):
        return keys._base_array
    given: Any = keys
    if isinstance(keys, Array):
        given = keys.aval
    elif isinstance(keys, np.ndarray | np.generic):
        given = NumPyArray(keys.shape, dtype_name_of(keys.dtype) or str(keys.dtype))
    try:
        key_shape(operation, given)
    except RuleError as error:
        raise raised(error) from None
    if given.shape[-1] != 2:
        raise TypeError(f"{operation} takes a key of 2 words, the bits of threefry2x32, got {given}")
    return array_from(keys)


def key_bits(operation: str, key: Any) -> Any:
    """The bits of a single key.

    Raises:
        TypeError: for what is no key.
        ValueError: for an array of keys.
    """
    data = keys_bits(operation, key)
    if len(data.aval.shape) != 1:
        try:
            one_key(operation, ShapedArray(data.aval.shape[:-1], "key<fry>"))
        except RuleError as error:
            raise raised(error) from None
    return data


def _static(value: Any) -> Any:
    """A static argument, with the ints that arrays in it hold in their place.

    Raises:
        ConcretizationTypeError: for a tracer.
    """
    if isinstance(value, Array):
        return concrete_int(value, "a size") if not value.ndim else value.tolist()  # type: ignore[attr-defined]
    if isinstance(value, tuple | list) and any(isinstance(v, Array) for v in value):
        return type(value)(map(_static, value))
    return value


def sampler(name: str, *arrays: str) -> Callable[[Callable[Concatenate[Any, P], R]], Callable[P, R]]:
    """Make a public random function of a body that takes the answer of the rule `random.<name>` and the key's bits."""

    def decorate(body: Callable[Concatenate[Any, P], R]) -> Callable[P, R]:
        call: Any = answered(f"random.{name}", "key", *arrays)(body)
        names = list(inspect.signature(call).parameters)[1:]

        @wraps(call)
        def sample(key: Any, *args: Any, **kwargs: Any) -> Any:
            given = [v if n in arrays else _static(v) for n, v in zip(names, args)]
            given += args[len(names) :]
            return call(key_bits(name, key), *given, **{n: v if n in arrays else _static(v) for n, v in kwargs.items()})

        sample.rule_name = f"random.{name}"  # type: ignore[attr-defined]
        return sample  # type: ignore[return-value]

    return decorate


def words(key: Any) -> tuple[Any, Any]:
    """The two words of a key."""
    return reshape(slice_along(key, 0, 1), ()), reshape(slice_along(key, 1, 2), ())


def pairs(first: Any, second: Any) -> Any:
    """The bits of keys, of their words."""
    shape = (*first.aval.shape, 1)
    return concatenate_p.bind(reshape(first, shape), reshape(second, shape), dimension=len(shape) - 1)


def split_of(key: Any, shape: tuple[int, ...] = (2,)) -> Any:
    """The bits of as many new keys."""
    return pairs(*threefry2x32_p.bind(*words(key), *counters(shape)))


def two_keys(key: Any) -> list[Any]:
    """The bits of two new keys."""
    return keys_of(key, 2)


def keys_of(key: Any, count: int) -> list[Any]:
    """The bits of new keys, one by one."""
    every = split_of(key, (count,))
    return [reshape(slice_along(every, i, i + 1), (2,)) for i in range(count)]


def bits_of(key: Any, width: int, shape: tuple[int, ...]) -> Any:
    """Random bits, as unsigned integers of this many."""
    high, low = threefry2x32_p.bind(*words(key), *counters(shape))
    if width == 64:
        high, low = convert_to(high, "uint64"), convert_to(low, "uint64")
        return bitwise_or_p.bind(shift_left_p.bind(high, constant_like(high, 32)), low)
    return convert_to(bitwise_xor_p.bind(high, low), f"uint{width}")
