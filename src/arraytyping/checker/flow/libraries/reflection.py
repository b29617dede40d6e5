"""Builtins that look at what a value is: `isinstance`, `type`, `callable`, and attributes by name."""

from __future__ import annotations

import ast
import os
import signal
import socket
import sys
import time
from typing import Final

from arraytyping.checker.flow.libraries.builtin_functions import wrong_call
from arraytyping.checker.flow.libraries.classes_at_run_time import made_by_type
from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.python.behaviour.aliased import any_attribute
from arraytyping.checker.flow.python.deletion import delete_attribute
from arraytyping.checker.flow.python.exception_arguments import exception_of
from arraytyping.checker.flow.python.instance_checks import class_of, is_instance, is_subclass
from arraytyping.checker.flow.state.interpreter import MISTAKE, Interpreter, Raised
from arraytyping.checker.flow.state.joins import aliased, join, scalar_kinds
from arraytyping.checker.flow.state.repeated import by_alternatives
from arraytyping.checker.flow.values import (
    ANY_ATTRIBUTE,
    MISSING,
    ArrayValue,
    BaseValue,
    BoundMethod,
    ClassValue,
    Descriptor,
    DictValue,
    FunctionValue,
    HandlerValue,
    InstanceValue,
    JitValue,
    ListValue,
    MethodOf,
    ModuleValue,
    NumPyValue,
    PartialValue,
    ScalarValue,
    SetValue,
    SuperValue,
    Unknown,
    Value,
)
from arraytyping.checker.flow.values.calls import Call
from arraytyping.checker.swallowed import swallow

Node = ast.AST | None

_OF_MACHINE: Final = (os, sys, signal, socket, time)
"""Modules whose names hang on the machine and the version of Python."""
_CALLABLE: Final = (FunctionValue, BoundMethod, MethodOf, PartialValue, JitValue, HandlerValue, ClassValue)
_NOT_CALLABLE: Final = (ArrayValue, NumPyValue, ScalarValue, ListValue, DictValue, SetValue, ModuleValue)


@handles("builtins.isinstance")
@by_alternatives
def _isinstance(it: Interpreter, call: Call) -> Value:
    if len(call.args) != 2:
        return wrong_call(it, "isinstance", call.node)
    if isinstance(call.args[0], Unknown):
        return it.unknown(call.args[0].why)
    known = is_instance(it, *call.args)
    return ScalarValue(bool) if known is None else known


@handles("builtins.issubclass")
@by_alternatives
def _issubclass(it: Interpreter, call: Call) -> Value:
    if len(call.args) != 2:
        return wrong_call(it, "issubclass", call.node)
    if isinstance(call.args[0], Unknown):
        return it.unknown(call.args[0].why)
    if isinstance(call.args[0], ArrayValue | NumPyValue | ListValue | DictValue | InstanceValue | ScalarValue):
        return it.fail(call.node, "array-call", "TypeError: issubclass() arg 1 must be a class")
    known = is_subclass(it, *call.args)
    return ScalarValue(bool) if known is None else known


@handles("builtins.type")
@by_alternatives
def _type(it: Interpreter, call: Call) -> Value:
    if len(call.args) == 3:
        return made_by_type(it, call)
    if len(call.args) != 1:
        return it.unknown("a class that is made by type()")
    found = class_of(it, call.args[0])
    return it.unknown("the type of a value") if found is MISSING else found


@handles("builtins.callable")
@by_alternatives
def _callable(it: Interpreter, call: Call) -> Value:
    if len(call.args) != 1:
        return wrong_call(it, "callable", call.node)
    value = call.args[0]
    if isinstance(value, Unknown):
        return it.unknown(value.why)
    if isinstance(value, _CALLABLE):
        return True
    if isinstance(value, InstanceValue):
        if value.cls.find("__call__") is not MISSING:
            return True
        plain = value.cls.kind != "unknown" and all(isinstance(b, ClassValue | type) for b in value.cls.mro)
        return any(isinstance(b, type) and callable_instances(b) for b in value.cls.mro) if plain else ScalarValue(bool)
    if isinstance(value, _NOT_CALLABLE):
        return False
    return ScalarValue(bool) if isinstance(value, BaseValue) else callable(value)


def callable_instances(cls: type) -> bool:
    """Whether instances of a real class can be called."""
    return "__call__" in {name for base in cls.__mro__ for name in vars(base)} and cls is not type


# ---------------------------------------------------------------------- attributes by name


