"""What the stubs of typeshed declare of the functions and classes of Python's own library.

Source: https://github.com/python/typeshed, read by https://github.com/JelleZijlstra/typeshed_client.
"""

from __future__ import annotations

import ast
import functools
import sys
import types
from dataclasses import dataclass
from typing import Any, Final

__all__ = ["Function", "declared_attribute", "declared_function", "is_of_python", "named"]

_Def = ast.FunctionDef | ast.AsyncFunctionDef
_NOT_READ: Final = frozenset({"typing", "typing_extensions", "types", "antigravity", "this"})


@dataclass(frozen=True)
class Function:
    """The declarations of a function, one for each overload, and the module in whose words they are written.

    `owner` is the class that has it as a method, whose first parameter is not given where `is_bound`.
    """

    module: str
    overloads: tuple[ast.FunctionDef, ...]
    owner: type | None = None
    is_bound: bool = False


def is_of_python(thing: Any) -> bool:
    """Whether a function or class is one of Python's own library."""
    place = _place(thing)
    return place is not None and place[0].partition(".")[0] in sys.stdlib_module_names


def declared_function(function: Any) -> Function | None:
    """The declaration of a function, a method of a class or a bound method; None if there is none."""
    place = _place(function)
    if place is None:
        return None
    module, name = place
    owner, _, method = name.rpartition(".")
    if not owner:
        found = named(module, name)
        return None if found is None or not isinstance(found[1], tuple) else Function(found[0], found[1])
    cls = _class_of(function, module, owner)
    if cls is None:
        return None
    declared = declared_attribute(cls, method)
    if not isinstance(declared, Function):
        return None
    is_bound = getattr(function, "__self__", None) is not None
    return Function(declared.module, declared.overloads, cls if is_bound else declared.owner, is_bound)


@functools.cache
def declared_attribute(cls: type, name: str) -> Function | tuple[str, ast.expr] | None:
    """A method of a class, or what an attribute is annotated with and the module of the annotation."""
    for base in cls.__mro__:
        if base is object or base.__module__.partition(".")[0] not in sys.stdlib_module_names:
            continue
        found = named(base.__module__, base.__qualname__)
        if found is None or not isinstance(found[1], ast.ClassDef):
            return None
        declared = _member(found[0], found[1], name)
        if declared is None:
            continue
        if isinstance(declared, ast.AnnAssign):
            return found[0], declared.annotation
        if _is_property(declared[0]):
            returned = declared[0].returns
            return None if returned is None else (found[0], returned)
        return Function(found[0], declared, base, not _is_static(declared[0]))
    return None


@functools.cache
def named(module: str, name: str) -> tuple[str, Any] | None:
    """What a name of a module stands for: its module, and its class, its value or the overloads of a function."""
    if module in _NOT_READ:
        return None
    module, found = _resolved(module, name)
    node = getattr(found, "ast", None)
    if node is None:
        return None
    definitions = tuple(getattr(node, "definitions", ())) or (node,)
    if all(isinstance(one, ast.FunctionDef) for one in definitions):
        return module, definitions
    return module, node


def _resolved(module: str, name: str) -> tuple[str, Any]:
    """What is known of a name, and the module that it is defined in."""
    found = _resolver().get_fully_qualified_name(f"{module}.{name}")
    while hasattr(found, "info"):
        module, found = ".".join(found.source_module), found.info
    return module, found


@functools.cache
def _resolver() -> Any:
    import typeshed_client

    return typeshed_client.Resolver(typeshed_client.get_search_context(search_path=[]))


def _place(thing: Any) -> tuple[str, str] | None:
    """The module and the qualified name of a function or class."""
    name = getattr(thing, "__qualname__", None)
    if not isinstance(name, str) or "<" in name:
        return None
    module, owner = getattr(thing, "__module__", None), getattr(thing, "__self__", None)
    if owner is not None and not isinstance(owner, types.ModuleType):
        own = owner if isinstance(owner, type) else type(owner)
        return own.__module__, f"{own.__qualname__}.{name.rpartition('.')[2]}"
    if module is None and isinstance(cls := getattr(thing, "__objclass__", None), type):
        return cls.__module__, name
    return (module, name) if isinstance(module, str) else None


def _class_of(function: Any, module: str, name: str) -> type | None:
    """The class whose method a function is."""
    found: Any = getattr(function, "__self__", None)
    if found is not None:
        return found if isinstance(found, type) else type(found)
    found = sys.modules.get(module)
    for part in name.split("."):
        found = getattr(found, part, None)
    return found if isinstance(found, type) else None


def _member(module: str, node: ast.ClassDef, name: str) -> tuple[ast.FunctionDef, ...] | ast.AnnAssign | None:
    """A member of a class as this version and platform have it."""
    children = getattr(_resolved(module, node.name)[1], "child_nodes", None) or {}
    member = getattr(children.get(name), "ast", None)
    if isinstance(member, ast.AnnAssign):
        return member
    definitions = tuple(getattr(member, "definitions", ())) or (member,)
    return definitions if all(isinstance(one, ast.FunctionDef) for one in definitions) else None


def _decorators(function: ast.FunctionDef) -> set[str]:
    return {ast.unparse(d).rpartition(".")[2] for d in function.decorator_list}


def _is_property(function: ast.FunctionDef) -> bool:
    return bool(_decorators(function) & {"property", "cached_property", "setter"})


def _is_static(function: ast.FunctionDef) -> bool:
    return "staticmethod" in _decorators(function)
