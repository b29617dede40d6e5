"""Attributes, and what is said of those that there are not."""

from __future__ import annotations

import ast
import types

from arraytyping.checker.flow.real_calls.removed_attributes import removed_attribute
from arraytyping.checker.flow.real_calls.removed_names import FOLLOWED, replacement_of, what_became_of
from arraytyping.checker.flow.state.behaviour import ATTRIBUTE
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import (
    MISSING,
    ArrayValue,
    ClassValue,
    DictValue,
    ListValue,
    ModuleValue,
    NumPyValue,
    SetValue,
    Unknown,
    Value,
    type_name,
)

__all__ = ["find", "get", "has", "replaced"]


def get(it: Interpreter, value: Value, name: str, node: ast.AST | None) -> Value:
    """An attribute of a value."""
    found = find(it, value, name, node)
    if found is MISSING:
        if isinstance(value, ArrayValue) and value.aval.dtype is None and value.aval.shape is None:
            # What an array and something unknown give together; that may have operators of its own.
            return it.unknown("an attribute of what may be no array")
        if name == "__wrapped__":  # who asks for it knows of a hook that wraps functions when they are imported
            return it.unknown("what wraps a function that is imported")
        if isinstance(value, types.ModuleType) and (why := what_became_of(f"{value.__name__}.{name}")) is not None:
            return replaced(it, f"{value.__name__}.{name}", f"AttributeError: {why}", node)
        message = f"AttributeError: {_described(value)} has no attribute {name!r}"
        if (removed := removed_attribute(value, name)) is None:
            return it.fail(node, "array-call", message)
        # The program is followed on, as it will be when its author has done what the message says.
        code = "array-jax-version" if removed.is_of_jax else "array-call"
        it.fail(node, code, f"{message} any more; {removed.advice}")
        return find(it, value, removed.instead, node) if removed.instead else value
    return found


def replaced(it: Interpreter, full_name: str, message: str, node: ast.AST | None) -> Value:
    """Report a name that jax has no more, and go on with what stands for it."""
    diagnostic = it.fail(node, "array-jax-version", message)
    instead = replacement_of(full_name)
    if full_name in FOLLOWED:
        return it.importer.resolve(it, FOLLOWED[full_name])
    if instead is None:
        return diagnostic
    stands = it.registry.find_object(instead)
    return it.engines.from_python(instead) if stands is None else stands(it)


def has(it: Interpreter, value: Value, name: str) -> bool | None:
    """Whether a value has an attribute; None if that is not known."""
    with it.quietly():
        found = find(it, value, name, None)
    return False if found is MISSING else None if isinstance(found, Unknown) else True


def _described(value: Value) -> str:
    if isinstance(value, ClassValue):
        return f"class {value.name!r}"
    if isinstance(value, ModuleValue):
        return f"module {value.module.name!r}"
    if isinstance(value, ArrayValue):
        return "an array"
    if isinstance(value, NumPyValue):
        return "a NumPy array"
    if isinstance(value, types.ModuleType):
        return f"module {value.__name__!r}"
    return f"{type_name(value)!r} object"


def find(it: Interpreter, value: Value, name: str, node: ast.AST | None) -> Value:
    """An attribute of a value, MISSING if it has none of this name."""
    if name == "__hash__" and _is_unhashable(value):
        return None
    return ATTRIBUTE.of(value)(it, value, name, node)


def _is_unhashable(value: Value) -> bool:
    """Whether something of Python, NumPy or jax is certainly no key, which its `__hash__` says by being None."""
    if isinstance(value, ArrayValue):
        return value.aval.dtype is not None or value.aval.shape is not None  # else it may be no array
    if isinstance(value, NumPyValue):
        return value.is_array
    return isinstance(value, ListValue | DictValue | SetValue) and value.kind.__hash__ is None
