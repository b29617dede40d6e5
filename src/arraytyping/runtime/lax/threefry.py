"""Threefry-2x32, the hash that JAX's random numbers are made of: a key and a counter, of two words each, to two words.

Source: J. Salmon, M. Moraes, R. Dror, D. Shaw, "Parallel random numbers: as easy as 1, 2, 3" (SC11),
https://dl.acm.org/doi/10.1145/2063384.2063405.
"""

from __future__ import annotations

from typing import Any, Final

from arraytyping.runtime.lax.arithmetic import add_p, constant_like
from arraytyping.runtime.lax.counter_hashes import PARITY, hash_primitive, rotated
from arraytyping.runtime.lax.creation import full_of, iota_of
from arraytyping.runtime.lax.integers import bitwise_xor_p, shift_right_logical_p
from arraytyping.runtime.lax.structure import reshape
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.operations import OPERATIONS

__all__ = ["counters", "threefry2x32_p", "threefry_rounds"]

_ROTATIONS: Final = ((13, 15, 26, 6), (17, 29, 16, 24))

threefry2x32_p: Final = hash_primitive("threefry2x32", 4, 2)
"""Two words of the key and two of the counter to two words; they broadcast as elementwise operands do."""


def threefry_rounds(k0: Any, k1: Any, x0: Any, x1: Any) -> list[Any]:
    """The hash itself, of words of one shape: five times four rounds, with a word of the key added after each four."""
    keys = (k0, k1, bitwise_xor_p.bind(bitwise_xor_p.bind(k0, k1), constant_like(k0, PARITY)))
    x0, x1 = add_p.bind(x0, k0), add_p.bind(x1, k1)
    for i in range(5):
        for bits in _ROTATIONS[i % 2]:
            x0 = add_p.bind(x0, x1)
            x1 = bitwise_xor_p.bind(x0, rotated(x1, bits))
        x0 = add_p.bind(x0, keys[(i + 1) % 3])
        x1 = add_p.bind(add_p.bind(x1, keys[(i + 2) % 3]), constant_like(x1, i + 1))
    return [x0, x1]


def counters(shape: tuple[int, ...]) -> tuple[Any, Any]:
    """The place of each element, counted in the order of rows, as two words: the high ones and the low ones."""
    if not shape:
        zero = full_of(0, ShapedArray((), "uint32", False))
        return zero, zero
    size = 1
    for n in shape:
        size *= n
    places = reshape(iota_of("uint64", (size,), 0), shape)
    high = shift_right_logical_p.bind(places, constant_like(places, 32))
    return tuple(OPERATIONS.convert(x, new_dtype="uint32", weak_type=False) for x in (high, places))
