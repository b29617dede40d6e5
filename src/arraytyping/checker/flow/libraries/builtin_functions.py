"""Builtin functions on what can be iterated: `len`, `range`, `zip`, `sorted`, `next`, and so on."""

from __future__ import annotations

import ast
from typing import Any

from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.python.dict_contents import in_some_order
from arraytyping.checker.flow.python.drawing import Drawing
from arraytyping.checker.flow.python.iteration import length_of
from arraytyping.checker.flow.python.methods_of_iterators import following
from arraytyping.checker.flow.python.operator_names import kind_name
from arraytyping.checker.flow.python.operators_of_scalars import from_size
from arraytyping.checker.flow.python.ordering import ordered
from arraytyping.checker.flow.python.subscripts import as_index
from arraytyping.checker.flow.state.certainty import depends_on_data
from arraytyping.checker.flow.state.fresh_sizes import fresh_size
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.joins import join, join_all, scalar_kinds
from arraytyping.checker.flow.state.laziness import is_lazy, perhaps, so_many, spoil, taking, watch
from arraytyping.checker.flow.state.not_known import not_known
from arraytyping.checker.flow.state.repeated import by_alternatives, call_repeatedly
from arraytyping.checker.flow.values import (
    MISSING,
    ArrayValue,
    BaseValue,
    DictValue,
    InstanceValue,
    IteratorValue,
    ListValue,
    NumPyValue,
    ScalarValue,
    SetValue,
    Unknown,
    Value,
)
from arraytyping.checker.flow.values.calls import Call
from arraytyping.checker.swallowed import swallow
from arraytyping.checker.traced_sentences import LOOP_ADVICE

__all__ = ["is_infinite", "wrong_call", "zipped"]

Node = ast.AST | None


def wrong_call(it: Interpreter, name: str, node: Node) -> Unknown:
    """A call whose number of arguments Python refuses."""
    return it.fail(node, "array-call", f"TypeError: {name}() is called with a wrong number of arguments")


def is_infinite(value: Value) -> bool:
    """Whether an iterator never ends."""
    return isinstance(value, IteratorValue) and value.infinite


@handles("builtins.len")
@by_alternatives
def _len(it: Interpreter, call: Call) -> Value:
    if not call.has_only(1):
        return wrong_call(it, "len", call.node)
    value: Any = call.args[0]
    if type(value) is ListValue and value.length is not None:
        return from_size(value.length)
    if type(value) is ListValue and value.items is None and not (value.alias is not None and value.alias.is_many):
        value.length = fresh_size(it, "n")  # until something is written to it
        return from_size(value.length)
    if isinstance(value, ListValue | DictValue | SetValue):
        return from_size(fresh_size(it, "n")) if value.items is None else len(value.items)
    if isinstance(value, ArrayValue | NumPyValue):
        shape = value.aval.shape if isinstance(value, ArrayValue) else value.shape
        if shape is None:
            return ScalarValue(int)
        if not shape:
            return it.fail(call.node, "array-dim", "TypeError: len() of an array of rank 0")
        size = length_of(value)
        return from_size(fresh_size(it, "n") if size is None else size)
    if isinstance(value, InstanceValue):
        method = value.cls.find("__len__")
        if method is not MISSING:
            found = it.call(method, [value], {}, call.node)
            index = found.cls.find("__index__") if isinstance(found, InstanceValue) else MISSING
            return found if index is MISSING else it.call(index, [found], {}, call.node)
        if value.cls.kind == "unknown":
            return ScalarValue(int)
        return it.fail(call.node, "array-call", f"TypeError: object of type {value.cls.name!r} has no len()")
    kinds = scalar_kinds(value)
    if value is None or (kinds and not {str, bytes} & set(kinds)):
        return it.fail(call.node, "array-call", f"TypeError: {kind_name(value)} has no len()")
    if isinstance(value, Unknown):
        it.may_raise += 1
        return from_size(fresh_size(it, "n"))
    if isinstance(value, BaseValue):
        return from_size(fresh_size(it, "n")) if kinds else ScalarValue(int)
    try:
        return len(value)
    except TypeError as error:
        return it.fail(call.node, "array-call", f"TypeError: {error}")
    except Exception as error:
        swallow(error)
        return ScalarValue(int)


