"""What each implementation of random numbers makes of the bits of a key: more keys, and random bits.

Which one is in force is known by the thread while the body of a random function is traced.

Source: `_threefry_split_foldlike`, `_threefry_random_bits_partitionable` and `_threefry_fold_in` of
https://github.com/jax-ml/jax/blob/main/jax/_src/random/threefry2x32.py; rbg.py, threefry4x32.py,
philox2x32.py and philox4x32.py beside it.
"""

from __future__ import annotations

import contextlib
import math
import threading
from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from typing import Any, Final, NamedTuple

from arraytyping.random.key_types import THREEFRY, KeyTy
from arraytyping.runtime.array_likes import convert_to
from arraytyping.runtime.core import Primitive
from arraytyping.runtime.lax.aggregates import slice_along
from arraytyping.runtime.lax.arithmetic import constant_like
from arraytyping.runtime.lax.counter_hashes import philox2x32_p, philox4x32_p, threefry4x32_p
from arraytyping.runtime.lax.creation import full_of
from arraytyping.runtime.lax.integers import bitwise_or_p, bitwise_xor_p, shift_left_p
from arraytyping.runtime.lax.random_bits import RandomAlgorithm, rng_bit_generator_p
from arraytyping.runtime.lax.slicing import concatenate_p, slice_p
from arraytyping.runtime.lax.structure import reshape
from arraytyping.runtime.lax.threefry import counters, threefry2x32_p
from arraytyping.semantics.avals import ShapedArray

__all__ = ["Implementation", "implementation_in_force", "key_type_in_force", "pairs", "using"]


class Implementation(NamedTuple):
    """Functions of the bits of one key."""

    seed: Callable[[Any], Any]
    """The bits of a key, of the two words of a seed."""
    split: Callable[[Any, tuple[int, ...]], Any]
    """The bits of new keys, in an array of this shape with the words as last dimension."""
    fold_in: Callable[[Any, Any], Any]
    """The bits of a new key, of a key and a number of `uint32`."""
    bits: Callable[[Any, int, tuple[int, ...]], Any]
    """Unsigned integers of so many bits, in this shape."""


def _words(key: Any) -> tuple[Any, Any]:
    return reshape(slice_along(key, 0, 1), ()), reshape(slice_along(key, 1, 2), ())


def pairs(first: Any, second: Any) -> Any:
    """Two arrays of words as one, which has both as its last dimension."""
    shape = (*first.aval.shape, 1)
    return concatenate_p.bind(reshape(first, shape), reshape(second, shape), dimension=len(shape) - 1)


def _split(key: Any, shape: tuple[int, ...]) -> Any:
    return pairs(*threefry2x32_p.bind(*_words(key), *counters(shape)))


def _fold_in(key: Any, data: Any) -> Any:
    return pairs(*threefry2x32_p.bind(*_words(key), full_of(0, ShapedArray((), "uint32", False)), data))


def _bits(key: Any, width: int, shape: tuple[int, ...]) -> Any:
    high, low = threefry2x32_p.bind(*_words(key), *counters(shape))
    if width == 64:
        high, low = convert_to(high, "uint64"), convert_to(low, "uint64")
        return bitwise_or_p.bind(shift_left_p.bind(high, constant_like(high, 32)), low)
    return convert_to(bitwise_xor_p.bind(high, low), f"uint{width}")


def _halves(key: Any) -> tuple[Any, Any]:
    """The two keys of threefry that a key of rbg is."""
    return slice_along(key, 0, 2), slice_along(key, 2, 4)


def _joined(first: Any, second: Any) -> Any:
    return concatenate_p.bind(first, second, dimension=len(first.aval.shape) - 1)


def _generated(key: Any, width: int, shape: tuple[int, ...]) -> Any:
    return rng_bit_generator_p.bind(key, shape=shape, dtype=f"uint{width}", algorithm=RandomAlgorithm.RNG_DEFAULT)[1]


_ROUNDS: Final = 10
"""Of as many rows of random bits the hash of unsafe_rbg takes one."""


def _unsafe_split(key: Any, shape: tuple[int, ...]) -> Any:
    count = math.prod(shape)
    rows = _generated(key, 32, (_ROUNDS * count, 4))
    taken = slice_p.bind(rows, start_indices=(0, 0), limit_indices=(_ROUNDS * count, 4), strides=(_ROUNDS, 1))
    return reshape(taken, (*shape, 4))


