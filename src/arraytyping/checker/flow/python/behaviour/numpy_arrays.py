"""What is done with arrays and scalars of NumPy."""

from __future__ import annotations

import ast

from arraytyping.checker.flow.python.calling import not_callable
from arraytyping.checker.flow.state.behaviour import (
    ATTRIBUTE,
    CALL,
    ITEM,
    ITERATE,
    METHOD,
    PUT_ATTRIBUTE,
    PUT_ITEM,
    TRUTH,
    Items,
)
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import NumPyValue, Value
from arraytyping.checker.flow.values.calls import Call
from arraytyping.semantics.avals import size_of

__all__: list[str] = []

CALL(NumPyValue)(not_callable)


@ITERATE(NumPyValue)
def _iterate(it: Interpreter, value: NumPyValue, node: ast.AST | None) -> Items:
    found: Items = it.engines.numpy_iterate(it, value, node)
    return found


@TRUTH(NumPyValue)
def _truth(it: Interpreter, value: NumPyValue, node: ast.AST | None) -> bool | None:
    if value.data is not None and value.data.size == 1:
        return bool(value.data)
    if value.shape is not None and (size := size_of(value.shape)) is not None and size > 1:
        it.fail(
            node,
            "array-shape",
            f"the truth of a NumPy array of shape {value.shape} is ambiguous; use .any() or .all()",
        )
    return None


@ATTRIBUTE(NumPyValue)
def _attribute(it: Interpreter, value: NumPyValue, name: str, node: ast.AST | None) -> Value:
    return it.engines.numpy_attribute(it, value, name, node)


@ITEM(NumPyValue)
def _item(it: Interpreter, owner: NumPyValue, index: Value, node: ast.AST | None) -> Value:
    return it.engines.numpy_getitem(it, owner, index, node)


@PUT_ITEM(NumPyValue)
def _put_item(it: Interpreter, owner: NumPyValue, index: Value, value: Value, node: ast.AST | None) -> None:
    it.engines.numpy_setitem(it, owner, index, value, node)


@METHOD(NumPyValue)
def _method(it: Interpreter, receiver: NumPyValue, name: str, call: Call) -> Value:
    return it.engines.method(it, receiver, name, call)


@PUT_ATTRIBUTE(NumPyValue)
def _put_attribute(it: Interpreter, owner: NumPyValue, name: str, value: Value, node: ast.AST | None) -> None:
    if name == "shape":
        it.journal.touch(owner)
        shaped = it.engines.method(it, owner, "reshape", Call([value], {}, node))
        owner.rows = None
        owner.shape = shaped.shape if isinstance(shaped, NumPyValue) else None
        owner.data = None