@handles("builtins.hasattr")
@by_alternatives
def _hasattr(it: Interpreter, call: Call) -> Value:
    if len(call.args) != 2:
        return wrong_call(it, "hasattr", call.node)
    if isinstance(call.args[0], Unknown):
        return it.unknown(call.args[0].why)
    if type(call.args[1]) is not str or call.args[0] in _OF_MACHINE:
        return ScalarValue(bool)
    found, may_lack = _tried(it, call.args[0], call.args[1], call.node)
    return ScalarValue(bool) if found is not MISSING and (may_lack or isinstance(found, Unknown)) else not may_lack


def _tried(it: Interpreter, value: Value, name: str, node: Node) -> tuple[Value, bool]:
    """An attribute, MISSING if there surely is none, and whether there may be none."""
    with it.attempting(AttributeError) as attempt:
        try:
            found = it.get_attribute(value, name, node)
        except Raised as error:
            if error.is_a(AttributeError):
                return MISSING, True
            raise
    return found, attempt.may_end or (isinstance(found, Unknown) and found.why != MISTAKE)


@handles("builtins.getattr")
@by_alternatives
def _getattr(it: Interpreter, call: Call) -> Value:
    if not 2 <= len(call.args) <= 3:
        return wrong_call(it, "getattr", call.node)
    value, name = call.args[:2]
    if type(name) is not str:
        if scalar_kinds(name) and str not in scalar_kinds(name):
            return it.fail(call.node, "array-call", "TypeError: attribute name must be string")
        return _of_unknown_name(it, value)
    if len(call.args) == 2:
        return it.get_attribute(value, name, call.node)
    found, may_lack = _tried(it, value, name, call.node)
    return call.args[2] if found is MISSING else join(found, call.args[2]) if may_lack else found


def _of_unknown_name(it: Interpreter, value: Value) -> Value:
    """Any attribute of a value: what it holds may be written through it, and a method that writes may be called."""
    found = any_attribute(value) if isinstance(value, InstanceValue) else [value]
    return aliased(it.unknown("an attribute of unknown name").why, *found)


@handles("builtins.setattr")
@by_alternatives
def _setattr(it: Interpreter, call: Call) -> Value:
    if len(call.args) != 3:
        return wrong_call(it, "setattr", call.node)
    owner, name, value = call.args
    if type(name) is str:
        it.put_attribute(owner, name, value, call.node)
    elif isinstance(owner, InstanceValue):
        it.journal.touch(owner)
        others = {ANY_ATTRIBUTE: it.unknown("an attribute of unknown name is bound")}
        owner.attributes = {n: join(v, value) for n, v in owner.attributes.items()} | others
    elif isinstance(owner, ClassValue):
        it.journal.touch(owner)
        any_value = it.unknown("an attribute of unknown name is bound")
        kept = {n: v for n, v in owner.namespace.items() if n.startswith("__") or isinstance(v, FunctionValue)}
        owner.namespace = {**dict.fromkeys((*owner.namespace, ANY_ATTRIBUTE), any_value), **kept}
    return None


@handles("builtins.delattr")
@by_alternatives
def _delattr(it: Interpreter, call: Call) -> Value:
    if len(call.args) != 2:
        return wrong_call(it, "delattr", call.node)
    delete_attribute(it, call.args[0], call.args[1], call.node)
    return None


@handles("builtins.vars")
def _vars(it: Interpreter, call: Call) -> Value:
    if len(call.args) == 1 and isinstance(call.args[0], InstanceValue | ClassValue):
        return it.get_attribute(call.args[0], "__dict__", call.node)
    return it.unknown("vars()")


# ---------------------------------------------------------------------- descriptors


def _descriptor(kind: str) -> None:
    @handles(f"builtins.{kind}")
    def handle(it: Interpreter, call: Call) -> Value:
        function = call.argument(0, "fget")
        setter = call.argument(1, "fset")
        return Descriptor(kind, function, setter)


for _kind in ("property", "staticmethod", "classmethod"):
    _descriptor(_kind)


@handles("builtins.super")
def _super(it: Interpreter, call: Call) -> Value:
    if len(call.args) == 2 and isinstance(call.args[0], ClassValue):
        return SuperValue(call.args[0], call.args[1])
    return it.unknown("super() of what is not understood")


# ---------------------------------------------------------------------- exceptions


def _exception(cls: type[BaseException]) -> None:
    @handles(f"builtins.{cls.__name__}")
    def handle(it: Interpreter, call: Call) -> Value:
        try:
            return exception_of(cls, call.args)
        except Exception as error:
            swallow(error)
            return it.unknown("an exception")


for _cls in BaseException.__subclasses__():
    _stack = [_cls]
    while _stack:
        _one = _stack.pop()
        if _one.__module__ == "builtins":
            _exception(_one)
            _stack.extend(_one.__subclasses__())
_exception(BaseException)
