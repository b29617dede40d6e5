"""The names that a module binds anywhere: one that is not among them is not bound for certain."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator

__all__ = ["binds_in_others", "binds_unseen", "is_never_bound"]

_DYNAMIC = frozenset({"globals", "locals", "vars", "exec", "eval", "setattr", "__import__", "import_module"})
"""With one of these a module may bind names that it does not show."""
_OF_MODULES = frozenset({"f_globals", "__globals__", "_getframe", "currentframe", "modules"})
"""Attributes by which the names of any module are come to, also of the one that calls: `sys.modules[name]`."""


def is_never_bound(tree: ast.Module, name: str) -> bool:
    """Whether nothing in a module binds a name, as far as its text tells."""
    names = _bound(tree)
    return names is not None and name not in names and not (name.startswith("__") and name.endswith("__"))


def binds_unseen(tree: ast.Module) -> bool:
    """Whether a module may bind names of its own that its text does not show."""
    return _reaches(tree)[0]


def binds_in_others(tree: ast.Module) -> bool:
    """Whether a module may bind names in whatever module calls it, or names itself to it."""
    return _reaches(tree)[1]


@functools.lru_cache(maxsize=1024)
def _reaches(tree: ast.Module) -> tuple[bool, bool]:
    is_dynamic = is_of_modules = False
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            is_of_modules = is_of_modules or node.attr in _OF_MODULES
            is_dynamic = is_dynamic or node.attr in ("import_module", "__dict__")
        elif isinstance(node, ast.Name):
            is_dynamic = is_dynamic or node.id in _DYNAMIC
        elif isinstance(node, ast.ImportFrom) and node.module == "sys":
            is_of_modules = is_of_modules or any(alias.name == "modules" for alias in node.names)
    return is_dynamic or is_of_modules, is_of_modules


@functools.lru_cache(maxsize=256)
def _bound(tree: ast.Module) -> frozenset[str] | None:
    """All names that are bound in any scope; None if that cannot be told."""
    if binds_unseen(tree):
        return None
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and any(alias.name == "*" for alias in node.names):
            return None
        found.update(_bindings(node))
    return frozenset(found)


def _bindings(node: ast.AST) -> Iterator[str]:
    """The names that a node binds."""
    if isinstance(node, ast.Name):
        if not isinstance(node.ctx, ast.Load):
            yield node.id
    elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.arg):
        yield node.arg
    elif isinstance(node, ast.alias):
        yield node.asname or node.name.partition(".")[0]
    elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar):
        if node.name is not None:
            yield node.name
    elif isinstance(node, ast.MatchMapping):
        if node.rest is not None:
            yield node.rest
    elif isinstance(node, ast.Global | ast.Nonlocal):
        yield from node.names
    elif type(node).__name__ in ("TypeVar", "ParamSpec", "TypeVarTuple"):  # a type parameter, from Python 3.12
        yield node.name  # type: ignore[attr-defined]
