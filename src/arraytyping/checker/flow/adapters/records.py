"""Dataclasses of libraries that are pytrees: their fields, `replace`, and what is static.

Instances stay instances of the program's class, which JAX sees by their fields.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from arraytyping.checker.flow.engines.pytrees import ByFields
from arraytyping.checker.flow.python.fields import FieldValue, fields_of, initialize_dataclass
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import (
    MISSING,
    ClassValue,
    FunctionValue,
    HandlerValue,
    InstanceValue,
    Unknown,
    Value,
)
from arraytyping.checker.flow.values.calls import Call

__all__ = ["add_initializer", "add_replace", "make_record", "option_of"]


def option_of(cls: ClassValue, name: str, option: str) -> Value:
    """What the `field(...)` of a field says under a name; MISSING if nothing."""
    for base in cls.mro:
        if isinstance(base, ClassValue) and name in base.fields:
            found = base.namespace.get(name)
            return found.options.get(option, MISSING) if isinstance(found, FieldValue) else MISSING
    return MISSING


def make_record(
    cls: ClassValue, keywords: dict[str, Value], is_child: Callable[[str], bool], *, is_sorted: bool = False
) -> ClassValue:
    """Make a class a dataclass of whose fields those are children that a function says, and all others are static.

    Where what declares a field is not understood, nothing is known of the class: the field may be static.
    """
    if _declares_unknown_fields(cls):
        cls.kind = "unknown"
        return cls
    cls.kind = "dataclass"
    cls.is_record = True  # before its fields are asked for: those of a class that only derives from one are its base's
    cls.options = {**cls.options, **{k: v for k, v in keywords.items() if k in ("frozen", "kw_only")}}
    children = filter(is_child, fields_of(cls))
    cls.pytree = ByFields(tuple(sorted(children) if is_sorted else children))
    return cls


def _declares_unknown_fields(cls: ClassValue) -> bool:
    for statement in () if cls.node is None else cls.node.body:
        if not isinstance(statement, ast.AnnAssign) or not isinstance(statement.target, ast.Name):
            continue
        made = statement.value
        if isinstance(made, ast.Call) and isinstance(cls.namespace.get(statement.target.id), Unknown):
            called = made.func.attr if isinstance(made.func, ast.Attribute) else getattr(made.func, "id", "")
            if "field" in called.lower() or "static" in called.lower():
                return True
    return False


def add_replace(cls: ClassValue) -> None:
    """Give a class the method `replace`."""

    def replace(it: Interpreter, call: Call) -> Value:
        value = call.positional(0, MISSING)
        if not isinstance(value, InstanceValue):
            return it.unknown("replace of what is not understood")
        known = fields_of(value.cls)
        for name in call.kwargs:
            if name not in known:
                message = f"TypeError: {value.cls.name}.replace() got an unexpected keyword argument {name!r}"
                return it.fail(call.node, "array-call", message)
        bound = {}
        for name in known:
            if option_of(value.cls, name, "init") is not False and name in value.attributes:
                bound[name] = value.attributes[name]
        return it.call(value.cls, [], {**bound, **call.kwargs}, call.node)

    if cls.find("replace") is MISSING:
        cls.namespace["replace"] = HandlerValue("replace", replace, (cls,), "replace")


def add_initializer(cls: ClassValue) -> None:
    """Give a class the `__init__` of a dataclass, unless it or a base of the program defines one."""

    def initialize(it: Interpreter, call: Call) -> Value:
        value = call.positional(0, MISSING)
        if not isinstance(value, InstanceValue):
            return it.unknown("an __init__ of what is not understood")
        made = value if value.cls is cls else InstanceValue(cls, {})
        it.journal.touch(value)
        initialize_dataclass(it, made, call.with_args(call.args[1:]))
        if made is not value:
            value.attributes.update(made.attributes)
        return None

    if not isinstance(cls.find("__init__"), FunctionValue):
        cls.namespace["__init__"] = HandlerValue("__init__", initialize, (cls,), "__init__")
