"""What is done with functions of the program, methods, and what else can be called."""

from __future__ import annotations

import ast

from arraytyping.checker.flow.python import attributes
from arraytyping.checker.flow.python.calling import call_value
from arraytyping.checker.flow.python.functions import call_function
from arraytyping.checker.flow.python.iteration import not_iterable
from arraytyping.checker.flow.state.behaviour import ATTRIBUTE, CALL, ITERATE, PUT_ATTRIBUTE
from arraytyping.checker.flow.state.code_places import qualified_name
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import (
    MISSING,
    BoundMethod,
    ClassValue,
    Descriptor,
    DictValue,
    FunctionValue,
    HandlerValue,
    JitValue,
    MethodOf,
    PartialValue,
    Value,
)
from arraytyping.checker.flow.values.calls import Call

__all__: list[str] = []

CALL(FunctionValue)(call_function)

ITERATE(FunctionValue, JitValue, PartialValue, BoundMethod)(not_iterable)


@ATTRIBUTE(FunctionValue)
def _attribute(it: Interpreter, value: FunctionValue, name: str, node: ast.AST | None) -> Value:
    if name in value.attributes:
        return value.attributes[name]
    if name == "__name__":
        return value.name
    if name == "__qualname__":
        found = qualified_name(value.frame.module, value.node, value.name)
        return it.unknown("where a function is defined") if found is None else found
    if name == "__doc__":
        return ast.get_docstring(value.node) if not isinstance(value.node, ast.Lambda) else None
    if name == "__module__":
        return value.frame.module.name
    if name in ("__wrapped__", "defvjp", "defjvp"):
        return MISSING
    return it.unknown(f"attribute {name} of a function") if hasattr(_attribute, name) else MISSING


@PUT_ATTRIBUTE(HandlerValue)
def _put_on_handler(it: Interpreter, owner: HandlerValue, name: str, value: Value, node: ast.AST | None) -> None:
    put = owner.identity.get("__setattr__") if isinstance(owner.identity, dict) else None
    if put is not None:
        it.call(put, [name, value], {}, node)


@ATTRIBUTE(JitValue)
def _attribute_of_jitted(it: Interpreter, value: JitValue, name: str, node: ast.AST | None) -> Value:
    if name == "__wrapped__":
        return value.function
    if name in ("__name__", "__qualname__", "__doc__"):
        return attributes.get(it, value.function, name, node)
    return MethodOf(value, name)


@ATTRIBUTE(PartialValue)
def _attribute_of_partial(it: Interpreter, value: PartialValue, name: str, node: ast.AST | None) -> Value:
    if name == "func":
        return value.function
    if name == "args":
        return value.args
    if name == "keywords":
        return DictValue(dict(value.kwargs))
    return it.unknown(f"attribute {name} of a function")


@ATTRIBUTE(BoundMethod)
def _attribute_of_bound(it: Interpreter, value: BoundMethod, name: str, node: ast.AST | None) -> Value:
    if name == "__func__":
        return value.function
    return value.receiver if name == "__self__" else attributes.find(it, value.function, name, node)


@ATTRIBUTE(MethodOf)
def _attribute_of_method(it: Interpreter, value: MethodOf, name: str, node: ast.AST | None) -> Value:
    return it.unknown(f"attribute {name} of a method")


@ATTRIBUTE(HandlerValue)
def _attribute_of_handler(it: Interpreter, value: HandlerValue, name: str, node: ast.AST | None) -> Value:
    methods = value.identity if isinstance(value.identity, dict) else {}
    if name in methods:
        return methods[name]
    if name == "lower" and value.name == "pmap":
        return MethodOf(value, name)
    of_class = bool(value.wraps) and isinstance(value.wraps[0], ClassValue)
    if value.wraps and not of_class and name in ("__name__", "__doc__", "__wrapped__", "__qualname__"):
        return value.wraps[0] if name == "__wrapped__" else attributes.get(it, value.wraps[0], name, node)
    return it.unknown(f"attribute {name} of a function")


@ATTRIBUTE(Descriptor)
def _attribute_of_descriptor(it: Interpreter, value: Descriptor, name: str, node: ast.AST | None) -> Value:
    if name in ("getter", "setter", "deleter"):
        return HandlerValue(name, lambda it, call: _changed_property(value, name, call.args[0]))
    return it.unknown(f"attribute {name} of a {value.kind}")


def _changed_property(value: Descriptor, name: str, function: Value) -> Descriptor:
    parts = {"getter": value.function, "setter": value.setter, "deleter": value.deleter, name: function}
    return Descriptor(value.kind, parts["getter"], parts["setter"], parts["deleter"])


@CALL(BoundMethod)
def _call_bound(it: Interpreter, function: BoundMethod, call: Call) -> Value:
    return call_value(it, function.function, call.preceded_by(function.receiver))


@CALL(PartialValue)
def _call_partial(it: Interpreter, function: PartialValue, call: Call) -> Value:
    given = Call([*function.args, *call.args], {**function.kwargs, **call.kwargs}, call.node)
    return call_value(it, function.function, given)


@CALL(HandlerValue)
def _call_handler(it: Interpreter, function: HandlerValue, call: Call) -> Value:
    return function.handle(it, call)


@PUT_ATTRIBUTE(FunctionValue)
def _put_attribute(it: Interpreter, owner: FunctionValue, name: str, value: Value, node: ast.AST | None) -> None:
    it.journal.touch(owner)
    owner.attributes[name] = value
