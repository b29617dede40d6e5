"""Several paths from one state: each is run and taken back, and the states of those that go on are joined."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeVar

from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.joins import join_all, joining_in_doubt
from arraytyping.checker.flow.state.joins.saved import LOADING
from arraytyping.checker.flow.state.journal import Path
from arraytyping.checker.flow.state.numbering import made, note_paths
from arraytyping.checker.flow.state.signals import ProgramEnds, Raised, Recursion, TestEnds
from arraytyping.checker.flow.values import Value
from arraytyping.checker.flow.values.frames import NO_DOUBTS, Doubts, Frame

__all__ = ["branch", "note_end", "of_each", "results_of_each", "tried"]

A = TypeVar("A")
R = TypeVar("R")


def branch(
    it: Interpreter,
    frame: Frame,
    paths: list[Callable[[], bool]],
    is_unsure: bool = False,
    may_leave: bool | None = None,
) -> bool:
    """Run each path from the present state, and join the states of those that go on; whether any does.

    Where it is not sure that the program may come by each path, and one of them leaves what is being executed, it
    is not sure that it comes to what follows; with `may_leave` false that is taken for granted.

    Raises:
        Raised: if every path raises.
    """
    journal = it.journal
    ends: list[Any] = []
    before_loading, loaded = LOADING.count, list[int]()
    before_making = made(it)
    error: BaseException | None = None
    skipped = False
    home = frame.function_frame()
    before = home.doubts
    met = left = NO_DOUBTS
    for path in paths:
        mark, exits, dangers = journal.mark, len(home.exits), it.dangers
        try:
            goes_on = path()
        except (Raised, Recursion, ProgramEnds) as ended:
            if isinstance(ended, Raised):
                note_end(it, ended)
            if not isinstance(error, Raised):
                error = ended
            elif isinstance(ended, Raised):
                error.dangers += 1
            goes_on = False
            it.may_raise += isinstance(ended, Raised)
            skipped = skipped or isinstance(ended, TestEnds)
            left |= Doubts(raises=1)
        else:
            if not goes_on:
                ends.append(None)
                left |= _ways_out(home.exits[exits:])
        if goes_on:
            has_resumed = LOADING.count > before_loading
            ends.append(Path(journal.changes(mark), mark.born, journal.mark.born, has_resumed))
            met |= home.doubts
        if goes_on:
            loaded.append(LOADING.count)
        LOADING.count = before_loading
        it.set_doubts(home, before)
        if it.dangers > dangers:
            it.take_back(mark)
        else:
            journal.undo(mark)
    LOADING.meet(loaded, False)
    note_paths(it, before_making, len(paths), 0 < ends.count(None) < len(ends))
    if not ends and error is not None:
        raise error
    it.path_uncertain += skipped  # for the rest of the test, which may not be run
    going_on = [end for end in ends if end is not None]
    if not going_on:
        return False
    met |= before
    is_doubted = is_unsure if may_leave is None else is_unsure and may_leave
    it.set_doubts(home, Doubts(*(m + x for m, x in zip(met, left))) if is_doubted else met)
    if len(going_on) == 1:
        journal.redo(going_on[0].changes)
    else:
        with joining_in_doubt(is_unsure):
            journal.meet_paths(journal.mark, going_on, False)
    return True


def tried(it: Interpreter, run: Callable[[], R], results: list[R] | None = None) -> Callable[[], bool]:
    """A path that a mistake ends, which is kept quiet: another path may be the one that is taken."""

    def path() -> bool:
        suppressed = it.suppressed
        with it.quietly():
            it.abandons = it.undecided
            try:
                result = run()
            except Raised as ended:
                if not ended.is_abandoned:
                    raise
        if it.suppressed > suppressed:
            return False
        if results is not None:
            results.append(result)
        return True

    return path


def results_of_each(it: Interpreter, alternatives: Sequence[A], run: Callable[[A], R]) -> list[R]:
    """What comes of each of these that makes no mistake, in a state of its own; a mistake is told if each makes one."""
    results: list[R] = []
    if branch(it, it.frame, [tried(it, partial(run, one), results) for one in alternatives]):
        return results
    return [run(alternatives[-1])]


def of_each(it: Interpreter, alternatives: Sequence[A], run: Callable[[A], Value]) -> Value:
    """The join of what comes of each of these that makes no mistake."""
    return join_all(results_of_each(it, alternatives, run))


def note_end(it: Interpreter, ended: Raised) -> None:
    """One of several paths raises: what is being attempted may end so."""
    for attempt in reversed(it.attempts):
        if attempt.ending is not None:
            if ended.is_a(attempt.ending) is not False:
                attempt.may_end = True
                attempt.is_unsure = attempt.is_unsure or ended.is_unsure
            break


def _ways_out(exits: list[Any]) -> Doubts:
    """How paths that ended have left; one that left no other way has raised where that could be caught."""
    kinds = {e.kind for e in exits} or {"raise"}
    return Doubts("continue" in kinds, "break" in kinds, "raise" in kinds, "return" in kinds)
