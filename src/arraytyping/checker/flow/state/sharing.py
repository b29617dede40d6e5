"""How much a value holds if what occurs several times is counted as often: a short program makes it grow without end.

`t = (t, t)`, sixty times, is sixty objects for Python, and more than there are atoms for whoever walks through it.
"""

from __future__ import annotations

from typing import Any, Final

from arraytyping.checker.flow.values import DictValue, InstanceValue, ListValue, Value, parts_of

__all__ = ["is_overgrown"]

MOST: Final = 100_000
"""The most parts of a value that flow walks through."""
_LOOKED_AT: Final = 2_000
"""Of more different objects than this it is not asked: there, growth is bounded by the steps of the program."""


def is_overgrown(items: Any) -> bool:
    """Whether there are too many parts in values that a display puts together."""
    if not any(isinstance(v, tuple | ListValue | DictValue | InstanceValue) for v in items):
        return False
    known: dict[int, int] = {}
    return sum(_count(v, known) for v in items) > MOST


def _count(value: Value, known: dict[int, int]) -> int:
    parts = parts_of(value)[:_LOOKED_AT]
    if not parts:
        return 1
    found = known.get(id(value))
    if found is None:
        if len(known) > _LOOKED_AT:
            return 1
        known[id(value)] = 1  # of one that contains itself
        found = known[id(value)] = min(1 + sum(_count(v, known) for v in parts), 2 * MOST)
    return found
