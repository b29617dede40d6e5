"""What is done with a value of which nothing else is said."""

from __future__ import annotations

import ast

from arraytyping.checker.flow.state.behaviour import (
    ATTRIBUTE,
    ITEM,
    ITERATE,
    METHOD,
    PUT_ATTRIBUTE,
    PUT_ITEM,
    TRUTH,
    Items,
)
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import BaseValue, Value
from arraytyping.checker.flow.values.calls import Call

__all__: list[str] = []


@ITERATE(BaseValue)
def _iterate(it: Interpreter, value: BaseValue, node: ast.AST | None) -> Items:
    return None, it.unknown("the items of what is not understood")


@TRUTH(BaseValue)
def _truth(it: Interpreter, value: BaseValue, node: ast.AST | None) -> bool | None:
    return True


@ATTRIBUTE(BaseValue)
def _attribute(it: Interpreter, value: BaseValue, name: str, node: ast.AST | None) -> Value:
    return it.unknown(f"attribute {name} of what is not understood")


@ITEM(BaseValue)
def _item(it: Interpreter, owner: BaseValue, index: Value, node: ast.AST | None) -> Value:
    return it.unknown("a subscript of a function")


@PUT_ITEM(BaseValue)
def _put_item(it: Interpreter, owner: BaseValue, index: Value, value: Value, node: ast.AST | None) -> None:
    pass


@METHOD(object)
def _method(it: Interpreter, receiver: Value, name: str, call: Call) -> Value:
    it.engines.havoc(it, [receiver, *call.values])
    return it.unknown(f"the method {name} of what is not understood")


@PUT_ATTRIBUTE(BaseValue)
def _put_attribute(it: Interpreter, owner: BaseValue, name: str, value: Value, node: ast.AST | None) -> None:
    pass
