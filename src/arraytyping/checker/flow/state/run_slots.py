"""What a module keeps for the length of one run: each has a slot of its own, which says what it holds.

The interpreter holds the contents and knows none of the modules; a slot that two modules use stands in the lower one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, Protocol, TypeVar

__all__ = ["Run", "RunSlot"]

T = TypeVar("T")
_EMPTY: Any = object()


class Run(Protocol):
    """What the contents of the slots are kept in: an interpreter."""

    kept: dict[RunSlot[Any], Any]


class RunSlot(Generic[T]):
    """A place in each run; `make` gives what it holds before anything is put there."""

    def __init__(self, name: str, make: Callable[[], T]) -> None:
        self.name = name
        self.make = make

    def __repr__(self) -> str:
        return f"RunSlot({self.name})"

    def of(self, it: Run) -> T:
        """What it holds in this run."""
        found: T = it.kept.get(self, _EMPTY)
        if found is _EMPTY:
            found = it.kept[self] = self.make()
        return found

    def put(self, it: Run, value: T) -> None:
        """From here on it holds this."""
        it.kept[self] = value

    def take(self, it: Run) -> T:
        """What it holds, which it holds no more."""
        found: T = it.kept.pop(self, _EMPTY)
        return self.make() if found is _EMPTY else found
