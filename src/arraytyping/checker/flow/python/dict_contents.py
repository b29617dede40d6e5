"""What is in a dict, and what becomes of it when items of unknown keys, pairs or counts come in."""

from __future__ import annotations

import ast
from typing import Any

from arraytyping.checker.flow.python.method_tables import unhashable
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.joins import join, join_all
from arraytyping.checker.flow.values import MISSING, DictValue, ScalarValue, Unknown, Value, ViewValue, is_key
from arraytyping.checker.flow.values.calls import Call

__all__ = ["count", "in_some_order", "keys_of", "lookup", "put_pairs", "put_unknown", "refuse_key", "values_of"]

Node = ast.AST | None


def values_of(value: DictValue) -> Any:
    """One value for all items; MISSING if there surely are none."""
    return value.element if value.items is None else join_all(value.items.values())


def keys_of(value: DictValue) -> Any:
    """One value for all keys; MISSING if there surely are none."""
    return value.key if value.items is None else join_all(value.items)


def in_some_order(value: Value) -> list[Any] | None:
    """The items of a dict, or of a view, in an order that they may have; None if it is known in which they are."""
    if isinstance(value, ViewValue):
        return None if value.of.items is None or value.of.is_ordered else value.items
    return list(value.items) if isinstance(value, DictValue) and value.items and not value.is_ordered else None


def lookup(value: DictValue, key: Value) -> tuple[Value, bool]:
    """What is under a key (MISSING if nothing can be), and whether the key certainly is there."""
    if value.items is None:
        return value.element, False
    if not is_key(key):
        return values_of(value), False
    try:
        return value.items.get(key, MISSING), key in value.items
    except TypeError:
        return MISSING, False


def refuse_key(it: Interpreter, key: Value, node: Node) -> Value:
    """A mistake if a key is certainly not hashable."""
    name = unhashable(key)
    return None if name is None else it.fail(node, "array-call", f"TypeError: unhashable type: {name!r}")


def put_unknown(it: Interpreter, value: DictValue, key: Value, element: Value) -> None:
    """Put an item under a key of which it is not known which one it is."""
    if key is MISSING and element is MISSING:
        return
    it.journal.touch(value)
    value.key, value.element = join(keys_of(value), key), join(values_of(value), element)
    value.items = None


def put_pairs(it: Interpreter, value: DictValue, pairs: Value, node: Node) -> None:
    """Put in the pairs of a key and an item that an iterable gives."""
    items, element = it.iterate(pairs, node)
    if items is None:
        if element is not MISSING:
            with it.quietly():  # there may be none
                key, item = _pair(it, element, node)
            put_unknown(it, value, key, item)
        return
    for pair in items:
        key, item = _pair(it, pair, node)
        if isinstance(key, Unknown) and isinstance(item, Unknown) and key is item:
            put_unknown(it, value, key, item)
        else:
            it.put_item(value, key, item, node)


def _pair(it: Interpreter, pair: Value, node: Node) -> tuple[Value, Value]:
    items, element = it.iterate(pair, node)
    if items is None:
        unknown = element if isinstance(element, Unknown) else it.unknown("a pair of unknown length")
        return unknown, unknown
    if len(items) != 2:
        wrong = it.fail(
            node, "array-call", f"ValueError: a dictionary's element has length {len(items)}; 2 is required"
        )
        return wrong, wrong
    return items[0], items[1]


def count(it: Interpreter, value: DictValue, call: Call, sign: int) -> None:
    """Add the counts of items, or of a mapping, to a counter, or take them away."""
    pairs: list[tuple[Value, Value]] = list(call.kwargs.items())
    for other in call.args:
        if other is None:
            continue
        if isinstance(other, DictValue) and other.items is not None:
            pairs += other.items.items()
            continue
        items, element = (None, other.key) if isinstance(other, DictValue) else it.iterate(other, call.node)
        if items is None:
            put_unknown(it, value, element, MISSING if element is MISSING else ScalarValue(int))
        else:
            pairs += [(item, 1) for item in items]
    for key, number in pairs:
        found, certain = lookup(value, key)
        before = found if certain else join(0, found)
        it.put_item(value, key, it.binary("add" if sign > 0 else "sub", before, number, call.node), call.node)
