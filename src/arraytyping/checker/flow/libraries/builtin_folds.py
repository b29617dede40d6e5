"""Builtin functions that go through all items: `map`, `filter`, `any`, `all`, `sum`, `min` and `max`."""

from __future__ import annotations

import ast
from typing import Any, Final

from arraytyping.checker.flow.libraries.builtin_functions import is_infinite, wrong_call, zipped
from arraytyping.checker.flow.libraries.registry import Handler, handles
from arraytyping.checker.flow.python.ordering import extreme
from arraytyping.checker.flow.state.certainty import Undecided, data_bool, depends_on_data, undecided
from arraytyping.checker.flow.state.identity import identity
from arraytyping.checker.flow.state.interpreter import MISTAKE, Interpreter
from arraytyping.checker.flow.state.joins import join, join_all, scalar_kinds
from arraytyping.checker.flow.state.laziness import is_lazy, perhaps, producing, taking, watch
from arraytyping.checker.flow.state.repeated import by_alternatives, call_each
from arraytyping.checker.flow.values import (
    MISSING,
    IteratorValue,
    ListValue,
    ScalarValue,
    SetValue,
    Unknown,
    Value,
    is_concrete,
)
from arraytyping.checker.flow.values.calls import Call

__all__ = ["fold", "passing"]

Node = ast.AST | None

_MOST_TERMS: Final = 64


@handles("builtins.map")
@by_alternatives
def _map(it: Interpreter, call: Call) -> Value:
    if len(call.args) < 2:
        return wrong_call(it, "map", call.node)
    if any(isinstance(a, Unknown) for a in call.args[1:]):
        it.engines.havoc(it, [call.args[0]])
        return it.unknown("map over what is not understood")

    def run() -> tuple[list[Value] | None, Value, bool]:
        it.journal.touch(iterator)
        with taking(it, perhaps if it.asks else None):
            rows = zipped(it, Call(call.args[1:], {}, call.node))
        if not isinstance(rows, IteratorValue):
            it.engines.havoc(it, [call.args[0]])
            return None, it.unknown("map over what is not understood"), False
        items = None if rows.items is None else [list(row) for row in rows.items]
        element = MISSING if rows.element is MISSING else list(rows.element)
        found: tuple[list[Value] | None, Value] = None, Unknown("items of which one raises")
        with producing(it) as production:
            found = call_each(it, call.args[0], items, element, call.node, production)
        watch(iterator, call.args[1:])
        return *found, rows.infinite

    iterator = IteratorValue(pending=run)
    return iterator


@handles("builtins.filter")
@by_alternatives
def _filter(it: Interpreter, call: Call) -> Value:
    if len(call.args) != 2:
        return wrong_call(it, "filter", call.node)
    if is_lazy(call.args[1]):

        def run() -> tuple[list[Value] | None, Value, bool]:
            it.journal.touch(iterator)
            with taking(it, perhaps if it.asks else None):
                found = it.iterate(call.args[1], call.node)
            return *passing(it, call.args[0], *found, True, call.node), False

        iterator = IteratorValue(pending=run)
        return iterator
    infinite = is_infinite(call.args[1])
    items, element = it.iterate(call.args[1], call.node)
    return IteratorValue(*passing(it, call.args[0], items, element, True, call.node), infinite)


def passing(
    it: Interpreter, function: Value, items: list[Any] | None, element: Value, wanted: bool, node: Node
) -> tuple[list[Value] | None, Value]:
    """The items for which a function, or their own truth if it is None, is as wanted."""
    if function is None:
        results: list[Value] | None = items
    else:
        rows = None if items is None else [[item] for item in items]
        results, _ = call_each(it, function, rows, MISSING if element is MISSING else [element], node)
    if items is None:
        return None, element
    if results is None:
        return None, join_all(items)
    truths = [it.truth(result, node) for result in results]
    found = [item for item, known in zip(items, truths) if known is None or known is wanted]
    return (None, join_all(found)) if None in truths else (found, MISSING)


def _left(it: Interpreter, value: Value, items: list[Value] | None) -> None:
    """What is still to come of an iterator of which not all was taken; None if that is not known."""
    if isinstance(value, IteratorValue) and not value.infinite:
        it.journal.touch(value)
        value.items = items or None  # what comes behind the last one taken was perhaps not evaluated
        value.element = MISSING if items else it.unknown("what is left of an iterator")


