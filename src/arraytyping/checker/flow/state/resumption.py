"""A program that goes on from what it has saved: what it loads is as what it has in its place if it begins anew.

What a program loads on one of several paths, and saves itself, is the state that an earlier run of it had here.  So
what is not known on this path is a `SavedValue`, whose join with what is known on the others is as that.
"""

from __future__ import annotations

from typing import Final

from arraytyping.checker.flow.state.run_slots import Run, RunSlot
from arraytyping.checker.flow.values import SavedValue, Unknown, Value

__all__ = ["LOADED", "note_loaded", "note_narrowed", "not_known"]

LOADED: Final[RunSlot[int]] = RunSlot("how often something was loaded on this path that the program saves", int)


def note_loaded(it: Run) -> None:
    """Something is loaded of a kind that the program saves."""
    LOADED.put(it, LOADED.of(it) + 1)


def note_narrowed(it: Run, value: Value) -> None:
    """On this path a variable holds this: what was saved only if something was loaded."""
    if isinstance(value, SavedValue):
        note_loaded(it)


def not_known(it: Run, why: str) -> Unknown:
    """A value that is not known, on a path on which something was perhaps loaded."""
    return SavedValue(why) if LOADED.of(it) else Unknown(why)
