"""The words behind the program's name, `sys.argv`, where nobody has given any.

A program is followed as if it were run by its name alone.  One that then ends early (`sys.exit("usage: ...")` under an
`if`, `sys.argv[1]` out of range, or `raise ValueError("--output is required")` where a parser has read the words) has
to be given words; it is followed anew with any number of them, of which nothing is known.  So are libraries and tests
from the start: others have their command lines.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Final, Literal

from arraytyping.checker.flow.state.diagnostics import Diagnostic
from arraytyping.checker.flow.state.run_slots import Run, RunSlot
from arraytyping.checker.flow.state.signals import ProgramEnds
from arraytyping.checker.flow.values import ListValue, ScalarValue, Value

__all__ = [
    "ANY_WORDS",
    "ARGUMENTS",
    "ASSUMED",
    "EMPTY_GIVEN",
    "NONE_GIVEN",
    "UNGIVEN",
    "Assumed",
    "any_words",
    "end_if_ungiven",
    "may_be_given",
    "mistakes_of_empty",
    "mistakes_of_none",
    "needs_words",
    "note_absent",
    "note_exit",
    "note_parsed",
    "note_words_read",
    "others_words",
    "read_by_parser",
    "words",
]

ARGUMENTS: Final[RunSlot[tuple[Any, ...] | None]] = RunSlot("the arguments of the program", lambda: None)
"""What the command line gives besides the program; None where the program has no arguments."""

Assumed = dict[str, str | None]
"""What options are assumed to be; None: tried, and none fits."""

ASSUMED: Final[RunSlot[Assumed | None]] = RunSlot("what options are assumed to be in this run", lambda: None)
"""None where nothing may be assumed."""

UNGIVEN: Final[RunSlot[Literal["no", "yes", "missed"]]] = RunSlot("whether an option is not given", lambda: "no")
"""Where one may be needed, the run ends at its first mistake, and is made anew with the option: it is missed."""

ANY_WORDS: Final = "sys.argv"
"""With this key in what is assumed, the words are unknown."""

NONE_GIVEN: Final = "flags that are None"
"""With this key in what is assumed, flags that are None by default may be given."""

EMPTY_GIVEN: Final = "flags that are empty"
"""With this key in what is assumed, flags that are empty texts by default may be given."""

_TOO_FEW: Final = "IndexError", "cannot unpack"
"""How the mistakes begin that a program without words may have."""
_RAISED: Final = "raises "
"""How a mistake begins where the program says itself that something is wrong, perhaps with its options."""
_REFUSES: Final = _RAISED, "AssertionError: "
"""How a mistake begins where the program refuses what it is given, or does without."""
_OF_NONE: Final = "KeyError: None;"
"""How a mistake begins where a dict is asked for an option that is None by default."""
_HAS_NONE: Final[RunSlot[bool]] = RunSlot("whether there is a flag that is None by default", bool)
_HAS_EMPTY: Final[RunSlot[bool]] = RunSlot("whether there is a flag that is an empty text by default", bool)
_LINE: Final[RunSlot[ListValue | None]] = RunSlot("sys.argv", lambda: None)
_IS_READ: Final[RunSlot[bool]] = RunSlot("whether the program reads sys.argv itself", lambda: False)
_IS_PARSED: Final[RunSlot[bool]] = RunSlot("whether a parser of command lines reads sys.argv", lambda: False)
_ENDS_EARLY: Final[RunSlot[bool]] = RunSlot("whether the program exits under a condition, or as failed", lambda: False)


def end_if_ungiven(it: Run) -> None:
    """End the run, which has made a mistake, where that may come of an option that is not given.

    Raises:
        ProgramEnds: if so.
    """
    if UNGIVEN.of(it) == "yes":
        UNGIVEN.put(it, "missed")
        raise ProgramEnds


def words(it: Run) -> ListValue:
    """`sys.argv`: one list a run, since a program that takes a word out of it finds it shorter afterwards."""
    line = _LINE.of(it)
    if line is None:
        given, assumed = ARGUMENTS.of(it), ASSUMED.of(it)
        is_open = given is None and assumed is not None and ANY_WORDS in assumed
        known = None if is_open else [ScalarValue(str), *(given or ())]
        line = ListValue(known, None if known is not None else ScalarValue(str))
        _LINE.put(it, line)
    return line


def others_words() -> dict[RunSlot[Any], Any]:
    """What is known of the words where another program reads them: nothing."""
    return {_LINE: ListValue(None, ScalarValue(str))}


def any_words(it: Run) -> None:
    """From here on nothing is known of the words: another program's functions read them."""
    if ARGUMENTS.of(it) is None:
        it.kept.update(others_words())


