"""What is done with dicts."""

from __future__ import annotations

import ast
from functools import partial

from arraytyping.checker.flow.python.calling import not_callable
from arraytyping.checker.flow.python.dict_contents import keys_of, values_of
from arraytyping.checker.flow.python.method_tables import unhashable
from arraytyping.checker.flow.python.methods import call_listed
from arraytyping.checker.flow.python.methods_of_dicts import DICT_METHODS
from arraytyping.checker.flow.python.subscripts import as_index
from arraytyping.checker.flow.python.targets import forget_items
from arraytyping.checker.flow.state.behaviour import ATTRIBUTE, CALL, ITEM, ITERATE, METHOD, PUT_ITEM, TRUTH, Items
from arraytyping.checker.flow.state.certainty import depends_on_data
from arraytyping.checker.flow.state.identity import is_snapshot_alike
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.joins import join, join_all, join_snapshots, joining_in_doubt
from arraytyping.checker.flow.values import (
    MISSING,
    ArrayValue,
    DictValue,
    FunctionValue,
    ListValue,
    MethodOf,
    NumPyValue,
    SetValue,
    Value,
    ViewValue,
    is_key,
)

__all__: list[str] = []

CALL(DictValue)(not_callable)
METHOD(DictValue)(partial(call_listed, DICT_METHODS))


@ITERATE(DictValue)
def _iterate(it: Interpreter, value: DictValue, node: ast.AST | None) -> Items:
    if value.items is None:
        return None, value.key
    return list(value.items) if value.is_ordered else [keys_of(value)] * len(value.items), MISSING


@ITERATE(ViewValue)
def _iterate_view(it: Interpreter, value: ViewValue, node: ast.AST | None) -> Items:
    items = value.items
    if items is None or value.of.is_ordered:
        return items, value.element
    any_key, any_value = keys_of(value.of), values_of(value.of)
    return [{"keys": any_key, "values": any_value, "items": (any_key, any_value)}[value.part]] * len(items), MISSING


@TRUTH(DictValue)
def _truth(it: Interpreter, value: DictValue, node: ast.AST | None) -> bool | None:
    if value.items is None:
        return False if value.element is MISSING else None
    return bool(value.items)


@ATTRIBUTE(DictValue)
def _attribute(it: Interpreter, value: DictValue, name: str, node: ast.AST | None) -> Value:
    return MethodOf(value, name) if hasattr(value.kind, name) else MISSING


@ITEM(DictValue)
def _item(it: Interpreter, owner: DictValue, index: Value, node: ast.AST | None) -> Value:
    index = as_index(index)
    if owner.items is None:
        it.may_raise += 1
        if owner.factory is not None:
            made = it.call(owner.factory, [], {}, node)
            it.journal.touch(owner)
            owner.key = join(owner.key, index)
            if not (_makes_anew(owner.factory) and _describes(owner.element, made)):
                owner.element = join(owner.element, made)
        return owner.element if owner.element is not MISSING else it.unknown("an item of a dict of unknown keys")
    if not is_key(index):
        if isinstance(index, tuple) and any(isinstance(v, ArrayValue | ListValue) for v in index):
            return it.fail(node, "array-call", "TypeError: a dict's key must be hashable, and an array or list is not")
        may_be_scalar = isinstance(index, NumPyValue) and (index.is_scalar or index.shape is None)
        if isinstance(index, ArrayValue | ListValue | DictValue | NumPyValue) and not may_be_scalar:
            what = "an array" if isinstance(index, ArrayValue | NumPyValue) else f"a {index.kind.__name__}"
            return it.fail(node, "array-call", f"TypeError: {what} is not hashable, so it is no key of a dict")
        if owner.factory is not None:
            made = it.call(owner.factory, [], {}, node)
            it.journal.touch(owner)
            owner.items[index] = made  # a key of its own, before all are joined
            forget_items(owner)
            return owner.element
        with joining_in_doubt(not depends_on_data(index)):
            joined = join_all(owner.items.values())
        it.may_raise += 1
        return it.unknown("an item of an empty dict") if joined is MISSING else joined
    try:
        if index in owner.items:
            return owner.items[index]
    except TypeError as error:
        return it.fail(node, "array-call", f"TypeError: {error}")
    if owner.factory is not None:
        made = it.call(owner.factory, [], {}, node)
        it.journal.touch(owner)
        owner.items[index] = made
        return made
    if owner.kind.__name__ == "Counter":
        return 0
    known = ", ".join(map(repr, list(owner.items)[:8])) or "none"
    return it.fail(node, "array-call", f"KeyError: {index!r}; the keys are {known}")


def _makes_anew(factory: Value) -> bool:
    """Whether a factory surely makes a container that nobody else has."""
    if isinstance(factory, FunctionValue) and isinstance(factory.node, ast.Lambda):
        return isinstance(factory.node.body, ast.Dict | ast.List | ast.Set)
    return factory in (dict, list, set)


def _describes(many: Value, made: Value) -> bool:
    """Whether what describes many containers describes a new one too: else each would be one more to write to."""
    if not isinstance(many, DictValue | ListValue | SetValue) or type(made) is not type(many):
        return False
    if made.kind is not many.kind or made.alias is not None or many.alias is None or not many.alias.is_many:
        return False
    if isinstance(many, DictValue) and isinstance(made, DictValue) and made.factory is not many.factory:
        return False
    contents = many.snapshot()
    return is_snapshot_alike(join_snapshots(many, contents, made.snapshot()), contents)


@PUT_ITEM(DictValue)
def _put_item(it: Interpreter, owner: DictValue, index: Value, value: Value, node: ast.AST | None) -> None:
    if (name := unhashable(index)) is not None:
        it.fail(node, "array-call", f"TypeError: unhashable type: {name!r}, as a key of a dict")
        return
    it.journal.touch(owner)
    if owner.items is not None and is_key(index):
        try:
            owner.items[index] = value
        except TypeError as error:
            it.fail(node, "array-call", f"TypeError: {error}")
    elif owner.items is None:
        owner.key, owner.element = join(owner.key, index), join(owner.element, value)
    else:  # the key may be one that is there already, or a new one
        owner.key = join(join_all(owner.items), index)
        owner.element = join(join_all(owner.items.values()), value)
        owner.items = None
