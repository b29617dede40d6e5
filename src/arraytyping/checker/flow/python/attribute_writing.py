"""Attributes that are set; on instances with their setters and annotations."""

from __future__ import annotations

import ast

from arraytyping.checker.flow.python.held_containers import CONTENTS, IS_ATTRIBUTES, aliased_dict
from arraytyping.checker.flow.python.slots import has_no_place_for
from arraytyping.checker.flow.state.behaviour import PUT_ATTRIBUTE
from arraytyping.checker.flow.state.forgetting import forget_contents
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import (
    MISSING,
    ClassValue,
    Descriptor,
    DictValue,
    FunctionValue,
    HandlerValue,
    InstanceValue,
    Unknown,
    Value,
)
from arraytyping.checker.flow.values.frames import Frame

__all__ = ["put", "put_as_object", "put_on_instance"]


def put(it: Interpreter, owner: Value, name: str, value: Value, node: ast.AST | None) -> None:
    """Bind an attribute."""
    PUT_ATTRIBUTE.of(owner)(it, owner, name, value, node)


def put_on_instance(it: Interpreter, owner: InstanceValue, name: str, value: Value, node: ast.AST | None) -> None:
    """Bind an attribute of an instance, as its class lets it be bound."""
    if name == "__dict__":
        _put_attributes(it, owner, value)
        return
    cls = owner.cls
    setattr_ = cls.find("__setattr__")
    if isinstance(setattr_, FunctionValue | HandlerValue):
        it.call(setattr_, [owner, name, value], {}, node)
        return
    if _is_put_by_descriptor(it, owner, name, value, node):
        return
    found = cls.find(name)
    if cls.options.get("frozen") is True and not _is_being_made(it, cls):
        message = f"FrozenInstanceError: cannot assign to field {name!r} of {cls.name}; use dataclasses.replace"
        it.fail(node, "array-call", message)
        return
    if has_no_place_for(cls, name):
        it.fail(node, "array-call", f"AttributeError: {cls.name!r} object has no attribute {name!r}")
        return
    is_known = isinstance(cls.options.get("frozen", False), bool)
    if not is_known or (cls.options.get("slots") and name not in owner.attributes):
        it.obscure += 1
    for base in cls.mro:
        if isinstance(base, ClassValue) and name in base.fields:
            annotation, frame = base.fields[name]
            what = f"field {name!r} of {cls.name}"
            value = it.check_annotation(annotation, value, node, frame, Frame(frame, "function", frame.module), what)
            break
    if isinstance(found, Unknown) and _is_decorated(cls, name):
        value = it.unknown("an attribute that a descriptor may keep")
    _store(it, owner, name, value, node)


def put_as_object(it: Interpreter, owner: InstanceValue, name: str, value: Value, node: ast.AST | None) -> None:
    """Bind an attribute of an instance as `object.__setattr__` does."""
    if not _is_put_by_descriptor(it, owner, name, value, node):
        _store(it, owner, name, value, node)


def _is_put_by_descriptor(it: Interpreter, owner: InstanceValue, name: str, value: Value, node: ast.AST | None) -> bool:
    """Let a property, or another descriptor, of the class take the value; whether there is one that takes it."""
    found = owner.cls.find(name)
    if isinstance(found, Descriptor) and found.kind == "property":
        if found.setter is not None:
            it.call(found.setter, [owner, value], {}, node)
        else:
            it.fail(node, "array-call", f"AttributeError: property {name!r} of {owner.cls.name!r} has no setter")
        return True
    if isinstance(found, InstanceValue) and (setter := found.cls.find("__set__")) is not MISSING:
        it.call(setter, [found, owner, value], {}, node)
        return True
    return False


def _store(it: Interpreter, owner: InstanceValue, name: str, value: Value, node: ast.AST | None) -> None:
    if (held := aliased_dict(owner)) is not None:
        it.put_item(held, name, value, node)
        return
    it.journal.touch(owner)
    owner.attributes[name] = value


def _is_being_made(it: Interpreter, cls: ClassValue) -> bool:
    """Whether this may be in the `__init__` of an instance; a library's records may be written all the while."""
    function = it.frame.function
    if function is None:
        return False
    names = {function.name, *(name for name, _, _ in it.chain)} if "adapter" in cls.options else {function.name}
    return "__init__" in names or ("adapter" in cls.options and "__post_init__" in names)


def _put_attributes(it: Interpreter, owner: InstanceValue, value: Value) -> None:
    """Give an instance the items of a dict as its attributes; which dict that is, is not followed any further."""
    it.journal.touch(owner)
    if value is owner:
        owner.attributes = {CONTENTS: owner.attributes.get(CONTENTS, MISSING), IS_ATTRIBUTES: True}
    elif CONTENTS in owner.attributes:
        forget_contents(owner, "an attribute of a dict that is not known")
    elif isinstance(value, DictValue) and value.items is not None and all(type(key) is str for key in value.items):
        owner.attributes = dict(value.items)
    else:
        forget_contents(owner, "an attribute of a dict that is not known")


def _is_decorated(cls: ClassValue, name: str) -> bool:
    """Whether an attribute of a class is a function below a decorator."""
    bodies = [base.node.body for base in cls.mro if isinstance(base, ClassValue) and base.node is not None]
    return any(isinstance(s, ast.FunctionDef) and s.name == name for body in bodies for s in body)
