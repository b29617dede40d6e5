"""A program that goes on from what it has saved: what it loads is as what it has in its place if it begins anew.

What a program loads on one of several paths may be what an earlier run of it has saved here.  So it is a `SavedValue`,
whose join with what is known on the others is as that.  That is guessed: it holds if the program is seen to save just
such things, and else it is followed anew without.
"""

from __future__ import annotations

import ast
from typing import Final

from arraytyping.checker.flow.state.joins.saved import LOADING
from arraytyping.checker.flow.state.joins.saved_parts import Part, is_saved, is_saved_in_part, parts_of
from arraytyping.checker.flow.state.program_words import ASSUMED
from arraytyping.checker.flow.state.run_slots import Run, RunSlot
from arraytyping.checker.flow.values import SavedValue, Unknown, Value

__all__ = ["NOTHING_SAVED", "guesses_wrongly", "note_narrowed", "note_saved", "what_is_loaded"]

NOTHING_SAVED: Final = "nothing saved"
"""With this key in what is assumed, nothing that is loaded is what the program has saved."""
_WHY: Final = "what a file holds"
_SAVED: Final[RunSlot[dict[ast.AST | None, set[Part]]]] = RunSlot(
    "what is saved, each time, by the place of the call", dict
)


def what_is_loaded(it: Run) -> Unknown:
    """What comes from a file that the program may have saved."""
    assumed = ASSUMED.of(it)
    if assumed is None or NOTHING_SAVED in assumed:
        return Unknown(_WHY)
    LOADING.count += 1
    return SavedValue(_WHY, LOADING.count, is_itself=True)


def note_saved(it: Run, value: Value, node: ast.AST | None) -> None:
    """A value is saved."""
    parts = set(parts_of(value))
    found = _SAVED.of(it)
    known = found.get(node, parts)
    unknown = Part("unknown")
    found[node] = {unknown} if unknown in parts | known else parts & known


def guesses_wrongly(it: Run) -> bool:
    """Whether something is said to be like what the program saves that it is not seen to save, in this run so far."""
    if not LOADING.taken:
        return False
    saved = {part for parts in _SAVED.of(it).values() for part in parts}
    kinds = {part.what for part in LOADING.taken if part.kind == "scalar"}
    numbers = {part.what for part in saved if part.kind == "scalar"}
    # Which of several numbers is which is not looked at: they are all of the kinds that are said.
    if (kinds and numbers - kinds) or not all(is_saved(part, saved) for part in LOADING.taken):
        return True
    return any(is_saved_in_part(LOADING.taken, parts) for parts in _SAVED.of(it).values())


def note_narrowed(value: Value) -> None:
    """On this path a variable holds this: what was saved only if something was loaded."""
    if isinstance(value, SavedValue) and value.loaded > LOADING.count:
        LOADING.count = value.loaded
