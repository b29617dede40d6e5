"""What is done with instances of the program's classes: what their special methods say."""

from __future__ import annotations

import ast

from arraytyping.checker.flow.python.attribute_writing import put_on_instance
from arraytyping.checker.flow.python.attributes_of_classes import of_instance
from arraytyping.checker.flow.python.calling import call_value
from arraytyping.checker.flow.python.drawing import Drawing, begin_drawing
from arraytyping.checker.flow.python.iteration import iterate, not_iterable
from arraytyping.checker.flow.python.subscripts import not_subscriptable
from arraytyping.checker.flow.python.truth import truth
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
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import MISSING, InstanceValue, Value
from arraytyping.checker.flow.values.calls import Call

__all__: list[str] = []

PUT_ATTRIBUTE(InstanceValue)(put_on_instance)

ATTRIBUTE(InstanceValue)(of_instance)


@ITERATE(InstanceValue)
def _iterate(it: Interpreter, value: InstanceValue, node: ast.AST | None) -> Items:
    source = begin_drawing(it, value, node)
    if isinstance(source, Drawing):
        return source.all(node)
    if source is not value:
        return iterate(it, source, node)
    if value.cls.kind == "unknown":
        return None, it.unknown("the items of an instance whose class is not understood")
    return not_iterable(it, value, node)


@TRUTH(InstanceValue)
def _truth(it: Interpreter, value: InstanceValue, node: ast.AST | None) -> bool | None:
    for name in ("__bool__", "__len__"):
        if (method := value.cls.find(name)) is not MISSING:
            return truth(it, it.call(method, [value], {}, node), node)
    return True


@ITEM(InstanceValue)
def _item(it: Interpreter, owner: InstanceValue, index: Value, node: ast.AST | None) -> Value:
    method = owner.cls.find("__getitem__")
    if method is MISSING:
        if owner.cls.kind == "unknown":
            return it.unknown("a subscript of an instance whose class is not understood")
        return not_subscriptable(it, owner, index, node)
    return it.call(method, [owner, index], {}, node)


@PUT_ITEM(InstanceValue)
def _put_item(it: Interpreter, owner: InstanceValue, index: Value, value: Value, node: ast.AST | None) -> None:
    method = owner.cls.find("__setitem__")
    if method is not MISSING:
        it.call(method, [owner, index, value], {}, node)


@CALL(InstanceValue)
def _call(it: Interpreter, function: InstanceValue, call: Call) -> Value:
    method = function.cls.find("__call__")
    if method is MISSING:
        if function.cls.kind == "unknown":
            it.engines.havoc(it, [function, *call.values])
            return it.unknown(f"the call of an instance of {function.cls.name}, whose class is not understood")
        return it.fail(call.node, "array-call", f"TypeError: {function.cls.name!r} object is not callable")
    return call_value(it, method, call.preceded_by(function))
