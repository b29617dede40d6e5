"""Enumerations of the program: their members are those of a real one, so that Python treats them as what they are."""

from __future__ import annotations

from typing import Any, Final

from arraytyping.checker.flow.real_calls.permissions import may_enter_standard
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.run_slots import RunSlot
from arraytyping.checker.flow.values import (
    ClassValue,
    FunctionValue,
    Value,
    is_concrete,
)
from arraytyping.checker.swallowed import swallow

__all__ = ["class_of_enum", "enum_class", "make_enum"]

_ENUM_CLASSES: Final[RunSlot[dict[type, ClassValue]]] = RunSlot("enumerations of the program", dict)


def make_enum(it: Interpreter, cls: ClassValue, base: Any, mixed_in: list[type]) -> Value:
    """The enumeration that a class of the program is, of a base of `enum` and the classes that are mixed in."""
    members = {
        name: value
        for name, value in cls.namespace.items()
        if not name.startswith("_") and not isinstance(value, FunctionValue) and not hasattr(value, "kind")
    }
    known = all(is_concrete(v) for v in members.values()) and may_enter_standard((members, mixed_in))
    if not members or not known or _has_protocol_methods(cls):
        return _unknown_enum(it, cls, members)
    try:
        made = base(cls.name, members, type=mixed_in[0]) if mixed_in else base(cls.name, members)
    except Exception as error:
        swallow(error)
        return _unknown_enum(it, cls, members)
    _ENUM_CLASSES.of(it)[made] = cls
    return made


def _unknown_enum(it: Interpreter, cls: ClassValue, members: dict[str, Value]) -> ClassValue:
    """An enumeration of whose members nothing is known."""
    cls.kind = "unknown"
    cls.namespace.update((name, it.unknown("a member of an enumeration")) for name in members)
    return cls


def _has_protocol_methods(cls: ClassValue) -> bool:
    """Whether an enumeration says itself how its members are made, shown or compared."""
    names = {n for base in cls.mro if isinstance(base, ClassValue) for n in base.namespace if n.startswith("_")}
    plain = {"__doc__", "__module__", "__qualname__", "__annotations__", "__slots__"}
    return bool(names - plain)


def enum_class(it: Interpreter, value: Value) -> ClassValue | None:
    """The enumeration of the program of which a value is a member."""
    return class_of_enum(it, type(value))


def class_of_enum(it: Interpreter, made: type) -> ClassValue | None:
    """The class of the program of which an enumeration was made."""
    return _ENUM_CLASSES.of(it).get(made)
