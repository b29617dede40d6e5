"""What a program has saved, beside what it has in its place if it begins anew: of the same structure, other values.

A list or dict that is empty at the beginning has been filled by then.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from arraytyping.checker.flow.state.joins.saved_parts import PLAIN, Part, part_of
from arraytyping.checker.flow.values import (
    MISSING,
    DictValue,
    InstanceValue,
    ListValue,
    NumPyValue,
    SavedValue,
    ScalarValue,
    SetValue,
    Value,
    remake_tuple,
)

__all__ = ["LOADING", "saved_like"]


class _Loading:
    """How often something was loaded, on the path that is being followed, that the program saves (`resumption`)."""

    def __init__(self) -> None:
        self.count: int = 0
        self.taken: set[Part] = set()
        """Of what it is said that what was saved is like it."""

    def begin(self) -> None:
        """A run begins."""
        self.count = 0
        self.taken = set()

    def take(self, value: Value, saved: SavedValue) -> None:
        """What was saved is like this."""
        if (part := part_of(value, saved.is_itself)) is not None:
            self.taken.add(part)

    def meet(self, counts: Iterable[int], goes_on: bool) -> None:
        """Paths meet on which it was loaded so often, and the present one if that goes on."""
        met = [*counts, self.count] if goes_on else [*counts]
        if met:
            self.count = min(met)


LOADING: Final = _Loading()
"""One for all runs, of which there is one at a time: values are joined without regard to the run."""


def saved_like(value: Value, saved: SavedValue) -> Value:
    """What was saved of such a value, to be joined with it; MISSING if it is described by it."""
    if type(value) in PLAIN:
        return ScalarValue(type(value))
    if isinstance(value, NumPyValue):
        return NumPyValue(value.shape, value.dtype)
    if isinstance(value, tuple):
        return remake_tuple(value, [saved] * len(value)) if value else MISSING
    if isinstance(value, ListValue):
        return ListValue([saved] * len(value.items) if value.items else None, saved, value.kind)
    if isinstance(value, DictValue):
        if value.items:
            return DictValue(dict.fromkeys(value.items, saved), kind=value.kind, factory=value.factory)
        return DictValue(None, saved, saved, kind=value.kind, factory=value.factory)
    if isinstance(value, SetValue):
        return SetValue(None, saved, value.kind)
    if isinstance(value, InstanceValue):
        return InstanceValue(value.cls, dict.fromkeys(value.attributes, saved))
    return MISSING
