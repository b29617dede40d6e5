"""Loops: short ones are gone through item by item; others are begun, and widened until nothing new comes.

The first two iterations of a long loop are executed as they are, so that what settles at once (a Python scalar that
becomes an array, a weak type that becomes strong) has settled before states are joined.

Source: widening as in Cousot and Cousot, https://doi.org/10.1145/512950.512973.
"""

from __future__ import annotations

import ast
import functools
import itertools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

from arraytyping.checker.flow.python.drawing import Drawing, begin_drawing
from arraytyping.checker.flow.python.recorded_values import as_recorded
from arraytyping.checker.flow.state.branching import note_end
from arraytyping.checker.flow.state.certainty import Undecided, depends_on_data, doubt, undecided, under
from arraytyping.checker.flow.state.compilations import note_unrolled
from arraytyping.checker.flow.state.identity import is_alike, is_snapshot_alike
from arraytyping.checker.flow.state.interpreter import Interpreter, ProgramEnds, Raised
from arraytyping.checker.flow.state.joins import join_all, joining_in_doubt
from arraytyping.checker.flow.state.joins.saved import LOADING
from arraytyping.checker.flow.state.journal import Path, join_contents
from arraytyping.checker.flow.state.keys import in_rounds
from arraytyping.checker.flow.state.laziness import perhaps, spoil, taking
from arraytyping.checker.flow.state.numbering import made, note_paths
from arraytyping.checker.flow.values import (
    MISSING,
    ArrayValue,
    IteratorValue,
    ListValue,
    ScalarValue,
    UnionValue,
    Unknown,
    Value,
    ViewValue,
)
from arraytyping.checker.flow.values.frames import Frame
from arraytyping.semantics.sizes.polynomials import symbol

__all__ = ["element_of", "execute_for", "execute_while"]

_PEELED: Final = 2
_FEW: Final = 8
"""How many rounds there are of a loop that is one of many: what they do alike is known from these."""


def execute_for(it: Interpreter, node: ast.For | ast.AsyncFor, frame: Frame) -> bool:
    """Execute `for`."""
    with _left_behind(it, frame):
        return _for(it, node, frame)


def execute_while(it: Interpreter, node: ast.While, frame: Frame) -> bool:
    """Execute `while`."""
    with _left_behind(it, frame):
        return _while(it, node, frame)


@contextmanager
def _left_behind(it: Interpreter, frame: Frame) -> Iterator[None]:
    """Behind a loop it no longer matters where it was left."""
    breaks, conditions = frame.doubts.breaks, it.conditions
    around, frame.loop = frame.loop, it.journal.mark
    try:
        yield
    finally:
        frame.loop = around
    it.set_doubts(frame, frame.doubts._replace(breaks=breaks))
    it.conditions = conditions


def _for(it: Interpreter, node: ast.For | ast.AsyncFor, frame: Frame) -> bool:
    iterable = it.evaluate(node.iter, frame)
    source = begin_drawing(it, iterable, node.iter)
    if isinstance(source, Drawing):
        return _execute_drawing(it, node, frame, source)
    with taking(it, perhaps if _may_stop(node) else None):
        items, element = it.iterate(source, node.iter)
    if it.recorded is not None and items is None and element is not MISSING:
        element = as_recorded(it, node.target, frame, element)
    began = it.work
    first = len(frame.exits)
    if items is not None:
        limit = it.limits.unrolled if it.unrolling * len(items) <= it.limits.nested else _FEW
        count = 0
        before, start, operations = it.unrolling, it.steps, it.engines.operations
        it.unrolling *= max(1, min(len(items), limit))
        try:
            while count < len(items):
                is_long = len(items) > limit and count >= _PEELED and it.steps - start > it.limits.steps // before
                if is_long or (it.work - began > it.limits.loop_work and count >= _PEELED):
                    break
                is_idle = it.engines.operations == operations and it.work > it.limits.idle_work
                if is_idle and count >= _FEW:
                    break
                count += 1
                if not _iteration(it, node, frame, first, items[count - 1]):
                    return _leave(it, node, frame, first, False)
                if isinstance(source, IteratorValue) and count < len(items) and spoil(it, source):
                    return _widen(it, node, frame, first, source.element, _Rounds(is_unsure=True))
                if isinstance(iterable, ListValue):  # the body may have changed the list
                    now = iterable.items
                    if now is None:
                        return _widen(it, node, frame, first, iterable.element, _Rounds(is_unsure=True))
                    if not isinstance(iterable, ViewValue) or len(now) == len(items):
                        items = now
        finally:
            it.unrolling = before
        if _is_regular(it, iterable, node, frame):
            note_unrolled(it, node.iter, len(items), count, it.engines.operations - operations)
        if count >= len(items):
            return _leave(it, node, frame, first, True)
        return _widen(it, node, frame, first, element_of(items[count:], node), _Rounds(at_least_one=True))
    if element is MISSING:
        return _leave(it, node, frame, first, True)
    is_infinite = isinstance(iterable, IteratorValue) and iterable.infinite
    is_counter = isinstance(iterable, IteratorValue) and isinstance(element, ScalarValue) and element.is_data
    is_data = is_infinite or is_counter or depends_on_data(iterable)
    return _widen(it, node, frame, first, element, _Rounds(is_infinite, not is_data))