def _quantifier(decisive: bool) -> Handler:
    def goes_on(it: Interpreter) -> Any:
        def asks(item: Value) -> Undecided | bool:
            with it.quietly():
                known = it.truth(item, None)
            return undecided(it, item, None) if known is None else known is not decisive

        return asks

    @by_alternatives
    def handle(it: Interpreter, call: Call) -> Value:
        if len(call.args) != 1:
            return wrong_call(it, "any" if decisive else "all", call.node)
        if isinstance(call.args[0], Unknown):
            return it.unknown(call.args[0].why)
        with taking(it, goes_on(it)):
            items, element = it.iterate(call.args[0], call.node)
        if items is None:
            if element is MISSING:
                return not decisive
            known = it.truth(element, call.node)
            return not decisive if known is not None and known is not decisive else data_bool(element)
        hanging: list[Value] = []
        for i, item in enumerate(items):
            diagnostics = len(it.diagnostics) + it.suppressed
            known = it.truth(item, call.node)
            if len(it.diagnostics) + it.suppressed > diagnostics:
                return Unknown(MISTAKE)
            if known is decisive:
                # It ends here, so that an iterator keeps the items behind, unless it may have ended before.
                if not hanging:
                    _left(it, call.args[0], items[i + 1 :])
                return decisive
            if known is None:
                _left(it, call.args[0], None)
                hanging.append(item)
        return ScalarValue(bool, is_data=all(map(depends_on_data, hanging))) if hanging else not decisive

    return handle


handles("builtins.any")(_quantifier(True))
handles("builtins.all")(_quantifier(False))


@handles("builtins.sum")
@by_alternatives
def _sum(it: Interpreter, call: Call) -> Value:
    if not 1 <= len(call.args) <= 2:
        return wrong_call(it, "sum", call.node)
    total = call.argument(1, "start", 0)
    if scalar_kinds(total) == (str,):
        return it.fail(call.node, "array-call", "TypeError: sum() can't sum strings; use ''.join(seq)")
    if (
        isinstance(call.args[0], SetValue)
        and call.args[0].items is not None
        and all(type(v) is int for v in call.args[0].items)
    ):
        return it.binary("add", total, sum(call.args[0].items), call.node)
    has_items = isinstance(call.args[0], ListValue) and call.args[0].has_items
    items, element = it.iterate(call.args[0], call.node)
    return fold(it, lambda a, b: it.binary("add", a, b, call.node), total, items, element, has_items)


def fold(
    it: Interpreter, operation: Any, total: Value, items: list[Value] | None, element: Value, has_items: bool = False
) -> Value:
    """The items combined from the left; for unknown ones, whatever their number may give."""
    if items is None:
        if element is MISSING:
            return total
        if has_items:
            total = operation(total, element)
        result = total
        for _ in range(6):
            total = operation(total, element)
            joined = join(result, total)
            if identity(joined) == identity(result):
                return result
            result = total = joined
        return it.unknown("a sum that does not settle")
    for i, item in enumerate(items):
        it.check_time()
        before, total = total, operation(total, item)
        if isinstance(total, Unknown):
            return total
        settled = i % 16 == 15 and not is_concrete(total) and identity(total) == identity(before)
        if settled and len({identity(v) for v in items[i:]}) == 1:
            return total
    return total


def _extreme(name: str, operator: str) -> Handler:
    @by_alternatives
    def handle(it: Interpreter, call: Call) -> Value:
        if not call.args:
            return wrong_call(it, name, call.node)
        if len(call.args) > 1:
            return extreme(it, operator, list(call.args), MISSING, call.kwargs, call.node)
        value = call.args[0]
        if isinstance(value, SetValue) and value.items is not None:
            return extreme(it, operator, sorted_if_possible(value.items), MISSING, call.kwargs, call.node)
        if isinstance(value, range) and len(value) > _MOST_TERMS and "key" not in call.kwargs:
            return (min if operator == "lt" else max)(value[0], value[-1])
        return extreme(it, operator, *it.iterate(value, call.node), call.kwargs, call.node)

    return handle


def sorted_if_possible(items: Any) -> list[Value]:
    """The items of a set in an order that is the same in every run, where there is one."""
    try:
        return sorted(items)
    except TypeError:
        return [join_all(items)] * len(items)


handles("builtins.min")(_extreme("min", "lt"))
handles("builtins.max")(_extreme("max", "gt"))
