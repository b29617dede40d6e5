"""Calls of functions that a library makes: for each of some items, or an unknown number of times."""

from __future__ import annotations

import ast
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from arraytyping.checker.flow.state.branching import branch, of_each
from arraytyping.checker.flow.state.certainty import Undecided, under
from arraytyping.checker.flow.state.forgotten_sizes import without_names
from arraytyping.checker.flow.state.fresh_sizes import names_since, names_so_far
from arraytyping.checker.flow.state.identity import is_alike, is_snapshot_alike
from arraytyping.checker.flow.state.interpreter import Interpreter, Raised
from arraytyping.checker.flow.state.joins import join
from arraytyping.checker.flow.state.journal import join_contents
from arraytyping.checker.flow.state.laziness import Enough, Production
from arraytyping.checker.flow.state.numbering import made, note_paths
from arraytyping.checker.flow.values import MISSING, UnionValue, Unknown, Value
from arraytyping.checker.flow.values.calls import Call

__all__ = ["by_alternatives", "call_each", "call_maybe", "call_repeatedly"]

_MOST_CALLS = 256


def call_each(
    it: Interpreter,
    function: Value,
    items: list[Any] | None,
    element: Any,
    node: ast.AST | None,
    production: Production | None = None,
) -> tuple[list[Value] | None, Value]:
    """What a function gives for each item, an argument list: in order, or one value for all.

    With a `production` they are items of an iterator that somebody takes one by one.
    """
    if items is None:
        return None, MISSING if element is MISSING else call_repeatedly(
            it, lambda: it.call(function, element, {}, node)
        )
    if len(items) <= _MOST_CALLS:
        results = []
        with suppress(Enough):
            for item in items:
                it.check_time()
                results.append(it.call(function, item, {}, node))
                if production is not None:
                    production.gave(results[-1])
        return results, MISSING
    columns = [_joined(column) for column in zip(*items)]
    return None, call_repeatedly(it, lambda: it.call(function, columns, {}, node))


def _joined(values: tuple[Value, ...]) -> Value:
    joined: Value = MISSING
    for value in values:
        joined = join(joined, value)
        if isinstance(joined, Unknown):
            break
    return joined


def call_repeatedly(it: Interpreter, call: Callable[[], Any]) -> Value:
    """The join of what a call gives that is made an unknown number of times, perhaps never.

    What it changes is joined with what was there, until nothing new comes, as in a loop.  A size that it invents is
    that of one call alone.
    """
    begun, before_making = names_so_far(it), made(it)
    found = _call_repeatedly(it, call)
    note_paths(it, before_making, 2)
    return without_names(found, names_since(it, begun))


def _call_repeatedly(it: Interpreter, call: Callable[[], Any]) -> Value:
    journal = it.journal
    result: Value = MISSING
    for attempt in range(it.limits.rounds):
        mark = journal.mark
        it.check_time()
        try:
            result = join(result, call())
        except Raised:  # perhaps there is no call at all
            it.take_back(mark)
            it.may_raise += 1
            return join(result, it.unknown("a call that raises"))
        changed = False
        for place, old in [*journal.before_round(mark)]:
            if old is MISSING and place.name is not None:
                continue
            now = place.owner.variables.get(place.name, MISSING) if place.name is not None else place.owner.snapshot()
            joined = join_contents(place, old, now)
            same = is_alike if place.name is not None else is_snapshot_alike
            if not same(joined, old):
                changed = True
                if attempt >= it.limits.rounds - 2 and place.name is not None:
                    joined = Unknown("a variable that never settles")
            journal.write(place, joined)
        if not changed:
            break
    return result


def call_maybe(it: Interpreter, call: Callable[[], Any], why: Undecided) -> None:
    """Make a call that is made or not: its changes are joined with what was there."""

    def path() -> bool:
        under(it, why, True, call)
        return True

    branch(it, it.frame, [path, lambda: True], not why.is_data)


def by_alternatives(
    handler: Callable[..., Value],
) -> Callable[[Interpreter, Call], Value]:
    """Make a handler for single values one for `UnionValue`: each is tried, and a mistake is one of all."""

    def handle(it: Interpreter, call: Call) -> Value:
        for i, value in enumerate(call.args):
            if isinstance(value, UnionValue):
                return _each(it, handle, call, i)
        for key, value in call.kwargs.items():
            if isinstance(value, UnionValue):
                return _each(it, handle, call, key)
        return handler(it, call)

    handle.__doc__ = handler.__doc__
    return handle


def _each(it: Interpreter, handle: Any, call: Call, at: Any) -> Value:
    chosen: Any = call.args[at] if isinstance(at, int) else call.kwargs[at]

    def called(value: Value) -> Value:
        if isinstance(at, int):
            return handle(it, call.with_args([*call.args[:at], value, *call.args[at + 1 :]]))
        return handle(it, call.with_kwargs({**call.kwargs, at: value}))

    return of_each(it, chosen.values, called)
