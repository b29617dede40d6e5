"""Modules of the program that are called where flow cannot follow, or with what is not known: with anything then.

What was seen in their methods before, with other arguments, would stand alone otherwise.  With a module go those that
it holds, and those whose classes its methods name.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from arraytyping.checker.flow.engines.havoc import OBJECTS, call_with_anything
from arraytyping.checker.flow.engines.unreached import functions_in
from arraytyping.checker.flow.state.identity import names_read
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import ClassValue, FunctionValue

__all__ = ["let_escape"]

_DEPTH: Final = 4
"""How deep containers in fields are looked into."""


def let_escape(it: Interpreter, function: Any) -> None:
    """A function of a library, bound to a module of the program or to its class, may call the module's methods."""
    waiting = list(_classes_of(it, getattr(function, "__self__", function), 0))
    seen: list[ClassValue] = []
    while waiting:
        cls = waiting.pop()
        if any(cls is known for known in seen):
            continue
        seen.append(cls)
        for base in cls.mro:
            for held in list(base.namespace.values()) if isinstance(base, ClassValue) else ():
                for method in functions_in(held):
                    waiting += _classes_named(it, method)
                    call_with_anything(it, method, [], {})


OBJECTS.append(let_escape)


def _classes_of(it: Interpreter, value: Any, depth: int) -> Iterator[ClassValue]:
    """The classes of the program of an object of a library, and of those that its fields hold."""
    found = it.engines.class_of.get(value if isinstance(value, type) else type(value))
    if found is not None:
        yield found
    if depth < _DEPTH and not isinstance(value, type):
        held = list(getattr(value, "__dict__", {}).values()) if found is not None else _items(value)
        for part in held:
            yield from _classes_of(it, part, depth + 1)


def _items(value: Any) -> list[Any]:
    if type(value) in (tuple, list):
        return list(value)
    return list(value.values()) if type(value) is dict else []


def _classes_named(it: Interpreter, method: FunctionValue) -> Iterator[ClassValue]:
    """The classes of the program that a method names."""
    for name in names_read(method.node):
        found = method.frame.find(name)
        if isinstance(found, ClassValue) and "real class" in found.options:
            yield found