def _unsafe_fold_in(key: Any, data: Any) -> Any:
    zero = full_of(0, ShapedArray((), "uint32", False))
    rows = _generated(_RBG.seed(pairs(zero, data)), 32, (_ROUNDS, 4))
    return bitwise_xor_p.bind(key, reshape(slice_along(rows, _ROUNDS - 1, _ROUNDS), (4,)))


def _zero() -> Any:
    return full_of(0, ShapedArray((), "uint32", False))


def _word(key: Any, number: int) -> Any:
    return reshape(slice_along(key, number, number + 1), ())


def _together(words: Sequence[Any]) -> Any:
    """Arrays of words as one, which has them as its last dimension."""
    shape = (*words[0].aval.shape, 1)
    if len(words) == 1:
        return reshape(words[0], shape)
    return concatenate_p.bind(*[reshape(w, shape) for w in words], dimension=len(shape) - 1)


def _of_hash(hash_of: Primitive, words: int, counter: int, *, seed_is_key: bool, folds_all: bool) -> Implementation:
    """Keys of so many words, of which a hash with a counter of so many makes all that there is.

    A seed is hashed as the key, with a counter of 0, or else as the counter.  To keys the place counts in the last two
    words of the counter, to bits in the first two.  Numbers of 64 bits have all words in them where `folds_all` holds.
    """

    def hashed(key: Any, *counter_words: Any) -> list[Any]:
        return hash_of.bind(*[_word(key, i) for i in range(words)], *counter_words)  # type: ignore[no-any-return]

    def made(of_seed: Any) -> Any:
        parts, zeros = [*_words(of_seed)], [_zero()] * (words + counter - 2)
        return _together(hash_of.bind(*(parts + zeros if seed_is_key else _about(words, parts, zeros)))[:words])

    def at(key: Any, high: Any, low: Any) -> Any:
        return _together(hashed(key, *[_zero()] * (counter - 2), high, low)[:words])

    def bits(key: Any, width: int, shape: tuple[int, ...]) -> Any:
        found = hashed(key, *counters(shape), *[_zero()] * (counter - 2))
        if width == 64:
            high, low = (reduce(bitwise_xor_p.bind, found[i::2]) for i in (0, 1)) if folds_all else found[:2]
            high, low = convert_to(high, "uint64"), convert_to(low, "uint64")
            return bitwise_or_p.bind(shift_left_p.bind(high, constant_like(high, 32)), low)
        return convert_to(reduce(bitwise_xor_p.bind, found), f"uint{width}")

    return Implementation(
        made, lambda key, shape: at(key, *counters(shape)), lambda key, data: at(key, _zero(), data), bits
    )


def _about(words: int, parts: list[Any], zeros: list[Any]) -> list[Any]:
    """A key of zeros and a counter that begins with these parts."""
    return [*zeros[:words], *parts, *zeros[words:]]


_THREEFRY: Final = Implementation(lambda seed: seed, _split, _fold_in, _bits)
_RBG: Final = Implementation(
    lambda seed: _joined(seed, seed),
    lambda key, shape: _joined(*[_split(half, shape) for half in _halves(key)]),
    lambda key, data: _joined(*[_fold_in(half, data) for half in _halves(key)]),
    _generated,
)
_IMPLEMENTATIONS: Final = {
    "threefry2x32": _THREEFRY,
    "rbg": _RBG,
    "unsafe_rbg": _RBG._replace(split=_unsafe_split, fold_in=_unsafe_fold_in),
    "threefry4x32": _of_hash(threefry4x32_p, 4, 4, seed_is_key=True, folds_all=True),
    "philox2x32": _of_hash(philox2x32_p, 1, 2, seed_is_key=False, folds_all=False),
    "philox4x32": _of_hash(philox4x32_p, 2, 4, seed_is_key=False, folds_all=False),
}


class _Local(threading.local):
    key_type: KeyTy = THREEFRY


_local: Final = _Local()


def key_type_in_force() -> KeyTy:
    """The dtype of the keys of the random function that is being traced."""
    return _local.key_type


def implementation_in_force() -> Implementation:
    """The implementation of the keys of the random function that is being traced."""
    return _IMPLEMENTATIONS[_local.key_type.impl]


@contextlib.contextmanager
def using(key_type: KeyTy) -> Iterator[Implementation]:
    """Inside, keys are of this implementation."""
    before, _local.key_type = _local.key_type, key_type
    try:
        yield _IMPLEMENTATIONS[key_type.impl]
    finally:
        _local.key_type = before