@handles("builtins.range")
@by_alternatives
def _range(it: Interpreter, call: Call) -> Value:
    if not 1 <= len(call.args) <= 3 or call.kwargs:
        return wrong_call(it, "range", call.node)
    bounds: list[Any] = [as_index(v) for v in call.args]
    for value in bounds:
        if isinstance(value, ArrayValue) and value.traced:
            message = f"range: {not_known(it, [value], call.node, LOOP_ADVICE)}"
            return it.fail(call.node, "array-traced", message)
        kinds = scalar_kinds(value)
        if value is None or (kinds and not {bool, int} & set(kinds)):
            return it.fail(
                call.node, "array-call", f"TypeError: {kind_name(value)} cannot be interpreted as an integer"
            )
        if isinstance(value, ArrayValue) and value.aval.shape:
            return it.fail(
                call.node, "array-call", "TypeError: only integer scalar arrays can be converted to a scalar index"
            )
    if all(type(v) in (int, bool) for v in bounds):
        try:
            return range(*bounds)
        except ValueError as error:
            return it.fail(call.node, "array-call", f"ValueError: {error}")
    # Of bounds that hang on nothing but data each number may come.
    is_data = all(type(v) in (int, bool) or depends_on_data(v) for v in bounds)
    return IteratorValue(None, ScalarValue(int, is_data=is_data))


@handles("builtins.zip")
@by_alternatives
def zipped(it: Interpreter, call: Call) -> Value:
    """`zip(...)`: a tuple of one item of each, for as long as all have one."""
    if not call.args:
        return IteratorValue([])
    iterators = [v for v in call.args if isinstance(v, IteratorValue)]
    if len({id(v) for v in iterators}) < len(iterators):
        return _zip_of_itself(it, call.args, call.node)
    lazy = list(map(is_lazy, call.args))
    sizes = [size for v, later in zip(call.args, lazy) if not later and (size := _known_length(v)) is not None]
    # Of one among others with known lengths so many items are taken; perhaps one more.
    with taking(
        it, None if lazy == [True] else so_many(min(sizes)) if len(sizes) == len(call.args) - 1 > 0 else perhaps
    ):
        kept = [(v, None if v.items is None else list(v.items)) for v in iterators]
        columns = [(*it.iterate(v, call.node), is_infinite(v)) for v in call.args]
    finite = [items for items, _, infinite in columns if not infinite]
    if all(infinite for _, _, infinite in columns):
        return IteratorValue(None, tuple(element for _, element, _ in columns), infinite=True)
    if any(items is None for items in finite):
        empty = any(items == [] or (items is None and element is MISSING) for items, element, _ in columns)
        return IteratorValue([]) if empty else IteratorValue(None, tuple(_one(items, e) for items, e, _ in columns))
    lengths = [len(items or ()) for items in finite]
    count = min(lengths)
    if it.truth(call.kwargs.get("strict", False), None) and len(set(lengths)) > 1:
        it.fail(call.node, "array-call", f"ValueError: zip() of different lengths: {', '.join(map(str, lengths))}")
    shortest = next(i for i, (items, _, infinite) in enumerate(columns) if not infinite and len(items or ()) == count)
    for value, items in kept:  # zip takes no more than it needs
        if items is not None:
            taken = count + (next(i for i, v in enumerate(call.args) if v is value) < shortest)
            value.items = items[taken:]
    rows = [[element] * count if items is None else items[:count] for items, element, _ in columns]
    return IteratorValue([tuple(row) for row in zip(*rows)])


def _known_length(value: Value) -> int | None:
    if isinstance(value, ListValue | IteratorValue):
        return None if value.items is None else len(value.items)
    return len(value) if isinstance(value, tuple | range | str) else None


def _zip_of_itself(it: Interpreter, args: list[Value], node: Node) -> Value:
    """`zip(i, i)` groups the items of one iterator."""
    if all(v is args[0] for v in args):
        items, element = it.iterate(args[0], node)
        if items is not None:
            size = len(args)
            return IteratorValue([tuple(items[i : i + size]) for i in range(0, len(items) - size + 1, size)])
        return IteratorValue(None, MISSING if element is MISSING else (element,) * len(args))
    columns = [_one(*it.iterate(v, node)) for v in args]
    return IteratorValue(None, tuple(it.unknown("zip of one iterator twice") if c is MISSING else c for c in columns))


def _one(items: list[Value] | None, element: Value) -> Value:
    return element if items is None else join_all(items)


@handles("builtins.enumerate")
@by_alternatives
def _enumerate(it: Interpreter, call: Call) -> Value:
    if not 1 <= len(call.args) <= 2:
        return (
            it.unknown("enumerate by keyword") if "iterable" in call.kwargs else wrong_call(it, "enumerate", call.node)
        )
    start = as_index(call.argument(1, "start", 0))
    if is_lazy(call.args[0]):

        def run() -> tuple[list[Value] | None, Value, bool]:
            it.journal.touch(iterator)
            with taking(it, perhaps if it.asks else None):
                items, element = it.iterate(call.args[0], call.node)
                infinite = is_infinite(call.args[0])
            if items is not None:
                return [(it.binary("add", start, i, call.node), item) for i, item in enumerate(items)], MISSING, False
            return None, MISSING if element is MISSING else (ScalarValue(int), element), infinite

        iterator = IteratorValue(pending=run)
        return iterator
    infinite = is_infinite(call.args[0])
    items, element = it.iterate(call.args[0], call.node)
    if items is not None:
        return IteratorValue([(it.binary("add", start, i, call.node), item) for i, item in enumerate(items)])
    return IteratorValue(None, MISSING if element is MISSING else (ScalarValue(int), element), infinite)


