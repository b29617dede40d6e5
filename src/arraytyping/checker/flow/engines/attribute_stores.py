"""Where the program binds attributes: which names a class's instances may have bound besides by its constructors.

What a method binds of its own `self` counts for the classes that derive from its class, and those that this derives
from.  Classes are known by their names here, across modules, so that one of the same name counts as well.
"""

from __future__ import annotations

import ast
import functools
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.run_slots import RunSlot
from arraytyping.checker.flow.values import ClassValue

__all__ = ["bound_besides"]

_Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_ANY_NAME: Final = "*"


@dataclass(frozen=True)
class _Store:
    """An attribute that a function binds; `owner` is the name of the class of whose `self` it does, "" for others."""

    name: str
    function: ast.AST | None
    owner: str


@dataclass
class _Program:
    """What so many of the modules say."""

    modules: int = 0
    stores: list[_Store] = field(default_factory=list)
    bases: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """The names of the bases of classes; that of one whose base is no name of a class is `*`."""


_PROGRAM: Final[RunSlot[_Program]] = RunSlot("where the program binds attributes", _Program)


def bound_besides(it: Interpreter, cls: ClassValue, makers: Collection[ast.AST]) -> set[str] | None:
    """The attributes of instances of a class that other functions than these bind; None if any may be bound."""
    program = _PROGRAM.of(it)
    for module in it.importer.loaded[program.modules :]:
        stores, bases = _read(module.tree)
        program.stores += stores
        for name, of_it in bases.items():
            program.bases[name] |= of_it
    program.modules = len(it.importer.loaded)
    related = _related(program, {base.name for base in cls.mro if isinstance(base, ClassValue)}, cls.name)
    found = {s.name for s in program.stores if s.function not in makers and (not s.owner or s.owner in related)}
    return None if _ANY_NAME in found else found


def _related(program: _Program, above: set[str], name: str) -> set[str]:
    """The names of a class, of those that it derives from, and of those that may derive from it."""
    below = {name}
    while more := {
        derived for derived, bases in program.bases.items() if derived not in below and bases & (below | {_ANY_NAME})
    }:
        below |= more
    return above | below


@functools.lru_cache(maxsize=512)
def _read(tree: ast.Module) -> tuple[tuple[_Store, ...], Mapping[str, set[str]]]:
    """The attributes that are bound in a module, and the bases of its classes."""
    imported = _imported(tree)
    classes = {node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
    bases: defaultdict[str, set[str]] = defaultdict(set)
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            bases[node.name] |= {_base(base, imported, classes) for base in node.bases}
    return tuple(_stores(tree, None, "", "")), bases


def _imported(tree: ast.Module) -> dict[str, str]:
    """The names that a module imports, with those that they have where they come from."""
    return {
        alias.asname or alias.name.partition(".")[0]: alias.name.rpartition(".")[2]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }


def _base(base: ast.expr, imported: Mapping[str, str], classes: Collection[str]) -> str:
    """The name of a class that another one derives from; `*` if it is not known."""
    if isinstance(base, ast.Subscript):
        base = base.value
    if isinstance(base, ast.Attribute):
        return base.attr
    if not isinstance(base, ast.Name):
        return _ANY_NAME
    if base.id in imported:
        return imported[base.id]
    return base.id if base.id in classes or base.id in _BUILTINS else _ANY_NAME


_BUILTINS: Final = frozenset({"object", "dict", "list", "tuple", "set", "int", "float", "str", "type", "Exception"})


def _stores(node: ast.AST, function: _Function | None, owner: str, self_name: str) -> Iterator[_Store]:
    """What is bound below a node; `self_name` is the first parameter of the method of `owner` that it is in."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, _Function):
            arguments = [*child.args.posonlyargs, *child.args.args]
            is_method = isinstance(node, ast.ClassDef) and bool(arguments) and not _is_static(child)
            inner = (node.name, arguments[0].arg) if is_method and isinstance(node, ast.ClassDef) else ("", "")
            yield from _stores(child, child, *inner)
            continue
        if isinstance(child, ast.Attribute) and not isinstance(child.ctx, ast.Load):
            is_own = bool(owner) and isinstance(child.value, ast.Name) and child.value.id == self_name
            yield _Store(child.attr, function, owner if is_own else "")
        elif isinstance(child, ast.Attribute) and child.attr in ("__dict__", "__setattr__", "__setstate__"):
            yield _Store(_ANY_NAME, function, "")
        elif isinstance(child, ast.Call) and isinstance(child.func, ast.Name) and child.func.id in ("setattr", "vars"):
            name = child.args[1] if child.func.id == "setattr" and len(child.args) > 1 else None
            known = name.value if isinstance(name, ast.Constant) and isinstance(name.value, str) else _ANY_NAME
            yield _Store(known, function, "")
        yield from _stores(child, function, owner, self_name)


def _is_static(function: _Function) -> bool:
    """Whether the first parameter of a function in a class may be anything."""
    decorators = () if isinstance(function, ast.Lambda) else function.decorator_list
    return isinstance(function, ast.Lambda) or any(ast.unparse(d) == "staticmethod" for d in decorators)
