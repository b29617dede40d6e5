"""Hashes of a key and a counter, which random numbers are made of: Threefry of four words, Philox of two and of four.

Source: J. Salmon, M. Moraes, R. Dror, D. Shaw, "Parallel random numbers: as easy as 1, 2, 3" (SC11),
https://dl.acm.org/doi/10.1145/2063384.2063405, with the constants of https://github.com/DEShawResearch/random123.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any, Final, NamedTuple

from arraytyping.runtime.core import Primitive
from arraytyping.runtime.lax.arithmetic import add_p, constant_like, mul_p
from arraytyping.runtime.lax.integers import bitwise_or_p, bitwise_xor_p, shift_left_p, shift_right_logical_p
from arraytyping.runtime.lax.mulhi import mulhi_p
from arraytyping.runtime.lax.nary import batch_elementwise, no_tangent
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.rules.errors import DtypeError
from arraytyping.semantics.rules.shapes.broadcasting import broadcast_shapes

__all__ = ["HASHES", "PARITY", "Hash", "hash_primitive", "philox2x32_p", "philox4x32_p", "rotated", "threefry4x32_p"]

PARITY: Final = 0x1BD11BDA
"""What the last word of Threefish's extended key has besides all others."""


class Hash(NamedTuple):
    """How a hash is computed: of so many words, given to its rounds one by one and all of one shape."""

    words: int
    rounds: Callable[..., list[Any]]


def hash_primitive(name: str, words: int, results: int) -> Primitive:
    """The primitive of a hash: so many words of `uint32`, which broadcast as elementwise operands do, to so many."""

    def rule(cx: Any, *given: ShapedArray) -> list[ShapedArray]:
        if len(given) != words or any(word.dtype != "uint32" for word in given):
            raise DtypeError(f"{name} takes {words} arrays of uint32, got {', '.join(map(str, given))}")
        shape = broadcast_shapes(name, *(w.shape for w in given))
        return [ShapedArray(shape, "uint32", False)] * results

    def batch(axis: Any, args: Any, dims: Any) -> tuple[list[Any], list[int]]:
        found, dim = batch_elementwise(primitive, axis, args, dims, {})
        return found, [dim] * results

    primitive = Primitive(name, rule, multiple_results=True)
    primitive.batching_rule = batch
    primitive.jvp_rule = lambda primals, tangents: no_tangent(primitive, primals, {})
    return primitive


def rotated(x: Any, bits: int) -> Any:
    """The word with so many bits moved from its upper end to its lower one."""
    return bitwise_or_p.bind(
        shift_left_p.bind(x, constant_like(x, bits)), shift_right_logical_p.bind(x, constant_like(x, 32 - bits))
    )


_ROTATIONS: Final = ((10, 26), (11, 21), (13, 27), (23, 5), (6, 20), (17, 11), (25, 10), (18, 20))


def _threefry_of_four(*words: Any) -> list[Any]:
    """20 rounds, with the words of the key added before the first and after each fourth."""
    key, x = [*words[:4]], [*words[4:]]
    key.append(bitwise_xor_p.bind(reduce(bitwise_xor_p.bind, key), constant_like(key[0], PARITY)))
    x = [add_p.bind(word, k) for word, k in zip(x, key)]
    for i in range(20):
        # Two pairs of words are mixed: neighbours, and in every second round each with the one beyond.
        for (into, mixed), bits in zip(((0, 1), (2, 3)) if i % 2 == 0 else ((0, 3), (2, 1)), _ROTATIONS[i % 8]):
            x[into] = add_p.bind(x[into], x[mixed])
            x[mixed] = bitwise_xor_p.bind(x[into], rotated(x[mixed], bits))
        if i % 4 == 3:
            turn = i // 4 + 1
            x = [add_p.bind(word, key[(turn + k) % 5]) for k, word in enumerate(x)]
            x[3] = add_p.bind(x[3], constant_like(x[3], turn))
    return x


_WEYL: Final = (0x9E3779B9, 0xBB67AE85)
"""What each word of Philox's key grows by from round to round."""
_FACTOR_OF_TWO: Final = 0xD256D193
_FACTORS_OF_FOUR: Final = (0xD2511F53, 0xCD9E8D57)


def _product(x: Any, factor: int) -> tuple[Any, Any]:
    """The upper and the lower half of the product."""
    times = constant_like(x, factor)
    return mulhi_p.bind(x, times), mul_p.bind(x, times)


def _grown(key: Any, word: int) -> Any:
    return add_p.bind(key, constant_like(key, _WEYL[word]))


def _mixed(*words: Any) -> Any:
    return reduce(bitwise_xor_p.bind, words)


def _philox_of_two(k: Any, x: Any, y: Any) -> list[Any]:
    for i in range(10):
        k = _grown(k, 0) if i else k
        high, low = _product(x, _FACTOR_OF_TWO)
        x, y = _mixed(high, y, k), low
    return [x, y]


def _philox_of_four(k: Any, m: Any, *x: Any) -> list[Any]:
    for i in range(10):
        k, m = (_grown(k, 0), _grown(m, 1)) if i else (k, m)
        (high, low), (other_high, other_low) = _product(x[0], _FACTORS_OF_FOUR[0]), _product(x[2], _FACTORS_OF_FOUR[1])
        x = (_mixed(other_high, x[1], k), other_low, _mixed(high, x[3], m), low)
    return [*x]


threefry4x32_p: Final = hash_primitive("threefry4x32", 8, 4)
"""Four words of the key and four of the counter to four words."""
philox2x32_p: Final = hash_primitive("philox2x32", 3, 2)
"""A word of the key and two of the counter to two words."""
philox4x32_p: Final = hash_primitive("philox4x32", 6, 4)
"""Two words of the key and four of the counter to four words."""

HASHES: Final = {
    threefry4x32_p: Hash(8, _threefry_of_four), philox2x32_p: Hash(3, _philox_of_two),
    philox4x32_p: Hash(6, _philox_of_four),
}  # fmt: skip
"""How each of them is computed."""
