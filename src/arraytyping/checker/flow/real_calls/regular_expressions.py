"""How long a regular expression may search at most, read off the expression before it is used.

Python's engine tries alternatives one after the other.  What it tries is bounded by a power of the subject's length,
one factor for each repetition of a variable count, as long as no such repetition, and no alternative, is within another
one: there is only one way then to go through a repetition a given number of times.
"""

from __future__ import annotations

import functools
import math
import re
from typing import Any, Final

__all__ = ["bound_of_search"]

_UNBOUNDED: Final = 10**15
_MOST_CHARACTERS: Final = 2_000
_MOST_LENGTH: Final = 100_000
_PLAIN: Final = frozenset({"LITERAL", "NOT_LITERAL", "ANY", "IN", "AT", "CATEGORY", "RANGE"})
_BEGINNINGS: Final = frozenset({"(AT, AT_BEGINNING)", "(AT, AT_BEGINNING_STRING)"})
_REPEATS: Final = frozenset({"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"})


def bound_of_search(pattern: str | bytes, flags: int, length: int) -> int:
    """The most steps of a search in a subject of this length.

    Raises:
        re.error: if it is no regular expression.
    """
    found = _structure(pattern, flags & (re.VERBOSE | re.MULTILINE | re.IGNORECASE | re.ASCII | re.LOCALE | re.UNICODE))
    if found is None or length > _MOST_LENGTH:
        return _UNBOUNDED
    factors, ways, size, is_anchored = found
    unbounded = sum(count > length for count in factors)
    # The repetitions lie one behind the other: so many ways there are to divide the subject among them.
    total = ways * math.comb(length + unbounded, unbounded) + size * (length + 1)
    for count in factors:
        total *= count if count <= length else 1
    return min(total if is_anchored else total * (length + 1), _UNBOUNDED)


@functools.lru_cache(maxsize=1024)
def _structure(pattern: str | bytes, flags: int) -> tuple[tuple[int, ...], int, int, bool] | None:
    """The counts of its repetitions, the ways to choose alternatives, its size, and whether it fits at one place only.

    None if no bound is known.
    """
    if len(pattern) > _MOST_CHARACTERS:
        return None
    parser: Any = getattr(re, "_parser", None)
    if parser is None:
        return None
    tree = parser.parse(pattern, flags)
    factors: list[int] = []
    ways = _walk(tree, factors)
    if ways is None or len(factors) > 16:
        return None
    is_anchored = len(tree) > 0 and str(tree[0]) in _BEGINNINGS and not tree.state.flags & re.MULTILINE
    return tuple(factors), ways, len(pattern) + 1, is_anchored


def _walk(tree: Any, factors: list[int]) -> int | None:
    """In how many ways alternatives can be chosen; the counts of repetitions are added to the factors."""
    ways = 1
    for op, argument in tree:
        name = str(op)
        if name in _PLAIN:
            continue
        if name in _REPEATS:
            low, high, body = argument
            if int(high) == 1:  # with it, in each of its ways, or without
                inner = _walk(body, factors)
                if inner is None:
                    return None
                ways *= 1 + inner
                continue
            if not _is_fixed(body):
                return None
            if int(high) != int(low):
                factors.append(int(high) - int(low) + 1)
            continue
        if name == "BRANCH":
            chosen = [_walk(branch, factors) for branch in argument[1]]
            if None in chosen:
                return None
            ways *= sum(n for n in chosen if n is not None)
        elif name in ("SUBPATTERN", "ASSERT", "ASSERT_NOT", "ATOMIC_GROUP"):
            inner = _walk(argument if name == "ATOMIC_GROUP" else argument[-1], factors)
            if inner is None:
                return None
            ways *= inner
        elif name == "GROUPREF":
            factors.append(_UNBOUNDED)  # as long as the subject to compare
        else:
            return None
        if ways > _UNBOUNDED:
            return None
    return ways


def _is_fixed(body: Any) -> bool:
    """Whether what is repeated has one length and matches in one way."""
    for op, argument in body:
        name = str(op)
        if name in _PLAIN:
            continue
        if name == "SUBPATTERN" and _is_fixed(argument[-1]):
            continue
        if name in _REPEATS and int(argument[0]) == int(argument[1]) <= 100 and _is_fixed(argument[2]):
            continue
        return False
    return True
