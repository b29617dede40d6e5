"""What is done with arrays of JAX, and with what is at their places: `x.at[...]`."""

from __future__ import annotations

import ast
from typing import Any

from arraytyping.checker.array_sentences import IMMUTABLE
from arraytyping.checker.flow.python.calling import not_callable
from arraytyping.checker.flow.python.iteration import MOST_ITEMS
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
from arraytyping.checker.flow.state.interpreter import MISTAKE, Interpreter
from arraytyping.checker.flow.state.keys import item_key
from arraytyping.checker.flow.state.not_known import static_advice
from arraytyping.checker.flow.values import MISSING, ArrayValue, AtValue, MethodOf, Unknown, Value
from arraytyping.checker.flow.values.calls import Call
from arraytyping.checker.flow.values.origins import place_of
from arraytyping.checker.traced_sentences import truth_sentence
from arraytyping.semantics.avals import ShapedArray

__all__: list[str] = []

CALL(ArrayValue)(not_callable)


@ITERATE(ArrayValue)
def _iterate(it: Interpreter, value: ArrayValue, node: ast.AST | None) -> Items:
    aval = value.aval
    if aval.shape is None:
        return None, ArrayValue(ShapedArray(None, aval.dtype, aval.weak_type), value.traced, place_of(value.origin))
    if not aval.shape:
        it.fail(node, "array-dim", "TypeError: an array of rank 0 cannot be iterated")
        return None, Unknown(MISTAKE)
    # Iterating unstacks: the items are strong arrays only if the array is.
    item = value.like(ShapedArray(aval.shape[1:], aval.dtype, aval.weak_type), value.traced)
    first = aval.shape[0]
    if item.place is None and value.place is not None and first:
        found = it.engines.getitem(it, value, 0, node)
        item.place = found.place if isinstance(found, ArrayValue) else None
    if not isinstance(first, int) or first > MOST_ITEMS:
        return None, item
    if value.keys_shape is not None:
        return [item_key(value, i, item) for i in range(first)], MISSING
    return [item.another() for _ in range(first)], MISSING


@TRUTH(ArrayValue)
def _truth(it: Interpreter, value: ArrayValue, node: ast.AST | None) -> bool | None:
    aval = value.aval
    size = aval.size
    if size is not None and size != 1:
        it.fail(
            node,
            "array-shape",
            f"the truth of an array of shape {_shown(aval.shape)} is ambiguous; use .any() or .all()",
        )
    elif value.traced:
        it.fail(node, "array-traced", truth_sentence(aval, static_advice(it, [value], node)))
    elif aval.value is not None:
        return bool(aval.value)
    return None


def _shown(shape: Any) -> str:
    return f"({', '.join(map(str, shape))}{',' if len(shape) == 1 else ''})"


@ATTRIBUTE(ArrayValue)
def _attribute(it: Interpreter, value: ArrayValue, name: str, node: ast.AST | None) -> Value:
    return AtValue(value) if name == "at" else it.engines.attribute(it, value, name, node)


@ITEM(ArrayValue)
def _item(it: Interpreter, owner: ArrayValue, index: Value, node: ast.AST | None) -> Value:
    return it.engines.getitem(it, owner, index, node)


@PUT_ITEM(ArrayValue)
def _put_item(it: Interpreter, owner: ArrayValue, index: Value, value: Value, node: ast.AST | None) -> None:
    it.fail(node, "array-call", IMMUTABLE)


@ATTRIBUTE(AtValue)
def _attribute_at(it: Interpreter, value: AtValue, name: str, node: ast.AST | None) -> Value:
    return MethodOf(value, name)


@ITEM(AtValue)
def _item_at(it: Interpreter, owner: AtValue, index: Value, node: ast.AST | None) -> Value:
    return AtValue(owner.array, index)


@METHOD(ArrayValue, AtValue)
def _method(it: Interpreter, receiver: ArrayValue | AtValue, name: str, call: Call) -> Value:
    return it.engines.method(it, receiver, name, call)


@PUT_ATTRIBUTE(ArrayValue)
def _put_attribute(it: Interpreter, owner: ArrayValue, name: str, value: Value, node: ast.AST | None) -> None:
    it.fail(node, "array-call", f"AttributeError: attribute {name!r} of an array cannot be set; arrays are immutable")