def note_words_read(it: Run) -> None:
    """Note that the program reads the words itself, or what a parser of command lines has left of them."""
    _IS_READ.put(it, True)


def note_parsed(it: Run) -> None:
    """Note that a parser of command lines is at work, by which options have their values."""
    _IS_PARSED.put(it, True)


@contextmanager
def read_by_parser(it: Run) -> Iterator[None]:
    """What is read of the words in here is for a parser of command lines, which knows what to do without."""
    before = _IS_READ.of(it)
    try:
        yield
    finally:
        _IS_READ.put(it, before)


def may_be_given(it: Run) -> bool:
    """Whether the command line may have options that are not known."""
    return ARGUMENTS.of(it) is not None or ANY_WORDS in (ASSUMED.of(it) or {})


def note_exit(it: Run, tree: ast.Module, node: ast.AST | None, status: Value) -> None:
    """Note that the program exits, and whether that is early: with an error, or under a condition."""
    if not _IS_READ.of(it) or node is None:
        return
    is_failed = status not in (None, 0) if isinstance(status, int | str | None) else False
    if is_failed or any(_holds(branch, node) for branch in ast.walk(tree)):
        _ENDS_EARLY.put(it, True)


def _holds(branch: ast.AST, node: ast.AST) -> bool:
    if not isinstance(branch, ast.If) or all(inner is not node for inner in ast.walk(branch)):
        return False
    return all(not isinstance(inner, ast.Name) or inner.id != "__name__" for inner in ast.walk(branch.test))


def note_absent(it: Run, default: Value) -> bool:
    """Whether a flag may be given of which the default says that it is not: None, or an empty text."""
    if default is None:
        _HAS_NONE.put(it, True)
        return NONE_GIVEN in (ASSUMED.of(it) or {})
    if type(default) is str and not default:
        _HAS_EMPTY.put(it, True)
        return EMPTY_GIVEN in (ASSUMED.of(it) or {})
    return False


def mistakes_of_none(it: Run, found: Iterable[Diagnostic]) -> int:
    """How many certain mistakes may come of flags that are None by default, and that have to be given."""
    if not _HAS_NONE.of(it) or not _may_assume(it):
        return 0
    return sum("'NoneType'" in m.message for m in found if m.is_certain and not m.is_warning)


def mistakes_of_empty(it: Run, found: Iterable[Diagnostic]) -> int:
    """How many mistakes may come of flags that are empty texts by default, and that have to be given."""
    if not _HAS_EMPTY.of(it) or not _may_assume(it):
        return 0
    return sum(m.message.startswith(_REFUSES) for m in found if not m.is_warning)


def _may_assume(it: Run) -> bool:
    return ARGUMENTS.of(it) is None and ASSUMED.of(it) is not None


def needs_words(it: Run, found: Iterable[Diagnostic], is_ended_by_raising: bool) -> bool:
    """Whether the program, which was followed without any, seems to need words."""
    if not _may_assume(it) or may_be_given(it):
        return False
    certain = [m.message for m in found if m.is_certain]
    if _IS_PARSED.of(it) and any(message.startswith(_OF_NONE) for message in certain):
        return True
    if is_ended_by_raising and _IS_PARSED.of(it) and any(message.startswith(_RAISED) for message in certain):
        return True
    return _IS_READ.of(it) and (_ENDS_EARLY.of(it) or any(message.startswith(_TOO_FEW) for message in certain))
