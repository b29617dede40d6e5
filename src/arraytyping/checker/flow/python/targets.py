"""What is assigned to: names, attributes, items, and unpacking; and `del`."""

from __future__ import annotations

import ast
from typing import Any

from arraytyping.checker.flow.python.held_containers import aliased_dict
from arraytyping.checker.flow.python.iteration import length_of
from arraytyping.checker.flow.state.branching import results_of_each
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.joins import join_all
from arraytyping.checker.flow.state.may_raise import note_stored
from arraytyping.checker.flow.state.showing import show
from arraytyping.checker.flow.values import (
    MISSING,
    ClassValue,
    Descriptor,
    DictValue,
    FunctionValue,
    HandlerValue,
    InstanceValue,
    ListValue,
    ModuleValue,
    SetValue,
    UnionValue,
    Unknown,
    Value,
    is_concrete,
    is_key,
)
from arraytyping.checker.flow.values.frames import Frame
from arraytyping.checker.flow.values.module_names import ModuleNames
from arraytyping.semantics.sizes.polynomials import constant

__all__ = ["assign", "bind_name", "delete", "delete_item", "forget_items"]


def bind_name(it: Interpreter, frame: Frame, name: str, value: Value) -> None:
    """Bind a name where Python binds it."""
    it.journal.bind(frame.owner_of(name), name, value)


def assign(it: Interpreter, target: ast.expr, value: Value, frame: Frame) -> None:
    """Assign a value to a target of any form."""
    if isinstance(target, ast.Name):
        it.journal.bind(frame.owner_of(target.id), target.id, value)
    elif isinstance(target, ast.Attribute):
        it.put_attribute(it.evaluate(target.value, frame), target.attr, value, target)
    elif isinstance(target, ast.Subscript):
        owner, index = it.evaluate(target.value, frame), it.evaluate(target.slice, frame)
        if isinstance(owner, ModuleNames) and type(index) is str and isinstance(target.value, ast.Call):
            it.journal.bind(owner.frame, index, value)  # globals()[name] = value
            return
        note_stored(it, owner, index, value)
        it.put_item(owner, index, value, target)
    elif isinstance(target, ast.Starred):
        assign(it, target.value, value, frame)
    elif isinstance(target, ast.Tuple | ast.List):
        for element, item in zip(target.elts, _unpack(it, target, value)):
            assign(it, element, item, frame)


def _unpack(it: Interpreter, target: ast.Tuple | ast.List, value: Value) -> list[Value]:
    """One value for each element of the target."""
    elements = target.elts
    count = len(elements)
    if isinstance(value, UnionValue):
        it.obscure += 1
        rows = results_of_each(it, value.values, lambda one: _unpack(it, target, one))
        return [join_all(column) for column in zip(*rows)]
    starred = [i for i, e in enumerate(elements) if isinstance(e, ast.Starred)]
    items, element = it.iterate(value, target)
    if items is None:
        it.obscure += 1  # there may be more of them, or less
        rest = ListValue(None, element)
        if (length := length_of(value)) is not None:
            rest.length = length - constant(count - 1)
        return [rest if isinstance(e, ast.Starred) else element for e in elements]
    if starred:
        at, after = starred[0], count - starred[0] - 1
        if len(items) < count - 1:
            wrong = it.fail(target, "array-call", f"cannot unpack {len(items)} values into at least {count - 1}")
            return [wrong] * count
        end = len(items) - after
        return [*items[:at], ListValue(items[at:end]), *items[end:]]
    if len(items) != count:
        shown = f" of {show(value)}" if not isinstance(value, tuple | ListValue) else ""
        wrong = it.fail(target, "array-call", f"cannot unpack {len(items)} values{shown} into {count}")
        return [wrong] * count
    return items


def delete(it: Interpreter, node: ast.Delete, frame: Frame) -> bool:
    """Execute `del`."""
    for target in node.targets:
        if isinstance(target, ast.Name):
            it.journal.bind(frame.owner_of(target.id), target.id, MISSING)
        elif isinstance(target, ast.Subscript):
            delete_item(it, it.evaluate(target.value, frame), it.evaluate(target.slice, frame), target)
        elif isinstance(target, ast.Attribute):
            owner = it.evaluate(target.value, frame)
            if isinstance(owner, InstanceValue):
                _delete_attribute(it, owner, target.attr, target)
            elif isinstance(owner, ClassValue):
                it.journal.touch(owner)
                owner.namespace.pop(target.attr, None)
            elif isinstance(owner, ModuleValue):
                it.journal.bind(owner.module.frame, target.attr, MISSING)
    return True


def _delete_attribute(it: Interpreter, owner: InstanceValue, name: str, node: ast.Attribute) -> None:
    found = owner.cls.find(name)
    if isinstance(found, Descriptor) and found.kind == "property":
        if found.deleter is None:
            it.fail(node, "array-call", f"AttributeError: property {name!r} of {owner.cls.name!r} has no deleter")
        else:
            it.call(found.deleter, [owner], {}, node)
    elif isinstance(found, InstanceValue) and (deleter := found.cls.find("__delete__")) is not MISSING:
        it.call(deleter, [found, owner], {}, node)
    elif isinstance(deleter := owner.cls.find("__delattr__"), FunctionValue | HandlerValue):
        it.call(deleter, [owner, name], {}, node)
    elif (held := aliased_dict(owner)) is not None:
        it.journal.touch(held)
        held.items = None if held.items is None else {k: v for k, v in held.items.items() if k != name}
    else:
        it.journal.touch(owner)
        owner.attributes.pop(name, None)


def delete_item(it: Interpreter, owner: Value, index: Any, node: ast.AST | None) -> None:
    """Take an item out of a container."""
    it.obscure += isinstance(owner, Unknown)
    if isinstance(owner, InstanceValue) and (method := owner.cls.find("__delitem__")) is not MISSING:
        it.call(method, [owner, index], {}, node)
    if not isinstance(owner, ListValue | DictValue):
        return
    it.obscure += owner.items is None
    it.journal.touch(owner)
    if owner.items is not None and (is_key if isinstance(owner, DictValue) else is_concrete)(index):
        try:
            del owner.items[index]
        except (KeyError, IndexError, TypeError) as error:
            it.fail(node, "array-call", f"{type(error).__name__}: {error}")
    else:
        it.obscure += 1
        forget_items(owner)


def forget_items(owner: Value) -> None:
    """Keep of the items of a container only what describes each of them."""
    if isinstance(owner, DictValue):
        if owner.items is not None:
            owner.key, owner.element = join_all(owner.items), join_all(owner.items.values())
            owner.items = None
    elif isinstance(owner, ListValue | SetValue) and owner.items is not None:
        owner.element = join_all(owner.items)
        owner.items = None
    if isinstance(owner, ListValue | DictValue | SetValue) and owner.element is MISSING:
        owner.element = Unknown("an item of a container that was empty")
