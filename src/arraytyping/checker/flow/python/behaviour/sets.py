"""What is done with sets."""

from __future__ import annotations

import ast
from functools import partial

from arraytyping.checker.flow.python.calling import not_callable
from arraytyping.checker.flow.python.methods import call_listed
from arraytyping.checker.flow.python.methods_of_sets import SET_METHODS
from arraytyping.checker.flow.python.subscripts import not_subscriptable
from arraytyping.checker.flow.real_calls.concrete_calls import set_order
from arraytyping.checker.flow.state.behaviour import ATTRIBUTE, CALL, ITEM, ITERATE, METHOD, TRUTH, Items
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.joins import join_all
from arraytyping.checker.flow.values import MISSING, MethodOf, SetValue, Value

__all__: list[str] = []

CALL(SetValue)(not_callable)
METHOD(SetValue)(partial(call_listed, SET_METHODS))

ITEM(SetValue)(not_subscriptable)


@ITERATE(SetValue)
def _iterate(it: Interpreter, value: SetValue, node: ast.AST | None) -> Items:
    if value.items is None:
        return None, value.element
    order = set_order(value.items)
    return [join_all(value.items)] * len(value.items) if order is None else order, MISSING


@TRUTH(SetValue)
def _truth(it: Interpreter, value: SetValue, node: ast.AST | None) -> bool | None:
    if value.items is None:
        return False if value.element is MISSING else None
    return bool(value.items)


@ATTRIBUTE(SetValue)
def _attribute(it: Interpreter, value: SetValue, name: str, node: ast.AST | None) -> Value:
    return MethodOf(value, name) if hasattr(value.kind, name) else MISSING
