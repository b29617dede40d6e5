"""`copy`, and namespaces of `types`: copies have identities of their own."""

from __future__ import annotations

import argparse
import ast
import copy
import types
from collections.abc import Callable
from typing import Any, Final

from arraytyping.checker.flow.engines.conversion import Abort
from arraytyping.checker.flow.libraries.copies_by_state import fill_copy, shallow_copy
from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.repeated import by_alternatives
from arraytyping.checker.flow.state.run_slots import RunSlot
from arraytyping.checker.flow.state.stateful import is_stateful_class
from arraytyping.checker.flow.values import (
    MISSING,
    ClassValue,
    DictValue,
    InstanceValue,
    IteratorValue,
    ListValue,
    TreeValue,
    UnionValue,
    Unknown,
    Value,
    ViewValue,
    remake_tuple,
)
from arraytyping.checker.flow.values.calls import Call
from arraytyping.checker.swallowed import swallow

__all__ = ["deep_copy"]

_NAMESPACES: Final = RunSlot("classes of namespaces", dict[type, ClassValue])


def deep_copy(it: Interpreter, value: Value, memo: dict[int, Any] | None = None, node: ast.AST | None = None) -> Value:
    """A value of its own, and so all that is in it; what occurs twice stays one."""
    memo = {} if memo is None else memo
    if id(value) in memo:
        return memo[id(value)][1]
    if isinstance(value, tuple):
        return _kept(memo, value, remake_tuple(value, [deep_copy(it, v, memo, node) for v in value]))
    if is_stateful_class(type(value)):
        return Unknown("a copy of a library's object in a container")
    if isinstance(value, UnionValue):
        return UnionValue(tuple(deep_copy(it, v, memo, node) for v in value.values))
    if isinstance(value, TreeValue):
        return TreeValue(value.treedef, tuple(deep_copy(it, v, memo, node) for v in value.leaves))
    if isinstance(value, InstanceValue):
        if (method := value.cls.find("__deepcopy__")) is not MISSING:
            return _kept(memo, value, it.call(method, [value, DictValue({})], {}, node))
        made = InstanceValue(value.cls, {})
        _kept(memo, value, made)
        return fill_copy(it, value, made, lambda v: deep_copy(it, v, memo, node), node)
    copied = _kept(memo, value, shallow_copy(value))
    if copied is value or isinstance(value, ViewValue):
        return copied
    if isinstance(copied, DictValue):
        if copied.items is not None:
            copied.items = {k: deep_copy(it, v, memo, node) for k, v in copied.items.items()}
        copied.element = deep_copy(it, copied.element, memo, node)
    elif isinstance(copied, ListValue | IteratorValue):
        if copied.items is not None:
            copied.items = [deep_copy(it, v, memo, node) for v in copied.items]
        copied.element = deep_copy(it, copied.element, memo, node)
    return copied


def _kept(memo: dict[int, Any], value: Value, copied: Value) -> Value:
    memo[id(value)] = value, copied  # whose address nothing else may have meanwhile
    return copied


@handles("copy.copy")
@by_alternatives
def _copy(it: Interpreter, call: Call) -> Value:
    value = call.positional(0)
    if isinstance(value, InstanceValue):
        if (method := value.cls.find("__copy__")) is not MISSING:
            return it.call(method, [value], {}, call.node)
        if value.cls.kind == "unknown":
            return it.unknown("a copy of an instance whose class is not understood")
    if is_stateful_class(type(value)):
        return _of_library(it, copy.copy, value, call.node)
    if isinstance(value, InstanceValue):
        return fill_copy(it, value, InstanceValue(value.cls, {}), lambda v: v, call.node)
    return shallow_copy(value)


@handles("copy.deepcopy")
@by_alternatives
def _deep_copy(it: Interpreter, call: Call) -> Value:
    value = call.positional(0)
    if isinstance(value, InstanceValue) and (method := value.cls.find("__deepcopy__")) is not MISSING:
        return it.call(method, [value, DictValue({})], {}, call.node)
    if is_stateful_class(type(value)):
        return _of_library(it, copy.deepcopy, value, call.node)
    return deep_copy(it, value, None, call.node)


def _of_library(it: Interpreter, copying: Callable[[Any], Any], value: Any, node: ast.AST | None) -> Value:
    """A copy of an object of a library that has a state, which the library itself makes."""

    def action() -> Any:
        try:
            return copying(value)
        except Exception as error:
            swallow(error)
            raise Abort("a copy of a library's object") from None

    try:
        return it.engines.objects.run(it, action, node)
    except Abort as abort:
        return it.unknown(abort.why)


def _namespace(real: type) -> None:
    """Instances of a class that keeps its keywords as attributes, and compares by these."""

    @handles(f"{real.__module__}.{real.__name__}")
    def handle(it: Interpreter, call: Call) -> Value:
        if call.args:
            return it.unknown("a namespace from a mapping")
        classes = _NAMESPACES.of(it)
        if real not in classes:
            classes[real] = ClassValue(real.__name__, (), {}, None)
            classes[real].mro = [classes[real], real]
        return InstanceValue(classes[real], dict(call.kwargs))


_namespace(types.SimpleNamespace)
_namespace(argparse.Namespace)
