"""`del`: names, attributes and items that are taken away."""

from __future__ import annotations

import ast
from typing import Any

from arraytyping.checker.flow.python.held_containers import aliased_dict
from arraytyping.checker.flow.python.targets import forget_items
from arraytyping.checker.flow.state.branching import results_of_each
from arraytyping.checker.flow.state.forgetting import forget_others
from arraytyping.checker.flow.state.interpreter import Interpreter
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
    UnionValue,
    Unknown,
    Value,
    is_concrete,
    is_key,
)
from arraytyping.checker.flow.values.frames import Frame

__all__ = ["delete", "delete_as_object", "delete_attribute", "delete_item"]


def delete(it: Interpreter, node: ast.Delete, frame: Frame) -> bool:
    """Execute `del`."""
    for target in node.targets:
        _delete(it, target, frame)
    return True


def _delete(it: Interpreter, target: ast.expr, frame: Frame) -> None:
    if isinstance(target, ast.Name):
        it.journal.bind(frame.owner_of(target.id), target.id, MISSING)
    elif isinstance(target, ast.Subscript):
        delete_item(it, it.evaluate(target.value, frame), it.evaluate(target.slice, frame), target)
    elif isinstance(target, ast.Attribute):
        delete_attribute(it, it.evaluate(target.value, frame), target.attr, target)
    elif isinstance(target, ast.Tuple | ast.List):
        for element in target.elts:
            _delete(it, element, frame)


def delete_attribute(it: Interpreter, owner: Value, name: Value, node: ast.AST | None) -> None:
    """Take an attribute away, as the class of its owner has it."""
    if isinstance(owner, UnionValue):
        results_of_each(it, owner.values, lambda one: delete_attribute(it, one, name, node))
    elif isinstance(owner, InstanceValue):
        deleter = owner.cls.find("__delattr__")
        if isinstance(deleter, FunctionValue | HandlerValue):
            it.call(deleter, [owner, name], {}, node)
        else:
            delete_as_object(it, owner, name, node)
    elif isinstance(owner, ClassValue) and type(name) is str:
        it.obscure += name not in owner.namespace
        it.journal.touch(owner)
        owner.namespace.pop(name, None)
    elif isinstance(owner, ModuleValue) and type(name) is str:
        it.obscure += name not in owner.module.frame.variables
        it.journal.bind(owner.module.frame, name, MISSING)
    else:
        it.obscure += 1
        forget_others(it.journal.touch, owner)


def delete_as_object(it: Interpreter, owner: InstanceValue, name: Value, node: ast.AST | None) -> None:
    """Take an attribute of an instance away as `object.__delattr__` does."""
    if type(name) is not str:
        it.obscure += 1
        it.journal.touch(owner)
        owner.attributes = dict.fromkeys(owner.attributes, it.unknown("an attribute that may be deleted"))
        return
    found = owner.cls.find(name)
    if isinstance(found, Descriptor) and found.kind == "property":
        if found.deleter is None:
            it.fail(node, "array-call", f"AttributeError: property {name!r} of {owner.cls.name!r} has no deleter")
        else:
            it.call(found.deleter, [owner], {}, node)
    elif isinstance(found, InstanceValue) and (deleter := found.cls.find("__delete__")) is not MISSING:
        it.call(deleter, [found, owner], {}, node)
    elif (held := aliased_dict(owner)) is not None:
        it.journal.touch(held)
        held.items = None if held.items is None else {k: v for k, v in held.items.items() if k != name}
    else:
        it.obscure += name not in owner.attributes
        it.journal.touch(owner)
        owner.attributes.pop(name, None)


def delete_item(it: Interpreter, owner: Value, index: Any, node: ast.AST | None) -> None:
    """Take an item out of a container."""
    if isinstance(owner, Unknown):
        it.obscure += 1
        forget_others(it.journal.touch, owner)
    if isinstance(owner, UnionValue):
        results_of_each(it, owner.values, lambda one: delete_item(it, one, index, node))
        return
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
