"""Keys of random numbers: made of a seed, split, and folded with data.

Source: https://docs.jax.dev/en/latest/jax.random.html.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from arraytyping.basearray import Array
from arraytyping.numpy.conversion import asarray
from arraytyping.random.bits_of_keys import for_keys, key_bits, keys_bits, split_of, type_of_keys
from arraytyping.random.implementations import implementation_in_force, pairs, using
from arraytyping.random.key_arrays import PRNGKeyArray
from arraytyping.random.key_types import KeyTy, implementation
from arraytyping.runtime.array import array_of
from arraytyping.runtime.array_likes import array_from, convert_to
from arraytyping.runtime.calling import operation
from arraytyping.runtime.core import Tracer
from arraytyping.runtime.lax.arithmetic import constant_like
from arraytyping.runtime.lax.creation import full_of
from arraytyping.runtime.lax.integers import shift_right_logical_p
from arraytyping.scalars import KINDS, bits
from arraytyping.semantics.avals import ShapedArray

__all__ = [
    "PRNGKey", "clone", "fold_in", "key", "key_data", "key_dtype", "key_impl", "split", "wrap_key_data",
]  # fmt: skip


def _seeded(function: str, seed: Any) -> Any:
    """The bits of the key that a seed makes: its high and its low 32 bits."""
    if isinstance(seed, PRNGKeyArray):
        raise TypeError(f"{function} accepts a scalar seed, but was given a PRNG key; use random.clone to copy one")
    if isinstance(seed, int):
        if not -(1 << 63) <= seed < 1 << 63:
            raise OverflowError(f"{function}: the seed {seed} does not fit into 64 bits; give a smaller one")
        seed = np.int64(seed)
    if np.ndim(seed) if not isinstance(seed, Array) else seed.ndim:  # type: ignore[attr-defined]
        raise TypeError(
            f"{function} accepts a scalar seed, but was given an array of shape {np.shape(seed)} != (); use vmap for "
            "batching"
        )
    array = array_from(seed)
    dtype = array.aval.dtype
    if KINDS[dtype] not in "iu":
        raise TypeError(f"PRNG key seed must be an integer; got {array.aval}")
    if not isinstance(array, Tracer):
        value = int(array._literal() if hasattr(array, "_literal") else array.value)
        return array_of(
            np.array([(value >> 32 if bits(dtype) == 64 else 0) & 0xFFFFFFFF, value & 0xFFFFFFFF], np.uint32)
        )
    if bits(dtype) == 64:
        high = convert_to(shift_right_logical_p.bind(array, constant_like(array, 32)), "uint32")
    else:
        high = full_of(0, ShapedArray((), "uint32", False))
    return pairs(high, convert_to(array, "uint32"))


def _made(function: str, seed: Any, key_type: KeyTy) -> Any:
    """The bits of the key that a seed makes, of an implementation."""
    with using(key_type) as functions:
        return functions.seed(_seeded(function, seed))


def key(seed: Any, *, impl: Any = None, dtype: Any = None) -> Any:
    """`jax.random.key`: a key made of a seed.

    Raises:
        TypeError: for a seed that is no single integer.
        ValueError: for an unknown implementation.
    """
    key_type = implementation("key", impl, dtype)
    return PRNGKeyArray(_made("key", seed, key_type), key_type)


def PRNGKey(seed: Any, *, impl: Any = None) -> Any:
    """`jax.random.PRNGKey`: the bits of a key made of a seed, as an array of `uint32`.

    Raises:
        TypeError: for a seed that is no single integer.
        ValueError: for an unknown implementation.
    """
    return _made("PRNGKey", seed, implementation("PRNGKey", impl))


def _wrapped_as(keys: Any, data: Any) -> Any:
    """Keys in the form of others: typed ones, or bits."""
    return PRNGKeyArray(data, keys.dtype) if isinstance(keys, PRNGKeyArray) else data


def _split_body(key: Any, num: tuple[int, ...]) -> Any:
    return split_of(key, num)


_split = for_keys(operation("random.split", "key"), _split_body)


def split(key: Any, num: int | tuple[int, ...] = 2) -> Any:
    """`jax.random.split`: as many new keys, or as many as a shape has elements.

    Raises:
        TypeError: for what is no key, or no number.
        ValueError: for an array of keys.
    """
    shape = tuple(num) if isinstance(num, Sequence) else (num,)
    return _wrapped_as(key, _split(type_of_keys(key), key_bits("split", key), tuple(map(operator.index, shape))))


def _fold_in_body(key: Any, data: Any) -> Any:
    return implementation_in_force().fold_in(key, data)


_fold_in = for_keys(operation("random.fold_in", "key", "data"), _fold_in_body)


def fold_in(key: Any, data: Any) -> Any:
    """`jax.random.fold_in`: a new key, of a key and an integer.

    Raises:
        TypeError: for what is no key, or no scalar.
        ValueError: for an array of keys.
        OverflowError: for a Python int that `uint32` does not hold.
    """
    bits_of_key = key_bits("fold_in", key)
    if np.ndim(data) if not isinstance(data, Array) else data.ndim:  # type: ignore[attr-defined]
        raise TypeError(
            f"fold_in accepts a scalar, but was given an array of shape {np.shape(data)}; use vmap for batching"
        )
    return _wrapped_as(key, _fold_in(type_of_keys(key), bits_of_key, asarray(data, dtype="uint32")))


def key_data(keys: Any) -> Any:
    """`jax.random.key_data`: the bits of keys, as an array of `uint32` with one dimension more.

    Raises:
        TypeError: for what is no array of keys.
    """
    return keys_bits("key_data", keys)


def wrap_key_data(key_bits_array: Any, *, impl: Any = None, dtype: Any = None) -> Any:
    """`jax.random.wrap_key_data`: the keys that have these bits.

    Raises:
        TypeError: if they are not bits of keys.
        ValueError: for an unknown implementation.
    """
    key_type = implementation("wrap_key_data", impl, dtype)
    if isinstance(key_bits_array, PRNGKeyArray):
        raise TypeError("wrap_key_data takes the bits of keys, as uint32, got keys")
    return PRNGKeyArray(keys_bits("wrap_key_data", key_bits_array, key_type), key_type)


def key_impl(keys: Any) -> str:
    """`jax.random.key_impl`: the name of the implementation of keys.

    Raises:
        TypeError: for what is no array of keys.
    """
    keys_bits("key_impl", keys)
    return type_of_keys(keys).impl


def key_dtype(impl_spec: Any = None) -> KeyTy:
    """`jax.random.key_dtype`: the dtype of the keys of an implementation.

    Raises:
        ValueError, TypeError: for what names no implementation.
    """
    return implementation("key_dtype", impl_spec)


def clone(key: Any) -> Any:
    """`jax.random.clone`: the same key, to be used once more."""
    return PRNGKeyArray(key._base_array, key.dtype) if isinstance(key, PRNGKeyArray) else array_from(key)
