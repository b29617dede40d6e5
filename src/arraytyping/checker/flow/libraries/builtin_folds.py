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
from arraytyping.checker.flow.values import MISSING, IteratorValue, ScalarValue, SetValue, Unknown, Value, is_concrete

__all__ = ["fold", "passing"]

Kwargs = dict[str, Any]
Node = ast.AST | None

_MOST_TERMS: Final = 64


@handles("builtins.map")
@by_alternatives
def _map(it: Interpreter, args: list[Value], kwargs: Kwargs, node: Node) -> Value:
    if len(args) < 2:
        return wrong_call(it, "map", node)
    if any(isinstance(a, Unknown) for a in args[1:]):
        it.engines.havoc(it, [args[0]])
        return it.unknown("map over what is not understood")

    def run() -> tuple[list[Value] | None, Value, bool]:
        it.journal.touch(iterator)
        with taking(it, perhaps if it.asks else None):
            rows = zipped(it, args[1:], {}, node)
        if not isinstance(rows, IteratorValue):
            it.engines.havoc(it, [args[0]])
            return None, it.unknown("map over what is not understood"), False
        items = None if rows.items is None else [list(row) for row in rows.items]
        element = MISSING if rows.element is MISSING else list(rows.element)
        found: tuple[list[Value] | None, Value] = None, Unknown("items of which one raises")
        with producing(it) as production:
            found = call_each(it, args[0], items, element, node, production)
        watch(iterator, args[1:])
        return *found, rows.infinite

    iterator = IteratorValue(pending=run)
    return iterator


@handles("builtins.filter")
@by_alternatives
def _filter(it: Interpreter, args: list[Value], kwargs: Kwargs, node: Node) -> Value:
    if len(args) != 2:
        return wrong_call(it, "filter", node)
    if is_lazy(args[1]):

        def run() -> tuple[list[Value] | None, Value, bool]:
            it.journal.touch(iterator)
            with taking(it, perhaps if it.asks else None):
                found = it.iterate(args[1], node)
            return *passing(it, args[0], *found, True, node), False

        iterator = IteratorValue(pending=run)
        return iterator
    infinite = is_infinite(args[1])
    items, element = it.iterate(args[1], node)
    return IteratorValue(*passing(it, args[0], items, element, True, node), infinite)


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
    def handle(it: Interpreter, args: list[Value], kwargs: Kwargs, node: Node) -> Value:
        if len(args) != 1:
            return wrong_call(it, "any" if decisive else "all", node)
        if isinstance(args[0], Unknown):
            return it.unknown(args[0].why)
        with taking(it, goes_on(it)):
            items, element = it.iterate(args[0], node)
        if items is None:
            if element is MISSING:
                return not decisive
            known = it.truth(element, node)
            return not decisive if known is not None and known is not decisive else data_bool(element)
        hanging: list[Value] = []
        for i, item in enumerate(items):
            diagnostics = len(it.diagnostics) + it.suppressed
            known = it.truth(item, node)
            if len(it.diagnostics) + it.suppressed > diagnostics:
                return Unknown(MISTAKE)
            if known is decisive:
                # It ends here, so that an iterator keeps the items behind, unless it may have ended before.
                if not hanging:
                    _left(it, args[0], items[i + 1 :])
                return decisive
            if known is None:
                _left(it, args[0], None)
                hanging.append(item)
        return ScalarValue(bool, is_data=all(map(depends_on_data, hanging))) if hanging else not decisive

    return handle


handles("builtins.any")(_quantifier(True))
handles("builtins.all")(_quantifier(False))


@handles("builtins.sum")
@by_alternatives
def _sum(it: Interpreter, args: list[Any], kwargs: Kwargs, node: Node) -> Value:
    if not 1 <= len(args) <= 2:
        return wrong_call(it, "sum", node)
    total = args[1] if len(args) > 1 else kwargs.get("start", 0)
    if scalar_kinds(total) == (str,):
        return it.fail(node, "array-call", "TypeError: sum() can't sum strings; use ''.join(seq)")
    if isinstance(args[0], SetValue) and args[0].items is not None and all(type(v) is int for v in args[0].items):
        return it.binary("add", total, sum(args[0].items), node)
    return fold(it, lambda a, b: it.binary("add", a, b, node), total, *it.iterate(args[0], node))


def fold(it: Interpreter, operation: Any, total: Value, items: list[Value] | None, element: Value) -> Value:
    """The items combined from the left; for unknown ones, whatever their number may give."""
    if items is None:
        if element is MISSING:
            return total
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
    def handle(it: Interpreter, args: list[Value], kwargs: Kwargs, node: Node) -> Value:
        if not args:
            return wrong_call(it, name, node)
        if len(args) > 1:
            return extreme(it, operator, list(args), MISSING, kwargs, node)
        value = args[0]
        if isinstance(value, SetValue) and value.items is not None:
            return extreme(it, operator, sorted_if_possible(value.items), MISSING, kwargs, node)
        if isinstance(value, range) and len(value) > _MOST_TERMS and "key" not in kwargs:
            return (min if operator == "lt" else max)(value[0], value[-1])
        return extreme(it, operator, *it.iterate(value, node), kwargs, node)

    return handle


def sorted_if_possible(items: Any) -> list[Value]:
    """The items of a set in an order that is the same in every run, where there is one."""
    try:
        return sorted(items)
    except TypeError:
        return [join_all(items)] * len(items)


handles("builtins.min")(_extreme("min", "lt"))
handles("builtins.max")(_extreme("max", "gt"))
