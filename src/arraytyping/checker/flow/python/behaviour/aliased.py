"""What is done with something unknown that may be one of the program's objects: it may be done with these."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Final

from arraytyping.checker.flow.python.behaviour.unknown import call_unknown
from arraytyping.checker.flow.state.behaviour import ATTRIBUTE, CALL, ITEM, ITERATE, Items
from arraytyping.checker.flow.state.forgetting import forget_reachable
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.joins import aliased
from arraytyping.checker.flow.values import (
    ANY_ATTRIBUTE,
    MISSING,
    AliasedValue,
    BoundMethod,
    DictValue,
    FunctionValue,
    InstanceValue,
    ListValue,
    MethodOf,
    SetValue,
    Value,
    parts_of,
)
from arraytyping.checker.flow.values.calls import Call

__all__ = ["any_attribute"]

_CONTAINERS: Final = (DictValue, ListValue, SetValue)
_READING: Final = frozenset(
    {"copy", "count", "get", "index", "isdisjoint", "issubset", "issuperset", "items", "keys", "values"}
)
"""Methods of containers that write nothing, and give what is in them."""


def any_attribute(value: InstanceValue) -> list[Value]:
    """What an attribute of unknown name may be: any method, and whatever the instance holds."""
    held = list(value.attributes.values())
    if value.cls.module is None:  # it stands for a library's, such as flags: a name that is data is that of an item
        return held
    if value.cls.kind == "unknown":
        return [value]
    names = {name: None for base in value.cls.mro for name in getattr(base, "namespace", ())}
    return [*held, *(one for name in names for one in _attribute_of(value, name))]


@ATTRIBUTE(AliasedValue)
def _attribute(it: Interpreter, value: AliasedValue, name: str, node: ast.AST | None) -> Value:
    return aliased(value.why, *[found for other in value.others for found in _attribute_of(other, name)])


@ITEM(AliasedValue)
def _item(it: Interpreter, owner: AliasedValue, index: Value, node: ast.AST | None) -> Value:
    return aliased(owner.why, *[found for other in owner.others for found in _items_of(other)])


@ITERATE(AliasedValue)
def _iterate(it: Interpreter, value: AliasedValue, node: ast.AST | None) -> Items:
    it.obscure += 1  # it may not be iterable
    return None, aliased(value.why, *[found for other in value.others for found in _items_of(other)])


@CALL(AliasedValue)
def _call(it: Interpreter, function: AliasedValue, call: Call) -> Value:
    call_unknown(it, function, call)
    results: list[Value] = []
    for other in function.others:
        called = _attribute_of(other, "__call__") if isinstance(other, InstanceValue) else [other]
        for one in called:
            if isinstance(one, BoundMethod | FunctionValue | MethodOf):
                results.append(it.engines.perhaps_call(it, one, call))
            elif not isinstance(one, _CONTAINERS):  # which cannot be called
                it.engines.havoc(it, [one])
                forget_reachable(it.journal.touch, one, "what an unknown call may have changed")
                results.append(one)
    return aliased(function.why, *results)


def _attribute_of(value: Value, name: str) -> Iterable[Value]:
    """What may be written through an attribute of a value."""
    if isinstance(value, _CONTAINERS):
        return parts_of(value) if name in _READING else [MethodOf(value, name)]
    if not isinstance(value, InstanceValue) or value.cls.kind == "unknown":
        return [value]
    if name in value.attributes:
        return [value.attributes[name]]
    found = value.cls.find(name)
    if isinstance(found, FunctionValue):
        return [BoundMethod(found, value)]
    is_lacking = found is MISSING and ANY_ATTRIBUTE not in value.attributes
    return [] if is_lacking and value.cls.find("__getattr__") is MISSING else [value]


def _items_of(value: Value) -> Iterable[Value]:
    """What may be written through an item of a value."""
    return [value] if isinstance(value, InstanceValue) else parts_of(value)