@handles("builtins.reversed")
@by_alternatives
def _reversed(it: Interpreter, call: Call) -> Value:
    if len(call.args) != 1:
        return wrong_call(it, "reversed", call.node)
    value = call.args[0]
    if isinstance(value, InstanceValue) and (method := value.cls.find("__reversed__")) is not MISSING:
        return it.call(method, [value], {}, call.node)
    if isinstance(value, SetValue) or (isinstance(value, IteratorValue) and value.items is not None):
        return it.fail(call.node, "array-call", f"TypeError: {kind_name(value)} is not reversible")
    items, element = it.iterate(value, call.node)
    return IteratorValue(None if items is None else items[::-1], element)


@handles("builtins.sorted")
@by_alternatives
def _sorted(it: Interpreter, call: Call) -> Value:
    if len(call.args) != 1 or not call.kwargs.keys() <= {"key", "reverse"}:
        return wrong_call(it, "sorted", call.node)
    if isinstance(call.args[0], SetValue) and call.args[0].items is not None:
        return ListValue(*ordered(it, list(call.args[0].items), MISSING, call.kwargs, call.node))
    if (items := in_some_order(call.args[0])) is not None:
        return ListValue(*ordered(it, items, MISSING, call.kwargs, call.node))
    return ListValue(*ordered(it, *it.iterate(call.args[0], call.node), call.kwargs, call.node))


@handles("builtins.iter")
@by_alternatives
def _iter(it: Interpreter, call: Call) -> Value:
    if len(call.args) == 2:
        return IteratorValue(None, call_repeatedly(it, lambda: it.call(call.args[0], [], {}, call.node)))
    if len(call.args) != 1:
        return wrong_call(it, "iter", call.node)
    value = call.args[0]
    if isinstance(value, IteratorValue):
        return value
    if isinstance(value, Unknown):
        return it.unknown(value.why)
    if isinstance(value, InstanceValue) and (method := value.cls.find("__iter__")) is not MISSING:
        return it.call(method, [value], {}, call.node)
    if isinstance(value, ListValue):  # what is added before the first item is asked for comes too
        if value.items is None:
            iterator = IteratorValue(*it.iterate(value, call.node))
            watch(iterator, [value])
            return iterator

        def run() -> tuple[list[Value] | None, Value, bool]:
            it.journal.touch(iterator)
            made = it.iterate(value, call.node)
            watch(iterator, [value])
            return *made, False

        iterator = IteratorValue(pending=run)
        return iterator
    return IteratorValue(*it.iterate(value, call.node))


@handles("builtins.next")
@by_alternatives
def _next(it: Interpreter, call: Call) -> Value:
    if not 1 <= len(call.args) <= 2:
        return wrong_call(it, "next", call.node)
    value = call.args[0]
    if isinstance(value, IteratorValue):
        spoil(it, value)
        with taking(it, perhaps):
            path_uncertain = value.items is None and not value.infinite
        found = following(it, value, call.node)
        if found is MISSING:
            return (
                call.args[1]
                if len(call.args) == 2
                else it.fail(call.node, "array-call", "StopIteration: the iterator is used up")
            )
        if path_uncertain:  # it may be used up
            it.may_end(StopIteration)
        return join(found, call.args[1]) if path_uncertain and len(call.args) == 2 else found
    if isinstance(value, InstanceValue) and (method := value.cls.find("__next__")) is not MISSING:
        if len(call.args) == 1:
            return it.call(method, [value], {}, call.node)
        found, path_uncertain = Drawing(it, lambda: it.call(method, [value], {}, call.node), StopIteration).draw()
        return call.args[1] if found is MISSING else join(found, call.args[1]) if path_uncertain else found
    if isinstance(value, Unknown):
        it.may_end(StopIteration)
        return it.unknown(value.why)
    if isinstance(value, ListValue | DictValue | SetValue | ArrayValue | tuple) or scalar_kinds(value) or value is None:
        return it.fail(call.node, "array-call", f"TypeError: {kind_name(value)} is not an iterator")
    return it.unknown("the next item of what is not understood")
