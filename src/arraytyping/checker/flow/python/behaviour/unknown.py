"""What is done with what is unknown: it may be anything, and may raise anything."""

from __future__ import annotations

import ast

from arraytyping.checker.flow.state.behaviour import (
    ATTRIBUTE,
    CALL,
    ITEM,
    ITERATE,
    PUT_ATTRIBUTE,
    PUT_ITEM,
    TRUTH,
    Items,
)
from arraytyping.checker.flow.state.forgetting import forget_others, forget_reachable
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.library_work import give_up
from arraytyping.checker.flow.state.made_parameters import parameters_made
from arraytyping.checker.flow.state.unknown_shapes import size_at
from arraytyping.checker.flow.state.x64_sides import switch_x64
from arraytyping.checker.flow.values import (
    BoundMethod,
    FunctionValue,
    InertValue,
    InstanceValue,
    JitValue,
    ListValue,
    PartialValue,
    ScalarValue,
    ShapeValue,
    Unknown,
    Value,
)
from arraytyping.checker.flow.values.calls import Call

__all__ = ["call_unknown"]


@ITERATE(Unknown)
def _iterate(it: Interpreter, value: Unknown, node: ast.AST | None) -> Items:
    it.obscure += 1  # it may not be iterable: the loop may raise where it stands
    return None, value


@TRUTH(Unknown)
def _truth(it: Interpreter, value: Unknown, node: ast.AST | None) -> bool | None:
    it.obscure += 1  # its `__bool__` may raise, as that of a tracer does
    return None


@ATTRIBUTE(Unknown)
def _attribute(it: Interpreter, value: Unknown, name: str, node: ast.AST | None) -> Value:
    return value


@ITEM(Unknown)
def _item(it: Interpreter, owner: Unknown, index: Value, node: ast.AST | None) -> Value:
    return owner


@ITEM(ShapeValue)
def _size(it: Interpreter, owner: ShapeValue, index: Value, node: ast.AST | None) -> Value:
    return size_at(it, owner, index)


@ATTRIBUTE(ShapeValue)
def _attribute_of_shape(it: Interpreter, value: ShapeValue, name: str, node: ast.AST | None) -> Value:
    return Unknown(value.why)


@ITERATE(ShapeValue)
def _sizes(it: Interpreter, value: ShapeValue, node: ast.AST | None) -> Items:
    it.obscure += 1  # it may have any number of items
    return None, ScalarValue(int)


@PUT_ITEM(Unknown)
def _put_item(it: Interpreter, owner: Unknown, index: Value, value: Value, node: ast.AST | None) -> None:
    it.obscure += 1
    forget_others(it.journal.touch, owner)
    it.engines.havoc(it, [value])


@CALL(Unknown)
def call_unknown(it: Interpreter, function: Unknown, call: Call) -> Value:
    """Something unknown is called: what it is given may be changed, and its functions called."""
    it.engines.havoc(it, call.values)
    if (made := parameters_made(it)) is not None:  # it may be a module
        made.is_open = True
    for value in call.values:
        forget_reachable(it.journal.touch, value, "what an unknown call may have changed")
    if it.frame.module.is_library:
        _forget_handlers(it)
    if isinstance(call.node, ast.Call) and _names_x64(call.node.func):
        switch_x64(it, ScalarValue(bool))
    return it.unknown(function.why)


def _names_x64(function: ast.expr) -> bool:
    """Whether it says by its name that it switches 64-bit types, as `numpyro.enable_x64` does."""
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    return "x64" in name.lower()


def _forget_handlers(it: Interpreter) -> None:
    """A library that keeps a list of those who handle effects lets what it calls act on them."""
    for value in list(it.frame.module.frame.variables.values()):
        if isinstance(value, ListValue) and value.items is None:
            give_up(it)  # whoever handles effects now
        for item in (value.items if isinstance(value, ListValue) else None) or ():
            if isinstance(item, InstanceValue):
                forget_reachable(it.journal.touch, item, "what an unknown call may have done to a handler of effects")


@CALL(InertValue)
def _call_inert(it: Interpreter, function: InertValue, call: Call) -> Value:
    functions_given = FunctionValue | BoundMethod | PartialValue | JitValue
    it.engines.havoc(it, [v for v in call.values if isinstance(v, functions_given)])
    return function


@PUT_ATTRIBUTE(Unknown)
def _put_attribute(it: Interpreter, owner: Unknown, name: str, value: Value, node: ast.AST | None) -> None:
    it.obscure += 1
    forget_others(it.journal.touch, owner)
