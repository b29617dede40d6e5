"""Methods of dicts, also ordered ones, those with a default, and counters."""

from __future__ import annotations

import ast
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
    Value,
    ViewValue,
    is_concrete,
    is_key,
)

__all__ = ["DICT_METHODS", "update"]

Kwargs = dict[str, Any]
Node = ast.AST | None

DICT_METHODS: Final = Methods("dict")


def _view(value: DictValue, part: str) -> ViewValue:
    is_ordered = isinstance(value.kind, type) and issubclass(value.kind, OrderedDict)
    return ViewValue(value, type(getattr(OrderedDict() if is_ordered else {}, part)()))


@DICT_METHODS("keys")
def _keys_view(it: Interpreter, value: DictValue, args: list[Value], kwargs: Kwargs, node: Node) -> ViewValue:
    return _view(value, "keys")


@DICT_METHODS("values")
def _values_view(it: Interpreter, value: DictValue, args: list[Value], kwargs: Kwargs, node: Node) -> ViewValue:
    return _view(value, "values")


@DICT_METHODS("items")
def _items_view(it: Interpreter, value: DictValue, args: list[Value], kwargs: Kwargs, node: Node) -> ViewValue:
    return _view(value, "items")


@DICT_METHODS("get", least=1, most=2)
def _get(it: Interpreter, value: DictValue, args: list[Value], kwargs: Kwargs, node: Node) -> Value:
    default = args[1] if len(args) > 1 else None
    if (wrong := refuse_key(it, args[0], node)) is not None:
        return wrong
    with joining_in_doubt(not depends_on_data(args[0])):
        found, certain = lookup(value, args[0])
        if certain:
            return found
        if isinstance(found, Unknown):
            return it.unknown(found.why)
        return join(default, found)


@DICT_METHODS("pop", least=1, most=2)
def _pop(it: Interpreter, value: DictValue, args: list[Value], kwargs: Kwargs, node: Node) -> Value:
    if (wrong := refuse_key(it, args[0], node)) is not None:
        return wrong
    found, certain = lookup(value, args[0])
    if found is MISSING and len(args) < 2:
        if value.items is None:
            return it.unknown("an item of a dict of unknown keys")
        return it.fail(node, "array-call", f"KeyError: {args[0]!r}")
    it.journal.touch(value)
    if certain:
        assert value.items is not None
        del value.items[args[0]]
        return found
    if value.items is not None and not is_key(args[0]):
        forget_items(value)
    return join(found, args[1]) if len(args) > 1 else found


@DICT_METHODS("popitem", keywords=("last",))
def _pop_item(it: Interpreter, value: DictValue, args: list[Value], kwargs: Kwargs, node: Node) -> Value:
    if value.items is None:
        return (value.key, value.element) if value.key is not MISSING else it.unknown("an item of an unknown dict")
    if not value.items:
        return it.fail(node, "array-call", "KeyError: 'popitem(): dictionary is empty'")
    last = it.truth(kwargs.get("last", True), None)
    it.journal.touch(value)
    if last is None:
        pair = keys_of(value), values_of(value)
        forget_items(value)
        return pair
    key = list(value.items)[-1 if last else 0]
    return key, value.items.pop(key)


@DICT_METHODS("setdefault", least=1, most=2)
def _set_default(it: Interpreter, value: DictValue, args: list[Value], kwargs: Kwargs, node: Node) -> Value:
    default = args[1] if len(args) > 1 else None
    if (wrong := refuse_key(it, args[0], node)) is not None:
        return wrong
    found, certain = lookup(value, args[0])
    if certain:
        return found
    it.put_item(value, args[0], join(found, default), node)
    return join(found, default)


@DICT_METHODS("__ior__", least=1, most=1)
@DICT_METHODS("update", most=1, keywords=("**",))
def update(it: Interpreter, value: DictValue, args: list[Value], kwargs: Kwargs, node: Node) -> None:
    """What `dict.update` does; a counter adds up instead."""
    if value.kind is Counter:
        count(it, value, args, kwargs, node, 1)
        return
    for other in args:
        if isinstance(other, InstanceValue | TreeValue):
            other = items_of_mapping(it, other, node)
        if isinstance(other, DictValue):
            if other.items is None:
                put_unknown(it, value, other.key, other.element)
            else:
                for key, item in list(other.items.items()):
                    it.put_item(value, key, item, node)
        elif isinstance(other, Unknown | InstanceValue | TreeValue):
            if isinstance(other, InstanceValue) and other.cls.find("keys") is MISSING:
                put_pairs(it, value, other, node)
                continue
            it.journal.touch(value)
            forget_items(value)
            value.key = value.element = it.unknown("an item of an unknown mapping")
        else:
            put_pairs(it, value, other, node)
    for key, item in kwargs.items():
        it.put_item(value, key, item, node)


