"""Metaclasses that make classes as `type` does, and have a say in what is made when a class is called.

A metaclass of which more is its own (`__new__`, `__prepare__`, `__getattr__`, operators) may make anything of a class.

Source: https://docs.python.org/3/reference/datamodel.html#metaclasses.
"""

from __future__ import annotations

import abc
import ast
from typing import Any, Final, TypeGuard

from arraytyping.checker.flow.state.forgetting import forget_reachable
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import (
    MISSING,
    ClassValue,
    Descriptor,
    DictValue,
    FunctionValue,
    Mutable,
    Unknown,
    Value,
)

__all__ = ["call_of_metaclass", "forget_metaclass", "initialize_class", "is_made_otherwise", "makes_as_type_does"]

_NOTED: Final = "what a metaclass notes that is not understood"
_UNDERSTOOD: Final = frozenset({
    "__annotations__", "__call__", "__doc__", "__init__", "__module__", "__qualname__", "__repr__", "__str__",
})  # fmt: skip


def makes_as_type_does(metaclass: Value) -> TypeGuard[ClassValue]:
    """Whether a metaclass is written in Python, in the program or in a library, and leaves classes what they are."""
    if not isinstance(metaclass, ClassValue) or "metaclass" in metaclass.options:
        return False
    others = {base for base in metaclass.mro if not isinstance(base, ClassValue)}
    names = {name for base in metaclass.mro if isinstance(base, ClassValue) for name in base.namespace}
    is_special = any(name.startswith("__") and name not in _UNDERSTOOD for name in names)
    return bool(others & {type, abc.ABCMeta}) and others <= {type, abc.ABCMeta, object} and not is_special


def is_made_otherwise(cls: ClassValue) -> bool:
    """Whether a class has a metaclass that may make anything of it."""
    return "metaclass" in cls.options and not makes_as_type_does(cls.options["metaclass"])


def initialize_class(it: Interpreter, cls: ClassValue, keywords: dict[str, Value], node: ast.AST | None) -> None:
    """What `__init__` of its metaclass does with a new class, if that is understood and has such a metaclass."""
    metaclass = cls.options.get("metaclass") if cls.kind != "unknown" else None
    init = MISSING if metaclass is None else metaclass.find("__init__")
    if init is not MISSING:
        given = {k: v for k, v in keywords.items() if k != "metaclass"}
        it.call(init, [cls, cls.name, cls.bases, DictValue(dict(cls.namespace))], given, node)


def forget_metaclass(it: Interpreter, metaclass: Value) -> None:
    """A metaclass that is not understood makes a class, and may note that in what it keeps itself."""
    it.engines.havoc(it, [metaclass])
    for base in metaclass.mro if isinstance(metaclass, ClassValue) else ():
        if not isinstance(base, ClassValue):
            continue
        it.journal.touch(base)
        for name, value in base.namespace.items():
            if not name.startswith("__") and not isinstance(value, FunctionValue | Descriptor):
                forget_reachable(it.journal.touch, value, _NOTED)
                base.namespace[name] = value if isinstance(value, Mutable) else Unknown(_NOTED)


def call_of_metaclass(cls: ClassValue) -> Any:
    """The `__call__` that a metaclass has of its own; MISSING if a call of the class is as usual."""
    metaclass = cls.options.get("metaclass")
    return metaclass.find("__call__") if makes_as_type_does(metaclass) else MISSING
