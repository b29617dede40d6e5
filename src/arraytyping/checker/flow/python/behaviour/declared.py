"""Instances of classes of Python's own library: their attributes and methods give what typeshed declares."""

from __future__ import annotations

import ast
import types
from typing import Final

from arraytyping.checker.flow.engines.declared_results import is_usual, kind_of, of_annotation, of_declaration
from arraytyping.checker.flow.engines.typeshed import Function, declared_attribute
from arraytyping.checker.flow.python.behaviour.unknown import call_unknown
from arraytyping.checker.flow.state.behaviour import ATTRIBUTE, ITEM, ITERATE, PUT_ATTRIBUTE, Items
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.run_slots import RunSlot
from arraytyping.checker.flow.values import (
    MISSING,
    BaseValue,
    DeclaredValue,
    HandlerValue,
    IteratorValue,
    Unknown,
    Value,
)
from arraytyping.checker.flow.values.calls import Call

__all__ = ["is_declared", "of_declared"]

_IN_C: Final = (
    types.GetSetDescriptorType,
    types.MethodDescriptorType,
    types.ClassMethodDescriptorType,
    types.WrapperDescriptorType,
)
_WRITTEN: Final[RunSlot[set[type]]] = RunSlot(
    "classes of Python's library to whose instances attributes are bound", set
)
_COMPARISONS: Final = frozenset({"eq", "ne", "lt", "le", "gt", "ge"})


@ATTRIBUTE(DeclaredValue)
def _attribute(it: Interpreter, value: DeclaredValue, name: str, node: ast.AST | None) -> Value:
    declared = None if value.cls in _WRITTEN.of(it) else declared_attribute(value.cls, name)
    if isinstance(declared, Function):
        if name.startswith("__"):  # which may give NotImplemented
            return Unknown(value.why)
        return HandlerValue(name, lambda i, call: _call_method(i, value, name, call))
    if declared is None or not hasattr(value.cls, name):  # what an instance alone has may be bound to anything
        return Unknown(value.why)
    module, annotation = declared
    found = of_annotation(module, annotation, value.cls, _is_in_c(value.cls, name))
    return Unknown(value.why) if found is MISSING else found


@ITEM(DeclaredValue)
def _item(it: Interpreter, owner: DeclaredValue, index: Value, node: ast.AST | None) -> Value:
    return _call_method(it, owner, "__getitem__", Call([index], {}, node))


@PUT_ATTRIBUTE(DeclaredValue)
def _put_attribute(it: Interpreter, owner: DeclaredValue, name: str, value: Value, node: ast.AST | None) -> None:
    it.obscure += 1
    _WRITTEN.of(it).add(owner.cls)


@ITERATE(DeclaredValue)
def _iterate(it: Interpreter, value: DeclaredValue, node: ast.AST | None) -> Items:
    it.obscure += 1
    items = _call_method(it, value, "__iter__", Call([], {}, node))
    return None, items.element if isinstance(items, IteratorValue) else Unknown(value.why)


def is_declared(value: Value) -> bool:
    """Whether it is an instance of a class of Python's own library that is no builtin one."""
    cls: type = value.__class__
    return isinstance(value, DeclaredValue) or (not isinstance(value, BaseValue) and is_usual(cls))


def of_declared(it: Interpreter, op: str, a: Value, b: Value, node: ast.AST | None) -> Value:
    """An operator of such an instance and something of Python; MISSING if its class does not declare it."""
    owner, other, name = (a, b, op) if is_declared(a) else (b, a, f"r{op}")
    if not isinstance(owner, DeclaredValue):
        owner = DeclaredValue(type(owner))
    if op in _COMPARISONS:
        name = op  # all of them give the same
    cls = kind_of(other)
    is_alike = cls is not None and (issubclass(cls, owner.cls) or issubclass(owner.cls, cls))
    if cls is None or not (is_alike or cls.__module__ == "builtins" or op in _COMPARISONS):
        return MISSING  # it may have operators of its own
    found = _call_method(it, owner, f"__{name.strip('_')}__", Call([other], {}, node))
    return MISSING if type(found) is Unknown else found


def _call_method(it: Interpreter, value: DeclaredValue, name: str, call: Call) -> Value:
    """What a method gives by its declaration; it may do whatever something unknown may."""
    it.obscure += 1
    unknown = call_unknown(it, Unknown(value.why), call)
    declared = declared_attribute(value.cls, name)
    if not isinstance(declared, Function):
        return unknown
    of_value = Function(declared.module, declared.overloads, value.cls, declared.is_bound)
    found = of_declaration(of_value, call, _is_in_c(value.cls, name))
    return unknown if found is MISSING else found


def _is_in_c(cls: type, name: str) -> bool:
    """Whether an attribute is written in C; a slot of a class of Python holds what it is given."""
    base = next((base for base in cls.__mro__ if name in vars(base)), object)
    found = vars(base).get(name)
    return isinstance(found, _IN_C) or (isinstance(found, types.MemberDescriptorType) and "__slots__" not in vars(base))
