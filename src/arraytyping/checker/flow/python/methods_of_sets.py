"""Methods of sets and frozensets."""

from __future__ import annotations

import ast
from typing import Final

from arraytyping.checker.flow.python.method_tables import Methods, unhashable
from arraytyping.checker.flow.real_calls.concrete_calls import set_order
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.joins import join, join_all
from arraytyping.checker.flow.values import MISSING, ScalarValue, SetValue, Value, is_concrete
from arraytyping.checker.flow.values.calls import Call

__all__ = ["SET_METHODS", "make_set"]

SET_METHODS: Final = Methods("set")

Node = ast.AST | None


def make_set(it: Interpreter, items: list[Value] | None, element: Value, kind: type, node: Node) -> Value:
    """A set of these items."""
    for item in items or ():
        if (name := unhashable(item)) is not None:
            return it.fail(node, "array-call", f"TypeError: unhashable type: {name!r}")
    if items is not None and all(map(is_concrete, items)):
        try:
            return SetValue(dict.fromkeys(items), kind=kind)
        except TypeError as error:
            return it.fail(node, "array-call", f"TypeError: {error}")
    return SetValue(None, element if items is None else join_all(items), kind)


def _element(value: SetValue) -> Value:
    return value.element if value.items is None else join_all(value.items)


def _as_set(it: Interpreter, value: Value, node: Node) -> SetValue:
    if isinstance(value, SetValue):
        return value
    made = make_set(it, *it.iterate(value, node), set, node)
    return made if isinstance(made, SetValue) else SetValue(None, made)


def _combined(it: Interpreter, operator: str, value: SetValue, others: list[Value], node: Node) -> SetValue:
    result = SetValue(None if value.items is None else dict(value.items), value.element, value.kind)
    for other in others:
        b = _as_set(it, other, node)
        if result.items is not None and b.items is not None:
            kept = getattr(set(result.items), operator)(b.items)
            result.items = {k: None for k in (*result.items, *b.items) if k in kept}
        else:
            # An intersection may hold what equals an item and is of the other set: 1.0 of {1}.
            of_one = operator == "difference"
            result.element = _element(result) if of_one else join(_element(result), _element(b))
            result.items = None
    return result


def _operation(name: str) -> None:
    least, most = (1, 1) if name == "symmetric_difference" else (0, None)

    @SET_METHODS(name, least=least, most=most)
    def _(it: Interpreter, value: SetValue, call: Call) -> SetValue:
        return _combined(it, name, value, call.args, call.node)

    @SET_METHODS("update" if name == "union" else f"{name}_update", least=least, most=most)
    def _(it: Interpreter, value: SetValue, call: Call) -> None:
        result = _combined(it, name, value, call.args, call.node)
        it.journal.touch(value)
        value.items, value.element = result.items, result.element


for _name in ("union", "intersection", "difference", "symmetric_difference"):
    _operation(_name)


def _comparison(name: str) -> None:
    @SET_METHODS(name, least=1, most=1)
    def _(it: Interpreter, value: SetValue, call: Call) -> Value:
        other = _as_set(it, call.args[0], call.node)
        if value.items is None or other.items is None:
            return ScalarValue(bool)
        return getattr(set(value.items), name)(other.items)


for _name in ("issubset", "issuperset", "isdisjoint"):
    _comparison(_name)


@SET_METHODS("add", least=1, most=1, takes_anything=True)
def _add(it: Interpreter, value: SetValue, call: Call) -> Value:
    item = call.args[0]
    if (name := unhashable(item)) is not None:
        return it.fail(call.node, "array-call", f"TypeError: unhashable type: {name!r}")
    it.journal.touch(value)
    if value.items is not None and is_concrete(item):
        value.items[item] = None
    else:
        value.element = join(_element(value), item)
        value.items = None
    return None


@SET_METHODS("discard", least=1, most=1)
def _discard(it: Interpreter, value: SetValue, call: Call) -> Value:
    if not isinstance(call.args[0], SetValue) and (name := unhashable(call.args[0])) is not None:
        return it.fail(call.node, "array-call", f"TypeError: unhashable type: {name!r}")
    if value.items is None:
        return None
    it.journal.touch(value)
    if is_concrete(call.args[0]):
        value.items.pop(call.args[0], None)
    else:
        value.element, value.items = _element(value), None
    return None


@SET_METHODS("remove", least=1, most=1)
def _remove(it: Interpreter, value: SetValue, call: Call) -> Value:
    if value.items is not None and is_concrete(call.args[0]) and call.args[0] not in value.items:
        return it.fail(call.node, "array-call", f"KeyError: {call.args[0]!r}")
    return _discard(it, value, call)


@SET_METHODS("pop")
def _pop(it: Interpreter, value: SetValue, call: Call) -> Value:
    if value.items is None:
        return value.element if value.element is not MISSING else it.unknown("an item of an unknown set")
    if not value.items:
        return it.fail(call.node, "array-call", "KeyError: 'pop from an empty set'")
    it.journal.touch(value)
    order = set_order(value.items)
    if order is None:
        value.element, value.items = _element(value), None
        return value.element
    del value.items[order[0]]
    return order[0] if len(order) == 1 else ScalarValue(int)


@SET_METHODS("clear")
def _clear(it: Interpreter, value: SetValue, call: Call) -> None:
    it.journal.touch(value)
    value.items, value.element = {}, MISSING


@SET_METHODS("copy", "__copy__")
def _copy(it: Interpreter, value: SetValue, call: Call) -> SetValue:
    return SetValue(None if value.items is None else dict(value.items), value.element, value.kind)


@SET_METHODS("__len__")
def _length(it: Interpreter, value: SetValue, call: Call) -> Value:
    return ScalarValue(int) if value.items is None else len(value.items)
