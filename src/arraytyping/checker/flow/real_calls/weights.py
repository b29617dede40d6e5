"""How much there is in an object, so that what is done with it can be bounded."""

from __future__ import annotations

import collections
import fractions
from typing import Any, Final

from arraytyping.checker.flow.values import Value

__all__ = ["LARGEST", "WIDEST", "length_of", "weight_of"]

LARGEST: Final = 1_000_000
"""The most bits of a number, or items of a sequence, that are computed."""
WIDEST: Final = 100_000
"""The most that the arguments of a call may weigh; functions may take a time that is a multiple of it."""


def weight_of(value: Value, most: int = LARGEST) -> int:
    """How much there is in an object if all that it holds is counted as often as it occurs; at most `most + 1`.

    What occurs several times is looked at once, so that a short program cannot make this take long.
    """
    known: dict[int, int] = {}
    return min(_weight(value, known, [most]), most + 1)


def _weight(value: Any, known: dict[int, int], left: list[int]) -> int:
    kind = type(value)
    if isinstance(value, int):
        return 1 + value.bit_length() // 32
    if isinstance(value, str | bytes | bytearray | range):
        return 1 + length_of(value)
    if isinstance(value, tuple | list | dict | set | frozenset | collections.deque):
        if (found := known.get(id(value))) is not None:
            return found
        known[id(value)] = 1
        left[0] -= len(value)
        if left[0] < 0:
            return LARGEST * 10
        parts = [*value, *value.values()] if isinstance(value, dict) else value
        found = known[id(value)] = 1 + sum(_weight(v, known, left) for v in parts)
        return found
    if isinstance(value, fractions.Fraction):
        return 1 + (value.numerator.bit_length() + value.denominator.bit_length()) // 32
    if kind.__name__ == "Decimal" and value.is_finite():
        return 1 + abs(int(value.adjusted())) + len(value.as_tuple().digits)
    return 1


def length_of(value: Any) -> int:
    """The length of a value; more than is ever computed if it is longer than Python can say."""
    try:
        return len(value)
    except OverflowError:
        return LARGEST * 10
