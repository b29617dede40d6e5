"""`collections`: deques, dicts with a default, ordered dicts, counters and named tuples."""

from __future__ import annotations

import ast
import collections
from typing import Any

from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.python.classes import make_namedtuple
from arraytyping.checker.flow.python.fields import FieldValue
from arraytyping.checker.flow.python.methods_of_dicts import update
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.joins import join_all
from arraytyping.checker.flow.state.repeated import by_alternatives
from arraytyping.checker.flow.values import MISSING, ClassValue, DictValue, ListValue, Value

Kwargs = dict[str, Any]
Node = ast.AST | None


@handles("collections.deque")
def _deque(it: Interpreter, args: list[Value], kwargs: Kwargs, node: Node) -> Value:
    items, element = it.iterate(args[0], node) if args else ([], MISSING)
    limit = args[1] if len(args) > 1 else kwargs.get("maxlen")
    if limit is not None:  # how many items are left is not followed
        return ListValue(None, element if items is None else join_all(items), collections.deque)
    return ListValue(items, element, collections.deque)


@handles("collections.defaultdict")
@by_alternatives
def _default_dict(it: Interpreter, args: list[Value], kwargs: Kwargs, node: Node) -> Value:
    result = DictValue({}, kind=collections.defaultdict, factory=args[0] if args else None)
    update(it, result, args[1:], kwargs, node)
    return result


@handles("collections.OrderedDict")
@by_alternatives
def _ordered_dict(it: Interpreter, args: list[Value], kwargs: Kwargs, node: Node) -> Value:
    result = DictValue({}, kind=collections.OrderedDict)
    update(it, result, args, kwargs, node)
    return result


@handles("collections.Counter")
@by_alternatives
def _counter(it: Interpreter, args: list[Value], kwargs: Kwargs, node: Node) -> Value:
    result = DictValue({}, kind=collections.Counter)
    update(it, result, args, kwargs, node)
    return result


@handles("collections.namedtuple")
def _named_tuple(it: Interpreter, args: list[Value], kwargs: Kwargs, node: Node) -> Value:
    if len(args) < 2 or type(args[0]) is not str:
        return it.unknown("a namedtuple of unknown fields")
    if type(args[1]) is str:
        names: list[Any] | None = args[1].replace(",", " ").split()
    else:
        names, _ = it.iterate(args[1], node)
    if names is None or not all(type(name) is str for name in names) or "rename" in kwargs:
        return it.unknown("a namedtuple of unknown fields")
    cls = ClassValue(args[0], (), {}, it.frame.module)
    defaults = kwargs.get("defaults")
    if defaults is not None:
        items, _ = it.iterate(defaults, node)
        if items is None:
            return it.unknown("a namedtuple of unknown defaults")
        for name, default in zip(reversed(names), reversed(items)):
            cls.namespace[name] = FieldValue({"default": default})
    return make_namedtuple(it, cls, names)


@handles("collections.ChainMap")
def _chain_map(it: Interpreter, args: list[Value], kwargs: Kwargs, node: Node) -> Value:
    return it.unknown("a ChainMap")
