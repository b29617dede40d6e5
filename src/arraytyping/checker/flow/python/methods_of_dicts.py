"""Methods of dicts, also ordered ones, those with a default, and counters."""

from __future__ import annotations

from collections import Counter, OrderedDict
from typing import Any, Final

from arraytyping.checker.flow.python.dict_contents import (
    count,
    keys_of,
    lookup,
    put_pairs,
    put_unknown,
    refuse_key,
    values_of,
)
from arraytyping.checker.flow.python.mappings import items_of_mapping
from arraytyping.checker.flow.python.method_tables import Methods
from arraytyping.checker.flow.python.ordering import ordered
from arraytyping.checker.flow.python.targets import forget_items
from arraytyping.checker.flow.state.certainty import depends_on_data
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.joins import join, join_all, joining_in_doubt
from arraytyping.checker.flow.values import (
    MISSING,
    DictValue,
    InstanceValue,
    IteratorValue,
    ListValue,
    ScalarValue,
    TreeValue,
    Unknown,
    Unordered,
    Value,
    ViewValue,
    is_concrete,
    is_key,
)
from arraytyping.checker.flow.values.calls import Call

__all__ = ["DICT_METHODS", "update"]


DICT_METHODS: Final = Methods("dict")


def _view(value: DictValue, part: str) -> ViewValue:
    is_ordered = isinstance(value.kind, type) and issubclass(value.kind, OrderedDict)
    return ViewValue(value, type(getattr(OrderedDict() if is_ordered else {}, part)()))


@DICT_METHODS("keys")
def _keys_view(it: Interpreter, value: DictValue, call: Call) -> ViewValue:
    return _view(value, "keys")


@DICT_METHODS("values")
def _values_view(it: Interpreter, value: DictValue, call: Call) -> ViewValue:
    return _view(value, "values")


@DICT_METHODS("items")
def _items_view(it: Interpreter, value: DictValue, call: Call) -> ViewValue:
    return _view(value, "items")


@DICT_METHODS("get", least=1, most=2)
def _get(it: Interpreter, value: DictValue, call: Call) -> Value:
    default = call.positional(1)
    if (wrong := refuse_key(it, call.args[0], call.node)) is not None:
        return wrong
    with joining_in_doubt(not depends_on_data(call.args[0])):
        found, certain = lookup(value, call.args[0])
        if certain:
            return found
        if isinstance(found, Unknown):
            return it.unknown(found.why)
        return join(default, found)


@DICT_METHODS("pop", least=1, most=2)
def _pop(it: Interpreter, value: DictValue, call: Call) -> Value:
    if (wrong := refuse_key(it, call.args[0], call.node)) is not None:
        return wrong
    found, certain = lookup(value, call.args[0])
    if found is MISSING and len(call.args) < 2:
        if value.items is None:
            return it.unknown("an item of a dict of unknown keys")
        return it.fail(call.node, "array-call", f"KeyError: {call.args[0]!r}")
    it.journal.touch(value)
    if certain:
        assert value.items is not None
        del value.items[call.args[0]]
        return found
    if value.items is not None and not is_key(call.args[0]):
        forget_items(value)
    return join(found, call.args[1]) if len(call.args) > 1 else found


@DICT_METHODS("popitem", keywords=("last",))
def _pop_item(it: Interpreter, value: DictValue, call: Call) -> Value:
    if value.items is None:
        return (value.key, value.element) if value.key is not MISSING else it.unknown("an item of an unknown dict")
    if not value.items:
        return it.fail(call.node, "array-call", "KeyError: 'popitem(): dictionary is empty'")
    last = it.truth(call.kwargs.get("last", True), None)
    it.journal.touch(value)
    if last is None or not value.is_ordered:
        pair = keys_of(value), values_of(value)
        forget_items(value)
        return pair
    key = list(value.items)[-1 if last else 0]
    return key, value.items.pop(key)


@DICT_METHODS("setdefault", least=1, most=2)
def _set_default(it: Interpreter, value: DictValue, call: Call) -> Value:
    default = call.positional(1)
    if (wrong := refuse_key(it, call.args[0], call.node)) is not None:
        return wrong
    found, certain = lookup(value, call.args[0])
    if certain:
        return found
    it.put_item(value, call.args[0], join(found, default), call.node)
    return join(found, default)


