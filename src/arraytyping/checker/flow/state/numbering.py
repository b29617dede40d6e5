"""Modules that are made within a call of another one, which gives them numbers: `Dense_0`, `linear_1`.

They are objects of libraries, which branches do not take back: what is made on one of several paths is there on all.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from arraytyping.checker.flow.state.run_slots import Run, RunSlot

__all__ = ["is_numbering_unsure", "made", "note_made", "note_paths", "numbering"]

_MADE: Final[RunSlot[int]] = RunSlot("how many modules were made within the present one", int)
_HAS_PARTED: Final[RunSlot[bool]] = RunSlot("whether the program may have left the present one", bool)
_IS_UNSURE: Final[RunSlot[bool]] = RunSlot("whether one of them was made on some of several paths", bool)


@contextmanager
def numbering(it: Run) -> Iterator[None]:
    """Within a call of a module."""
    before = _MADE.of(it), _IS_UNSURE.of(it), _HAS_PARTED.of(it)
    _IS_UNSURE.put(it, False)
    _HAS_PARTED.put(it, False)
    try:
        yield
    finally:
        _MADE.put(it, before[0])
        _IS_UNSURE.put(it, before[1])
        _HAS_PARTED.put(it, before[2])


def note_made(it: Run) -> None:
    """A module is made that has no name of its own."""
    _MADE.put(it, _MADE.of(it) + 1)
    if _HAS_PARTED.of(it):
        _IS_UNSURE.put(it, True)


def made(it: Run) -> int:
    """How many have been made within the present module."""
    return _MADE.of(it)


def note_paths(it: Run, before: int, ways: int, has_left: bool = False) -> None:
    """The program may go so many ways, on which modules were made besides those that were there before.

    `has_left` says that some of them leave a loop or function: what is made behind them is not there on those.
    """
    if ways > 1 and _MADE.of(it) > before:
        _IS_UNSURE.put(it, True)
    if has_left:
        _HAS_PARTED.put(it, True)


def is_numbering_unsure(it: Run) -> bool:
    """Whether it is not known which numbers the modules have."""
    return _IS_UNSURE.of(it)
