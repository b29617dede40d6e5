"""What is done with tuples, lists, deques, and the views of dicts."""

from __future__ import annotations

import ast
from functools import partial
from typing import Any, Final

from arraytyping.checker.flow.python.attributes_of_classes import bind
from arraytyping.checker.flow.python.calling import not_callable
from arraytyping.checker.flow.python.methods import call_listed
from arraytyping.checker.flow.python.methods_of_iterators import TUPLE_METHODS
from arraytyping.checker.flow.python.methods_of_lists import LIST_METHODS
from arraytyping.checker.flow.python.named_tuples import class_of_tuple
from arraytyping.checker.flow.python.subscripts import as_index, not_subscriptable
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
from arraytyping.checker.flow.state.certainty import depends_on_data
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.joins import join, join_all, join_each, joining_in_doubt
from arraytyping.checker.flow.values import (
    MISSING,
    ArrayValue,
    ListValue,
    MethodOf,
    NumPyValue,
    Value,
    ViewValue,
    is_concrete,
)

__all__: list[str] = []

_MOST_ITEMS: Final = 1_000
"""Of so many items of a list each is known by itself where any of them may be assigned."""

CALL(ListValue)(not_callable)
METHOD(ListValue)(partial(call_listed, LIST_METHODS))
METHOD(tuple)(partial(call_listed, TUPLE_METHODS))

ITEM(ViewValue)(not_subscriptable)


@ITERATE(tuple)
def _iterate_tuple(it: Interpreter, value: tuple[Any, ...], node: ast.AST | None) -> Items:
    return list(value), MISSING


@ITERATE(ListValue)
def _iterate(it: Interpreter, value: ListValue, node: ast.AST | None) -> Items:
    items = value.items
    return (list(items), MISSING) if items is not None else (None, value.element)


@TRUTH(tuple)
def _truth_of_tuple(it: Interpreter, value: tuple[Any, ...], node: ast.AST | None) -> bool | None:
    return len(value) > 0


@TRUTH(ListValue)
def _truth(it: Interpreter, value: ListValue, node: ast.AST | None) -> bool | None:
    if value.items is None:
        return False if value.element is MISSING else None
    return bool(value.items)


@ATTRIBUTE(tuple)
def _attribute_of_tuple(it: Interpreter, value: tuple[Value, ...], name: str, node: ast.AST | None) -> Value:
    if (cls := class_of_tuple(it, value)) is not None:
        fields: tuple[str, ...] = value._fields  # type: ignore[attr-defined]
        if name in fields:
            return value[fields.index(name)]
        found = cls.find(name)
        if found is not MISSING:
            return bind(it, found, value, cls, node)
        if name == "__class__":
            return cls
    elif hasattr(value, "_fields") and name in value._fields:
        return value[value._fields.index(name)]
    if name == "_fields":
        return getattr(value, name, MISSING)
    return MethodOf(value, name) if hasattr(value, name) else MISSING


@ATTRIBUTE(ListValue)
def _attribute(it: Interpreter, value: ListValue, name: str, node: ast.AST | None) -> Value:
    if name == "maxlen" and hasattr(value.kind, name):
        return it.unknown("how many items a deque may have")
    return MethodOf(value, name) if hasattr(value.kind, name) else MISSING


@ITEM(tuple, ListValue)
def _item(it: Interpreter, owner: tuple[Any, ...] | ListValue, index: Any, node: ast.AST | None) -> Value:
    index = as_index(index)
    items = list(owner) if isinstance(owner, tuple) else owner.items
    name = "tuple" if isinstance(owner, tuple) else "list"
    if isinstance(index, ArrayValue) and index.traced:
        return it.fail(
            node,
            "array-traced",
            f"a {name} cannot be indexed by the tracer {index.aval}; "
            "stack its items into an array, or use jax.lax.switch",
        )
    if (axes := _axes(index)) and (type(owner) is tuple or isinstance(owner, ListValue)):
        message = f"TypeError: {name} indices must be integers or slices, not an array of {axes} dimension"
        return it.fail(node, "array-call", message + "s" * (axes > 1))
    if isinstance(index, str | float | ListValue | tuple) or index is None:
        what = "NoneType" if index is None else "list" if isinstance(index, ListValue) else type(index).__name__
        return it.fail(node, "array-call", f"TypeError: {name} indices must be integers or slices, not {what}")
    if items is None:
        assert isinstance(owner, ListValue)
        it.may_raise += 1
        return ListValue(None, owner.element) if isinstance(index, slice) else owner.element
    if is_concrete(index):
        try:
            found = items[index]
        except IndexError:
            sliced = node.value if isinstance(node, ast.Subscript) else None
            is_axis = isinstance(sliced, ast.Attribute) and sliced.attr == "shape"
            code = "array-index" if is_axis else "array-call"
            return it.fail(node, code, f"IndexError: {name} index {index} is out of range: it has {len(items)} items")
        except TypeError as error:
            return it.fail(node, "array-call", f"TypeError: {error}")
        if isinstance(index, slice):
            return tuple(found) if isinstance(owner, tuple) else ListValue(found)
        return found
    with joining_in_doubt(not depends_on_data(index)):
        joined = join_all(items)
    it.may_raise += 1
    if joined is MISSING:
        return it.unknown("an item of an empty sequence")
    if isinstance(index, slice):
        return ListValue(None, joined) if isinstance(owner, ListValue) else it.unknown("a slice of a tuple")
    return joined


def _axes(index: Value) -> int:
    """How many axes an array has that is an index; 0 if it may have none."""
    shape = index.aval.shape if isinstance(index, ArrayValue) else None
    shape = index.shape if isinstance(index, NumPyValue) else shape
    return len(shape or ())


@PUT_ITEM(tuple)
def _put_in_tuple(it: Interpreter, owner: tuple[Any, ...], index: Value, value: Value, node: ast.AST | None) -> None:
    it.fail(node, "array-call", "TypeError: a tuple's items cannot be assigned; make a new tuple")


@PUT_ITEM(ViewValue)
def _put_in_view(it: Interpreter, owner: ViewValue, index: Value, value: Value, node: ast.AST | None) -> None:
    it.fail(node, "array-call", f"TypeError: {owner.kind.__name__!r} object does not support item assignment")


@PUT_ITEM(ListValue)
def _put_in_list(it: Interpreter, owner: ListValue, index: Value, value: Value, node: ast.AST | None) -> None:
    it.journal.touch(owner)
    if owner.items is None:
        if isinstance(index, slice):
            items, element = it.iterate(value, node)
            value = element if items is None else join_all(items)
        if value is not MISSING:
            owner.element = join(owner.element, value)
    elif type(index) is int:
        if not -len(owner.items) <= index < len(owner.items):
            message = f"IndexError: list index {index} is out of range: it has {len(owner.items)} items"
            it.fail(node, "array-call", message)
        else:
            owner.items[index] = value
    elif isinstance(index, slice):
        items, element = it.iterate(value, node)
        if is_concrete(index) and items is not None:
            owner.items[index] = items
        else:
            owner.element = join(join_all(owner.items), join_all(items) if items is not None else element)
            owner.items = None
    elif len(owner.items) > _MOST_ITEMS:
        owner.element = join(join_all(owner.items), value)
        owner.items = None
    else:
        owner.items[:] = join_each(owner.items, value)


@PUT_ATTRIBUTE(tuple)
def _put_attribute_of_tuple(
    it: Interpreter, owner: tuple[Any, ...], name: str, value: Value, node: ast.AST | None
) -> None:
    it.fail(node, "array-call", f"AttributeError: attribute {name!r} of a tuple cannot be set; use _replace")