def _is_regular(it: Interpreter, iterable: Value, node: ast.For | ast.AsyncFor, frame: Frame) -> bool:
    """Whether what is gone through is a range or an array, or one that is numbered, so that JAX has a loop for it."""
    made = node.iter
    if isinstance(iterable, IteratorValue) and isinstance(made, ast.Call) and isinstance(made.func, ast.Name):
        is_named = made.func.id in ("enumerate", "reversed") and made.args and isinstance(made.args[0], ast.Name)
        iterable = it.evaluate(made.args[0], frame) if is_named else None
    return type(iterable) is range or isinstance(iterable, ArrayValue)


@functools.lru_cache(maxsize=8192)
def _may_stop(node: ast.For | ast.AsyncFor) -> bool:
    """Whether something in the body of a loop may leave it before its items have come to an end."""
    return any(isinstance(n, ast.Break | ast.Return | ast.Raise | ast.Yield) for s in node.body for n in ast.walk(s))


def _execute_drawing(it: Interpreter, node: ast.For | ast.AsyncFor, frame: Frame, source: Drawing) -> bool:
    """Execute `for` over an instance that gives its items one by one."""
    first, began = len(frame.exits), it.work
    before = it.unrolling
    it.unrolling *= 8
    try:
        for count in itertools.count():
            item, may_end = source.draw()
            if item is MISSING:
                return _leave(it, node, frame, first, True)
            is_long = count >= it.limits.unrolled and it.work - began > it.limits.steps // before
            if may_end or is_long or (it.work - began > it.limits.loop_work and count >= _PEELED):
                break
            if not _iteration(it, node, frame, first, item):
                return _leave(it, node, frame, first, False)
    finally:
        it.unrolling = before
    return _widen(it, node, frame, first, item, _Rounds(not may_end, source.is_unsure), source)


