"""`collections`: deques, dicts with a default, ordered dicts, counters and named tuples."""

from __future__ import annotations

import collections
from typing import Any

from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.python.fields import FieldValue
from arraytyping.checker.flow.python.methods_of_dicts import update
from arraytyping.checker.flow.python.named_tuples import make_namedtuple
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.joins import join_all
from arraytyping.checker.flow.state.repeated import by_alternatives
from arraytyping.checker.flow.values import MISSING, ClassValue, DictValue, ListValue, Value
from arraytyping.checker.flow.values.calls import Call


@handles("collections.deque")
def _deque(it: Interpreter, call: Call) -> Value:
    items, element = it.iterate(call.args[0], call.node) if call.args else ([], MISSING)
    limit = call.argument(1, "maxlen")
    if limit is not None:  # how many items are left is not followed
        return ListValue(None, element if items is None else join_all(items), collections.deque)
    return ListValue(items, element, collections.deque)


@handles("collections.defaultdict")
@by_alternatives
def _default_dict(it: Interpreter, call: Call) -> Value:
    result = DictValue({}, kind=collections.defaultdict, factory=call.positional(0))
    update(it, result, call.with_args(call.args[1:]))
    return result


@handles("collections.OrderedDict")
@by_alternatives
def _ordered_dict(it: Interpreter, call: Call) -> Value:
    result = DictValue({}, kind=collections.OrderedDict)
    update(it, result, call)
    return result


@handles("collections.Counter")
@by_alternatives
def _counter(it: Interpreter, call: Call) -> Value:
    result = DictValue({}, kind=collections.Counter)
    update(it, result, call)
    return result


@handles("collections.namedtuple")
def _named_tuple(it: Interpreter, call: Call) -> Value:
    if len(call.args) < 2 or type(call.args[0]) is not str:
        return it.unknown("a namedtuple of unknown fields")
    if type(call.args[1]) is str:
        names: list[Any] | None = call.args[1].replace(",", " ").split()
    else:
        names, _ = it.iterate(call.args[1], call.node)
    if names is None or not all(type(name) is str for name in names) or "rename" in call.kwargs:
        return it.unknown("a namedtuple of unknown fields")
    cls = ClassValue(call.args[0], (), {}, it.frame.module)
    defaults = call.kwargs.get("defaults")
    if defaults is not None:
        items, _ = it.iterate(defaults, call.node)
        if items is None:
            return it.unknown("a namedtuple of unknown defaults")
        for name, default in zip(reversed(names), reversed(items)):
            cls.namespace[name] = FieldValue({"default": default})
    return make_namedtuple(it, cls, names)


@handles("collections.ChainMap")
def _chain_map(it: Interpreter, call: Call) -> Value:
    return it.unknown("a ChainMap")
