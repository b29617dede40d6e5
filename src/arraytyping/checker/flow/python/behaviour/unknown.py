"""What is done with what is unknown: it may be anything, and may raise anything."""

from __future__ import annotations

import ast

from arraytyping.checker.flow.state.behaviour import ATTRIBUTE, ITEM, ITERATE, PUT_ITEM, TRUTH, Items
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import Unknown, Value

__all__: list[str] = []


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


@PUT_ITEM(Unknown)
def _put_item(it: Interpreter, owner: Unknown, index: Value, value: Value, node: ast.AST | None) -> None:
    it.obscure += 1
    it.engines.havoc(it, [value])