def _while(it: Interpreter, node: ast.While, frame: Frame) -> bool:
    began = it.work
    first = len(frame.exits)
    forever = isinstance(node.test, ast.Constant)
    limit = 3 if forever and frame.yields is not None else it.limits.unrolled if it.unrolling <= 8 else 4
    start, operations = it.steps, it.engines.operations
    for i in itertools.count():
        if i >= limit and (forever or it.steps - start > it.limits.steps // it.unrolling):
            break
        known = it.truth(it.evaluate(node.test, frame), node.test)
        if known is False:
            note_unrolled(it, node.test, i, i, it.engines.operations - operations)
            return _leave(it, node, frame, first, True)
        if known is None or (it.work - began > it.limits.loop_work and i >= _PEELED):
            break
        if not _iteration(it, node, frame, first, MISSING):
            return _leave(it, node, frame, first, False)
        if forever and any(e.kind == "break" for e in frame.exits[first:]) and i >= _PEELED:
            break
    return _widen(it, node, frame, first, MISSING, _Rounds())


class _Rounds(NamedTuple):
    """What is known of how often a loop is gone through, other than by its condition."""

    at_least_one: bool = False
    is_unsure: bool = False
    """Whether it hangs on what is no data of the program."""


def _iteration(
    it: Interpreter, node: ast.For | ast.AsyncFor | ast.While, frame: Frame, first: int, item: Value
) -> bool:
    """Execute the body once; whether another iteration may follow."""
    it.check_time()
    continues, conditions = frame.doubts.continues, it.conditions
    if item is not MISSING:
        assert not isinstance(node, ast.While)
        it.assign(node.target, item, frame)
    goes_on = it.execute(node.body, frame)
    continued = [e for e in frame.exits[first:] if e.kind == "continue"]
    if continued:
        frame.exits[first:] = [e for e in frame.exits[first:] if e.kind != "continue"]
        LOADING.meet((e.loaded for e in continued), goes_on)
        it.journal.meet_paths(frame.loop, [Path.of(e) for e in continued], goes_on)
        goes_on = True
    if frame.doubts.continues != continues:
        it.set_doubts(frame, frame.doubts._replace(continues=continues))
    it.conditions = conditions
    return goes_on


def _leave(it: Interpreter, node: ast.For | ast.AsyncFor | ast.While, frame: Frame, first: int, goes_on: bool) -> bool:
    """Behind the loop: its `else`, and the paths that broke out of it."""
    broken = [e for e in frame.exits[first:] if e.kind == "break"]
    frame.exits[first:] = [e for e in frame.exits[first:] if e.kind != "break"]
    if goes_on and node.orelse:
        try:
            goes_on = it.execute(node.orelse, frame)
        except (Raised, ProgramEnds) as ended:
            if not broken:
                raise
            if isinstance(ended, Raised):
                it.suppressed += 1
                note_end(it, ended)
            goes_on = False
    if broken:
        LOADING.meet((e.loaded for e in broken), goes_on)
        it.journal.meet_paths(frame.loop, [Path.of(e) for e in broken], goes_on)
        goes_on = True
    return goes_on


def _widen(
    it: Interpreter,
    node: ast.For | ast.AsyncFor | ast.While,
    frame: Frame,
    first: int,
    element: Value,
    rounds: _Rounds,
    source: Drawing | None = None,
) -> bool:
    """`_widened`, where what is drawn from one key in each round is told."""
    before = made(it)
    with in_rounds(it) as end_round:
        goes_on = _widened(it, node, frame, first, element, rounds, source, end_round)
    note_paths(it, before, 2)
    return goes_on


def _widened(
    it: Interpreter,
    node: ast.For | ast.AsyncFor | ast.While,
    frame: Frame,
    first: int,
    element: Value,
    rounds: _Rounds,
    source: Drawing | None,
    end_round: Callable[[int], None],
) -> bool:
    """Execute the body, joining the state behind it with that before it, until nothing changes.

    `element` is each item, or the next one with a `source` of more.  The body of a `for` is taken to be executed once
    at least: a mistake in it is one whenever it is executed.  One round tells that nothing changes.  A loop is gone
    through twice all the same, for what only a second round tells of (a key that is used again), but not once more in
    each further round of a loop around it: of n loops, one in the other, that would be 2**n rounds.
    """
    journal = it.journal
    if not it.widening:
        it.settled.clear()
    test = node.test if isinstance(node, ast.While) else None
    exits_normally = True
    why: Undecided | None = None
    is_known = source is None and it.widening > 0 and node in it.settled
    for attempt in range(it.limits.rounds):
        mark = journal.mark
        kept = list(frame.exits)
        if test is not None:
            value = it.evaluate(test, frame)
            known = it.truth(value, test)
            if known is False:
                break
            exits_normally = known is None
            why = undecided(it, value, test) if known is None else None
            rounds = _Rounds(known is True or rounds.at_least_one, why is not None and not why.is_data)
        if source is not None and attempt:
            following = source.draw_any()
            if following is MISSING:
                break
            element = join_all([element, following])
        # The loop may end before this iteration as well as behind it.
        unrolling, it.unrolling = it.unrolling, it.unrolling * 64
        it.widening += 1
        dangers = it.dangers
        try:
            goes_on = under(it, why, True, functools.partial(_iteration, it, node, frame, first, element))
        except Raised:
            if rounds.at_least_one:
                raise
            it.take_back(mark)
            it.may_raise += 1
            if rounds.is_unsure:
                doubt(it, frame)
            break
        finally:
            it.unrolling = unrolling
            it.widening -= 1
        if not goes_on:
            if it.dangers > dangers:
                it.take_back(mark)
            else:
                journal.undo(mark)
            break
        before = [*journal.before_round(mark)]
        end_round(mark)
        changed = False
        with journal.joining(), joining_in_doubt(rounds.is_unsure):
            for place, old in before:
                now = place.owner.variables.get(place.name, MISSING) if place.name else place.owner.snapshot()
                joined = join_contents(place, old, now)
                if old is MISSING:
                    journal.write(place, joined)
                    continue
                same = is_snapshot_alike if place.name is None else is_alike
                if not same(joined, old):
                    changed = True
                    if attempt >= it.limits.rounds - 2 and place.name is not None:
                        joined = Unknown("a variable that never settles in a loop")
                journal.write(place, joined)
        if not changed and (attempt or is_known):
            break
        del kept
    it.settled.add(node)
    return _leave(it, node, frame, first, exits_normally or test is None)


def element_of(items: list[Any], node: ast.AST) -> Value:
    """One value that describes each of the items; of integers one symbol with their bounds.

    A condition on it is one on data: each of the items comes.
    """
    if items and all(type(item) is int for item in items):
        low, high = min(items), max(items)
        size = symbol(f"i{getattr(node, 'lineno', 0)}_{low}_{high}", low, high)
        return ScalarValue(int, size=size, is_data=True)
    joined = join_all(items)
    return joined if not isinstance(joined, UnionValue) or len(joined.values) <= 4 else Unknown("the items differ")
