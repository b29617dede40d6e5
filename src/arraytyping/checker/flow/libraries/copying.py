"""`copy`, and namespaces of `types`: copies have identities of their own."""

from __future__ import annotations

import argparse
import ast
import copy
import types
from collections.abc import Callable
from typing import Any, Final

from arraytyping.checker.flow.engines.conversion import Abort
from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.state.forgetting import forget_reachable
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
    NumPyValue,
    SetValue,
    TreeValue,
    UnionValue,
    Unknown,
    Value,
    ViewValue,
    remake_tuple,
)
from arraytyping.checker.flow.values.calls import Call
from arraytyping.checker.swallowed import swallow

__all__ = ["deep_copy", "shallow_copy"]

_NAMESPACES: Final = RunSlot("classes of namespaces", dict[type, ClassValue])


_OF_PICKLING: Final = (
    "__getstate__", "__setstate__", "__reduce__", "__reduce_ex__", "__getnewargs__", "__getnewargs_ex__",
)  # fmt: skip


def shallow_copy(value: Value) -> Value:
    """A value of its own with the same contents."""
    if isinstance(value, ViewValue):
        return Unknown("a copy of a view of a dict")
    if isinstance(value, ListValue | SetValue):
        copied: Any = type(value)(None, value.element, value.kind)
    elif isinstance(value, DictValue):
        copied = DictValue(None, kind=value.kind, factory=value.factory)
    elif isinstance(value, IteratorValue):
        copied = IteratorValue(None, infinite=value.infinite)
    elif isinstance(value, InstanceValue):
        if any(value.cls.find(name) is not MISSING for name in _OF_PICKLING):
            return Unknown("a copy of an instance that says what is copied of it")
        copied = InstanceValue(value.cls, {})
    elif isinstance(value, NumPyValue):
        data = None if value.data is None else value.data.copy()
        return NumPyValue(value.shape, value.dtype, value.is_scalar, data, value.origin)
    else:
        return value
    copied.restore(value.snapshot())
    return copied


def deep_copy(value: Value, memo: dict[int, Any] | None = None) -> Value:
    """A value of its own, and so all that is in it; what occurs twice stays one."""
    memo = {} if memo is None else memo
    if id(value) in memo:
        return memo[id(value)]
    if isinstance(value, tuple):
        memo[id(value)] = remake_tuple(value, [deep_copy(v, memo) for v in value])
        return memo[id(value)]
    if is_stateful_class(type(value)):
        return Unknown("a copy of a library's object in a container")
    if isinstance(value, InstanceValue) and value.cls.find("__deepcopy__") is not MISSING:
        return Unknown("a copy of an instance that copies itself")
    if isinstance(value, UnionValue):
        return UnionValue(tuple(deep_copy(v, memo) for v in value.values))
    if isinstance(value, TreeValue):
        return TreeValue(value.treedef, tuple(deep_copy(v, memo) for v in value.leaves))
    copied = memo[id(value)] = shallow_copy(value)
    if copied is value:
        return value
    if isinstance(value, ViewValue):
        return copied
    if isinstance(copied, InstanceValue):
        copied.attributes = {name: deep_copy(v, memo) for name, v in copied.attributes.items()}
    elif isinstance(copied, DictValue):
        if copied.items is not None:
            copied.items = {k: deep_copy(v, memo) for k, v in copied.items.items()}
        copied.element = deep_copy(copied.element, memo)
    elif isinstance(copied, ListValue | IteratorValue):
        if copied.items is not None:
            copied.items = [deep_copy(v, memo) for v in copied.items]
        copied.element = deep_copy(copied.element, memo)
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
    copied = shallow_copy(value)
    if isinstance(value, InstanceValue) and isinstance(copied, Unknown):  # what is in it may be written through it
        forget_reachable(it.journal.touch, value, copied.why)
    return copied


@handles("copy.deepcopy")
@by_alternatives
def _deep_copy(it: Interpreter, call: Call) -> Value:
    value = call.positional(0)
    if isinstance(value, InstanceValue) and (method := value.cls.find("__deepcopy__")) is not MISSING:
        return it.call(method, [value, DictValue({})], {}, call.node)
    if is_stateful_class(type(value)):
        return _of_library(it, copy.deepcopy, value, call.node)
    return deep_copy(value)


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
