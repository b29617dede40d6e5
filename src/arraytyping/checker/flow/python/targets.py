"""What is assigned to: names, attributes, items, and unpacking."""

from __future__ import annotations

import ast

from arraytyping.checker.flow.python.iteration import length_of
from arraytyping.checker.flow.state.branching import results_of_each
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.joins import join_all
from arraytyping.checker.flow.state.may_raise import note_stored
from arraytyping.checker.flow.state.showing import show
from arraytyping.checker.flow.values import (
    MISSING,
    DictValue,
    ListValue,
    SetValue,
    UnionValue,
    Unknown,
    Value,
)
from arraytyping.checker.flow.values.frames import Frame
from arraytyping.checker.flow.values.module_names import ModuleNames
from arraytyping.semantics.sizes.polynomials import constant

__all__ = ["assign", "bind_name", "forget_items"]


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