@DICT_METHODS("__ior__", least=1, most=1)
@DICT_METHODS("update", most=1, keywords=("**",))
def update(it: Interpreter, value: DictValue, call: Call) -> None:
    """What `dict.update` does; a counter adds up instead."""
    if value.kind is Counter:
        count(it, value, call, 1)
        return
    for other in call.args:
        if isinstance(other, InstanceValue | TreeValue):
            other = items_of_mapping(it, other, call.node)
        if isinstance(other, DictValue):
            if other.items is None:
                put_unknown(it, value, other.key, other.element)
            else:
                for key, item in list(other.items.items()):
                    it.put_item(value, key, item, call.node)
                if value.items is not None and not other.is_ordered:
                    value.items = Unordered(value.items)
        elif isinstance(other, Unknown | InstanceValue | TreeValue):
            if isinstance(other, InstanceValue) and other.cls.find("keys") is MISSING:
                put_pairs(it, value, other, call.node)
                continue
            it.journal.touch(value)
            forget_items(value)
            value.key = value.element = it.unknown("an item of an unknown mapping")
        else:
            put_pairs(it, value, other, call.node)
    for key, item in call.kwargs.items():
        it.put_item(value, key, item, call.node)


@DICT_METHODS("copy", "__copy__")
def copy(it: Interpreter, value: DictValue, call: Call) -> DictValue:
    """A shallow copy."""
    items = None if value.items is None else value.copied()
    return DictValue(items, value.key, value.element, value.kind, value.factory)


@DICT_METHODS("clear")
def _clear(it: Interpreter, value: DictValue, call: Call) -> None:
    it.journal.touch(value)
    value.items, value.key, value.element = {}, MISSING, MISSING


@DICT_METHODS("fromkeys", least=1, most=2)
def from_keys(it: Interpreter, value: DictValue, call: Call) -> DictValue:
    """A dict of these keys, all with the same value."""
    made = DictValue({}, kind=value.kind)
    item = call.positional(1)
    items, element = it.iterate(call.args[0], call.node)
    if items is None:
        return DictValue(None, element, item if element is not MISSING else MISSING, value.kind)
    for key in items:
        it.put_item(made, key, item, call.node)
    return made


@DICT_METHODS("move_to_end", least=1, most=2, keywords=("last",))
def _move_to_end(it: Interpreter, value: DictValue, call: Call) -> None:
    if value.items is None:
        return
    last = it.truth(call.argument(1, "last", True), None)
    it.journal.touch(value)
    if not is_key(call.args[0]) or last is None:
        forget_items(value)
    elif call.args[0] not in value.items:
        it.fail(call.node, "array-call", f"KeyError: {call.args[0]!r}")
    else:
        item = value.items.pop(call.args[0])
        value.items = {**value.items, call.args[0]: item} if last else {call.args[0]: item, **value.items}


@DICT_METHODS("__len__")
def _length(it: Interpreter, value: DictValue, call: Call) -> Value:
    return ScalarValue(int) if value.items is None else len(value.items)


@DICT_METHODS("__getitem__", least=1, most=1)
def _get_item(it: Interpreter, value: DictValue, call: Call) -> Value:
    return it.get_item(value, call.args[0], call.node)


@DICT_METHODS("__setitem__", least=2, most=2)
def _set_item(it: Interpreter, value: DictValue, call: Call) -> None:
    it.put_item(value, call.args[0], call.args[1], call.node)


@DICT_METHODS("__contains__", least=1, most=1)
def _contains(it: Interpreter, value: DictValue, call: Call) -> Value:
    return it.binary("in", call.args[0], value, call.node)


@DICT_METHODS("subtract", most=1, keywords=("**",))
def _subtract(it: Interpreter, value: DictValue, call: Call) -> None:
    count(it, value, call, -1)


@DICT_METHODS("most_common", most=1, keywords=("n",))
def _most_common(it: Interpreter, value: DictValue, call: Call) -> Value:
    number = call.argument(0, "n")
    if value.items is None:
        return ListValue(None, MISSING if value.key is MISSING else (value.key, value.element))
    counts = list(value.items.values())
    pairs: list[Any]
    if not all(map(is_concrete, counts)):
        pairs = [(keys_of(value), values_of(value))] * len(counts)
    else:
        best, _ = ordered(it, counts, MISSING, {"reverse": True}, call.node)
        assert best is not None
        pairs = sorted(value.items.items(), key=lambda pair: best.index(pair[1]))
    if number is None or type(number) is int:
        return ListValue(pairs[:number])
    return ListValue(None, join_all(pairs))


@DICT_METHODS("elements")
def _elements(it: Interpreter, value: DictValue, call: Call) -> Value:
    items: dict[Any, Any] | None = value.items
    if items is not None and all(type(v) is int for v in items.values()):
        return IteratorValue([key for key, number in items.items() for _ in range(number)])
    return IteratorValue(None, keys_of(value))


@DICT_METHODS("total")
def _total(it: Interpreter, value: DictValue, call: Call) -> Value:
    items: dict[Any, Any] | None = value.items
    if items is not None and all(type(v) is int for v in items.values()):
        return sum(items.values())
    return ScalarValue(int)
