"""What is done with objects of libraries that are pytrees; the engines know their leaves and their classes."""

from __future__ import annotations

import ast

from arraytyping.checker.flow.python.attributes_of_classes import bind
from arraytyping.checker.flow.python.instance_checks import class_of
from arraytyping.checker.flow.state.behaviour import (
    ATTRIBUTE,
    CALL,
    ITEM,
    ITERATE,
    METHOD,
    PUT_ATTRIBUTE,
    PUT_ITEM,
    Items,
)
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import MISSING, TreeValue, Value
from arraytyping.checker.flow.values.calls import Call

__all__: list[str] = []


@ITERATE(TreeValue)
def _iterate(it: Interpreter, value: TreeValue, node: ast.AST | None) -> Items:
    own = it.engines.method_of_program(value, "__iter__")
    if own is not MISSING:
        return it.iterate(it.call(own, [value], {}, node), node)
    found: Items = it.engines.tree_iterate(it, value, node)
    return found


@ATTRIBUTE(TreeValue)
def _attribute(it: Interpreter, value: TreeValue, name: str, node: ast.AST | None) -> Value:
    own = it.engines.method_of_program(value, name)
    if own is not MISSING:
        return bind(it, own, value, class_of(it, value), node)
    return it.engines.tree_attribute(it, value, name, node)


@ITEM(TreeValue)
def _item(it: Interpreter, owner: TreeValue, index: Value, node: ast.AST | None) -> Value:
    own = it.engines.method_of_program(owner, "__getitem__")
    if own is not MISSING:
        return it.call(own, [owner, index], {}, node)
    return it.engines.tree_getitem(it, owner, index, node)


@PUT_ITEM(TreeValue)
def _put_item(it: Interpreter, owner: TreeValue, index: Value, value: Value, node: ast.AST | None) -> None:
    it.engines.put_tree_item(it, owner, index, value, node)


@METHOD(TreeValue)
def _method(it: Interpreter, receiver: TreeValue, name: str, call: Call) -> Value:
    return it.engines.method(it, receiver, name, call)


@CALL(TreeValue)
def _call(it: Interpreter, function: TreeValue, call: Call) -> Value:
    own = it.engines.method_of_program(function, "__call__")
    if own is not MISSING:
        return it.call(own, *call.preceded_by(function))
    return it.engines.call_tree(it, function, call)


@PUT_ATTRIBUTE(TreeValue)
def _put_attribute(it: Interpreter, owner: TreeValue, name: str, value: Value, node: ast.AST | None) -> None:
    it.engines.put_tree_attribute(it, owner, name, value, node)
