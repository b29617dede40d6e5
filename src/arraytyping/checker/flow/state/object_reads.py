"""What some code reads of an object: the attributes that it names, also by the methods that it calls.

What another part of the program does with the other attributes then changes nothing of what the code gives.
"""

from __future__ import annotations

import ast
import functools
from typing import Any, Final

from arraytyping.checker.flow.values import (
    MISSING,
    BoundMethod,
    ClassValue,
    Descriptor,
    FunctionValue,
    InstanceValue,
    PartialValue,
    Value,
)

__all__ = ["read_by"]

_PLAIN: Final = ("plain", "dataclass")
_OWN_ACCESS: Final = ("__getattr__", "__getattribute__")


def read_by(node: ast.AST, name: str, value: Value) -> Value:
    """What the code reads of the value of one of its names: of an object the parts, else the value itself."""
    if isinstance(value, BoundMethod) and isinstance(value.function, FunctionValue):
        return _read_by_method(value)
    if isinstance(value, PartialValue):
        return (read_by(node, name, value.function), value.args, tuple(value.kwargs.items()))
    if not isinstance(value, InstanceValue):
        return value
    found = _attributes_of(value, node, name, set())
    return value if found is None else _parts(value, found)


def _read_by_method(method: BoundMethod) -> Value:
    """A method that is called reads of its receiver what it names; which function it is stays the same."""
    function, receiver = method.function, method.receiver
    first = _first_parameter(function.node)
    if not isinstance(receiver, InstanceValue) or first is None:
        return method
    found = _attributes_of(receiver, function.node, first, set())
    return method if found is None else (function, _parts(receiver, found))


def _parts(value: InstanceValue, names: set[str]) -> tuple[Any, ...]:
    return (value.cls.born, *((name, value.attributes.get(name, MISSING)) for name in sorted(names)))


def _attributes_of(value: InstanceValue, node: ast.AST, name: str, seen: set[ast.AST]) -> set[str] | None:
    """The attributes of an instance that code reads under this name; None if it may read any."""
    cls = value.cls
    if cls.kind not in _PLAIN or any(cls.find(access) is not MISSING for access in _OWN_ACCESS):
        return None
    if not all(isinstance(base, ClassValue) or base is object for base in cls.mro):
        return None
    named = _attributes_named(node, name)
    if named is None:
        return None
    seen.add(node)
    found: set[str] = set()
    for attribute in named:
        if attribute in value.attributes:
            found.add(attribute)
            continue
        member = cls.find(attribute)
        function = member.function if isinstance(member, Descriptor) else member
        if not isinstance(function, FunctionValue):
            if isinstance(member, Descriptor):
                return None
            found.add(attribute)  # which may be there later, or is the class's
            continue
        if isinstance(member, Descriptor) and member.kind == "staticmethod":
            continue
        first = _first_parameter(function.node)
        if first is None:
            return None
        inner = set() if function.node in seen else _attributes_of(value, function.node, first, seen)
        if inner is None:
            return None
        found |= inner
    return found


@functools.cache
def _attributes_named(node: ast.AST, name: str) -> frozenset[str] | None:
    """The attributes that code names of a variable; None if it does anything else with it."""
    uses = {id(n) for n in ast.walk(node) if isinstance(n, ast.Name) and n.id == name}
    reads = [n for n in ast.walk(node) if isinstance(n, ast.Attribute) and id(n.value) in uses]
    calls_super = any(isinstance(n, ast.Name) and n.id == "super" for n in ast.walk(node))
    if len(reads) < len(uses) or calls_super or any(n.attr.startswith("__") for n in reads):  # `self.__dict__`
        return None
    return frozenset(n.attr for n in reads)


def _first_parameter(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> str | None:
    positional = [*node.args.posonlyargs, *node.args.args]
    return positional[0].arg if positional else None