@DICT_METHODS("copy", "__copy__")
def copy(it: Interpreter, value: DictValue, args: list[Value], kwargs: Kwargs, node: Node) -> DictValue:
    """A shallow copy."""
    items = None if value.items is None else dict(value.items)
    return DictValue(items, value.key, value.element, value.kind, value.factory)


@DICT_METHODS("clear")
def _clear(it: Interpreter, value: DictValue, args: list[Value], kwargs: Kwargs, node: Node) -> None:
    it.journal.touch(value)
    value.items, value.key, value.element = {}, MISSING, MISSING


@DICT_METHODS("fromkeys", least=1, most=2)
def from_keys(it: Interpreter, value: DictValue, args: list[Value], kwargs: Kwargs, node: Node) -> DictValue:
    """A dict of these keys, all with the same value."""
    made = DictValue({}, kind=value.kind)
    item = args[1] if len(args) > 1 else None
    items, element = it.iterate(args[0], node)
    if items is None:
        return DictValue(None, element, item if element is not MISSING else MISSING, value.kind)
    for key in items:
        it.put_item(made, key, item, node)
    return made


@DICT_METHODS("move_to_end", least=1, most=2, keywords=("last",))
def _move_to_end(it: Interpreter, value: DictValue, args: list[Value], kwargs: Kwargs, node: Node) -> None:
    if value.items is None:
        return
    last = it.truth(args[1] if len(args) > 1 else kwargs.get("last", True), None)
    it.journal.touch(value)
    if not is_key(args[0]) or last is None:
        forget_items(value)
    elif args[0] not in value.items:
        it.fail(node, "array-call", f"KeyError: {args[0]!r}")
    else:
        item = value.items.pop(args[0])
        value.items = {**value.items, args[0]: item} if last else {args[0]: item, **value.items}


@DICT_METHODS("__len__")
def _length(it: Interpreter, value: DictValue, args: list[Value], kwargs: Kwargs, node: Node) -> Value:
    return ScalarValue(int) if value.items is None else len(value.items)


@DICT_METHODS("__getitem__", least=1, most=1)
def _get_item(it: Interpreter, value: DictValue, args: list[Value], kwargs: Kwargs, node: Node) -> Value:
    return it.get_item(value, args[0], node)


@DICT_METHODS("__setitem__", least=2, most=2)
def _set_item(it: Interpreter, value: DictValue, args: list[Value], kwargs: Kwargs, node: Node) -> None:
    it.put_item(value, args[0], args[1], node)


@DICT_METHODS("__contains__", least=1, most=1)
def _contains(it: Interpreter, value: DictValue, args: list[Value], kwargs: Kwargs, node: Node) -> Value:
    return it.binary("in", args[0], value, node)


@DICT_METHODS("subtract", most=1, keywords=("**",))
def _subtract(it: Interpreter, value: DictValue, args: list[Value], kwargs: Kwargs, node: Node) -> None:
    count(it, value, args, kwargs, node, -1)


@DICT_METHODS("most_common", most=1, keywords=("n",))
def _most_common(it: Interpreter, value: DictValue, args: list[Any], kwargs: Kwargs, node: Node) -> Value:
    number = args[0] if args else kwargs.get("n")
    if value.items is None:
        return ListValue(None, MISSING if value.key is MISSING else (value.key, value.element))
    counts = list(value.items.values())
    pairs: list[Any]
    if not all(map(is_concrete, counts)):
        pairs = [(keys_of(value), values_of(value))] * len(counts)
    else:
        best, _ = ordered(it, counts, MISSING, {"reverse": True}, node)
        assert best is not None
        pairs = sorted(value.items.items(), key=lambda pair: best.index(pair[1]))
    if number is None or type(number) is int:
        return ListValue(pairs[:number])
    return ListValue(None, join_all(pairs))


@DICT_METHODS("elements")
def _elements(it: Interpreter, value: DictValue, args: list[Any], kwargs: Kwargs, node: Node) -> Value:
    items: dict[Any, Any] | None = value.items
    if items is not None and all(type(v) is int for v in items.values()):
        return IteratorValue([key for key, number in items.items() for _ in range(number)])
    return IteratorValue(None, keys_of(value))


@DICT_METHODS("total")
def _total(it: Interpreter, value: DictValue, args: list[Any], kwargs: Kwargs, node: Node) -> Value:
    items: dict[Any, Any] | None = value.items
    if items is not None and all(type(v) is int for v in items.values()):
        return sum(items.values())
    return ScalarValue(int)
