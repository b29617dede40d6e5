"""Methods of lists and deques."""

from __future__ import annotations

from typing import Final

from arraytyping.checker.flow.python.method_tables import Methods, find, is_same, unhashable
from arraytyping.checker.flow.python.ordering import ordered
from arraytyping.checker.flow.real_calls.weights import WIDEST
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.joins import join, join_all
from arraytyping.checker.flow.values import MISSING, BaseValue, ListValue, ScalarValue, Value
from arraytyping.checker.flow.values.calls import Call

__all__ = ["LIST_METHODS"]

LIST_METHODS: Final = Methods("list")


def _blur(value: ListValue, *more: Value) -> None:
    """Forget the order of the items, not their number; `more` are new ones."""
    assert value.items is not None
    items = [*value.items, *more]
    value.items = [join_all(items)] * len(items)


def _add(it: Interpreter, value: ListValue, added: list[Value] | None, element: Value, at_start: bool) -> None:
    it.journal.touch(value)
    if value.items is not None and added is not None and len(value.items) + len(added) <= WIDEST:
        value.items = [*added, *value.items] if at_start else [*value.items, *added]
        return
    old = value.element if value.items is None else join_all(value.items)
    value.element = join(old, element if added is None else join_all({id(v): v for v in added}.values()))
    value.items = None


@LIST_METHODS("append", least=1, most=1, takes_anything=True)
def _append(it: Interpreter, value: ListValue, call: Call) -> None:
    it.journal.touch(value)
    if value.items is None:
        value.element = join(value.element, call.args[0])
    else:
        value.items.append(call.args[0])


@LIST_METHODS("appendleft", least=1, most=1, takes_anything=True)
def _append_left(it: Interpreter, value: ListValue, call: Call) -> None:
    _add(it, value, [call.args[0]], MISSING, True)


@LIST_METHODS("extend", least=1, most=1)
def _extend(it: Interpreter, value: ListValue, call: Call) -> None:
    _add(it, value, *it.iterate(call.args[0], call.node), False)


@LIST_METHODS("extendleft", least=1, most=1)
def _extend_left(it: Interpreter, value: ListValue, call: Call) -> None:
    items, element = it.iterate(call.args[0], call.node)
    _add(it, value, None if items is None else items[::-1], element, True)


@LIST_METHODS("insert", least=2, most=2, takes_anything=True)
def _insert(it: Interpreter, value: ListValue, call: Call) -> None:
    it.journal.touch(value)
    if value.items is None:
        value.element = join(value.element, call.args[1])
    elif type(call.args[0]) is int:
        value.items.insert(call.args[0], call.args[1])
    else:
        _blur(value, call.args[1])


@LIST_METHODS("pop", most=1)
def _pop(it: Interpreter, value: ListValue, call: Call) -> Value:
    index = call.positional(0, -1)
    if index is None or isinstance(index, str | float | tuple | slice):
        kind = type(index).__name__
        return it.fail(call.node, "array-call", f"TypeError: {kind!r} object cannot be interpreted as an integer")
    if it.attempts and isinstance(index, BaseValue | type):
        it.obscure += 1
    if isinstance(index, bool):
        index = int(index)
    if value.items is None:
        if value.element is MISSING:
            return it.fail(call.node, "array-call", "IndexError: pop from an empty list")
        return value.element
    if not value.items:
        return it.fail(call.node, "array-call", "IndexError: pop from an empty list")
    it.journal.touch(value)
    if type(index) is not int:
        joined = join_all(value.items)
        value.items = [joined] * (len(value.items) - 1)
        return joined
    if not -len(value.items) <= index < len(value.items):
        return it.fail(
            call.node, "array-call", f"IndexError: pop index {index} is out of range: it has {len(value.items)} items"
        )
    return value.items.pop(index)


@LIST_METHODS("popleft")
def _pop_left(it: Interpreter, value: ListValue, call: Call) -> Value:
    return _pop(it, value, call.with_args([0]))


@LIST_METHODS("remove", least=1, most=1)
def _remove(it: Interpreter, value: ListValue, call: Call) -> None:
    if value.items is None:
        return
    at = find(it, value.items, call.args[0])
    if at == -1:
        it.fail(call.node, "array-call", "ValueError: list.remove(x): x not in list")
        return
    it.journal.touch(value)
    if at is None:
        value.items = [join_all(value.items)] * (len(value.items) - 1)
    else:
        del value.items[at]


@LIST_METHODS("clear")
def _clear(it: Interpreter, value: ListValue, call: Call) -> None:
    it.journal.touch(value)
    value.items, value.element = [], MISSING


@LIST_METHODS("index", least=1, most=3)
def _index(it: Interpreter, value: ListValue, call: Call) -> Value:
    if value.items is None or len(call.args) > 1:
        return ScalarValue(int)
    at = find(it, value.items, call.args[0])
    if at == -1:
        return it.fail(call.node, "array-call", "ValueError: the value is not in the list")
    return ScalarValue(int) if at is None else at


@LIST_METHODS("count", least=1, most=1)
def _count(it: Interpreter, value: ListValue, call: Call) -> Value:
    if value.items is None:
        return ScalarValue(int)
    results = [is_same(it, item, call.args[0]) for item in value.items]
    return ScalarValue(int) if None in results else results.count(True)


@LIST_METHODS("sort", keywords=("key", "reverse"))
def _sort(it: Interpreter, value: ListValue, call: Call) -> None:
    items, element = ordered(
        it, None if value.items is None else list(value.items), value.element, call.kwargs, call.node
    )
    it.journal.touch(value)
    value.items, value.element = items if items is None else list(items), element


@LIST_METHODS("reverse")
def _reverse(it: Interpreter, value: ListValue, call: Call) -> None:
    it.journal.touch(value)
    if value.items is not None:
        value.items.reverse()


@LIST_METHODS("rotate", most=1)
def _rotate(it: Interpreter, value: ListValue, call: Call) -> None:
    it.journal.touch(value)
    if value.items:
        steps = call.positional(0, 1)
        if type(steps) is int:
            steps %= len(value.items)
            value.items = value.items[len(value.items) - steps :] + value.items[: len(value.items) - steps]
        else:
            _blur(value)


@LIST_METHODS("copy", "__copy__")
def _copy(it: Interpreter, value: ListValue, call: Call) -> ListValue:
    return ListValue(None if value.items is None else list(value.items), value.element, value.kind)


@LIST_METHODS("__len__")
def _length(it: Interpreter, value: ListValue, call: Call) -> Value:
    return ScalarValue(int) if value.items is None else len(value.items)


@LIST_METHODS("__getitem__", least=1, most=1)
def _get(it: Interpreter, value: ListValue, call: Call) -> Value:
    return it.get_item(value, call.args[0], call.node)


@LIST_METHODS("isdisjoint", least=1, most=1)
def _is_disjoint(it: Interpreter, value: ListValue, call: Call) -> Value:
    items, _ = it.iterate(call.args[0], call.node)
    if (name := next(filter(None, map(unhashable, items or ())), None)) is not None:
        return it.fail(call.node, "array-call", f"TypeError: unhashable type: {name!r}")
    return ScalarValue(bool)
