"""A program that goes on from what it has saved: what it loads is as what it has in its place if it begins anew.

What a program loads on one of several paths, and saves itself, is the state that an earlier run of it had here.  So
what is not known on this path is a `SavedValue`, whose join with what is known on the others is as that.
"""

from __future__ import annotations

from arraytyping.checker.flow.state.joins.saved import LOADING
from arraytyping.checker.flow.values import SavedValue, Unknown, Value

__all__ = ["note_loaded", "note_narrowed", "not_known"]


def note_loaded() -> None:
    """Something is loaded of a kind that the program saves."""
    LOADING.count += 1


def note_narrowed(value: Value) -> None:
    """On this path a variable holds this: what was saved only if something was loaded."""
    if isinstance(value, SavedValue) and value.loaded > LOADING.count:
        LOADING.count = value.loaded


def not_known(why: str) -> Unknown:
    """A value that is not known, on a path on which something was perhaps loaded."""
    return SavedValue(why, LOADING.count) if LOADING.count else Unknown(why)
