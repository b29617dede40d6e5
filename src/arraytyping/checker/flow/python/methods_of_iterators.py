"""Methods of iterators and generators, and of tuples."""

from __future__ import annotations

import ast
from typing import Final

from arraytyping.checker.flow.python.method_tables import Methods, find, is_same
from arraytyping.checker.flow.state.aliases import describe_many
from arraytyping.checker.flow.state.forgetting import forget_reachable
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.laziness import perhaps, spoil, taking
from arraytyping.checker.flow.values import MISSING, DictValue, IteratorValue, ScalarValue, Value, remake_tuple
from arraytyping.checker.flow.values.calls import Call

__all__ = ["ITERATOR_METHODS", "TUPLE_METHODS", "following"]

ITERATOR_METHODS: Final = Methods("iterator")
TUPLE_METHODS: Final = Methods("tuple")

Node = ast.AST | None


_MOST_GIVEN: Final = 64


def following(it: Interpreter, value: IteratorValue, node: Node) -> Value:
    """The next item of an iterator, which is used up; MISSING if there surely is none."""
    spoil(it, value)
    with taking(it, perhaps):
        items = value.items
    if items is None:
        return describe_many(value.element)
    if not items:
        return MISSING
    it.journal.touch(value)
    item, value.items = items[0], items[1:]
    value.given = [*value.given[-_MOST_GIVEN:], item]
    return item


@ITERATOR_METHODS("__next__", "send", most=1)
def _next(it: Interpreter, value: IteratorValue, call: Call) -> Value:
    if call.args and call.args[0] is not None:
        # What is sent may change what comes.
        for known in (*value.given, *(value.items or ()), value.element):  # which are among what comes now
            forget_reachable(it.journal.touch, known, "what a generator gives again")
        it.journal.touch(value)
        value.items, value.element = None, it.unknown("what a generator gives to which something is sent")
    found = following(it, value, call.node)
    return it.fail(call.node, "array-call", "StopIteration: the iterator is used up") if found is MISSING else found


@ITERATOR_METHODS("__iter__")
def _iter(it: Interpreter, value: IteratorValue, call: Call) -> Value:
    return value


@ITERATOR_METHODS("close")
def _close(it: Interpreter, value: IteratorValue, call: Call) -> None:
    it.journal.touch(value)
    value.close()


@TUPLE_METHODS("index", least=1, most=3)
def _index(it: Interpreter, value: tuple[Value, ...], call: Call) -> Value:
    if len(call.args) > 1:
        return ScalarValue(int)
    at = find(it, value, call.args[0])
    if at == -1:
        return it.fail(call.node, "array-call", "ValueError: tuple.index(x): x not in tuple")
    return ScalarValue(int) if at is None else at


@TUPLE_METHODS("count", least=1, most=1)
def _count(it: Interpreter, value: tuple[Value, ...], call: Call) -> Value:
    results = [is_same(it, item, call.args[0]) for item in value]
    return ScalarValue(int) if None in results else results.count(True)


@TUPLE_METHODS("_replace", keywords=("**",))
def _replace(it: Interpreter, value: tuple[Value, ...], call: Call) -> Value:
    fields: tuple[str, ...] = value._fields  # type: ignore[attr-defined]
    if wrong := [name for name in call.kwargs if name not in fields]:
        return it.fail(call.node, "array-call", f"ValueError: _replace() got unexpected field names: {wrong}")
    return remake_tuple(value, [call.kwargs.get(name, item) for name, item in zip(fields, value)])


@TUPLE_METHODS("_asdict")
def _as_dict(it: Interpreter, value: tuple[Value, ...], call: Call) -> DictValue:
    return DictValue(dict(zip(value._fields, value)))  # type: ignore[attr-defined]


@TUPLE_METHODS("__len__")
def _length(it: Interpreter, value: tuple[Value, ...], call: Call) -> int:
    return len(value)


@TUPLE_METHODS("__getitem__", least=1, most=1)
def _get(it: Interpreter, value: tuple[Value, ...], call: Call) -> Value:
    return it.get_item(value, call.args[0], call.node)
