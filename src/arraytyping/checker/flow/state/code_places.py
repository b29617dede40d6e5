"""Where a piece of code stands: in which loop of its function, in which test."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator
from typing import Final

from arraytyping.checker.flow.sources.test_files import is_test_file
from arraytyping.checker.flow.values.frames import Module

__all__ = ["holds", "is_in_loop", "is_in_test", "path_to", "qualified_name"]

_LOOPS: Final = (ast.For, ast.AsyncFor, ast.While, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def is_in_loop(tree: ast.AST, node: ast.AST) -> bool:
    """Whether a node lies in a loop or a comprehension of the function that it is in."""
    found = False
    for here, inside in itertools.pairwise(path_to(tree, node)):
        found = (found or isinstance(here, _LOOPS)) and not isinstance(inside, _FUNCTIONS)
    return found


def is_in_test(module: Module, node: ast.AST) -> bool:
    """Whether a node lies in a test, or in what the tests of a file share: several checks may well share a key."""
    file = module.path
    functions = [n for n in path_to(module.tree, node) if isinstance(n, ast.FunctionDef)]
    if is_test_file(file):
        return bool(functions)
    is_beside = bool({"tests", "test"} & {*file.parts[:-1]})
    return is_beside and any(function.name.lstrip("_").startswith("test") for function in functions)


def path_to(tree: ast.AST, node: ast.AST) -> Iterator[ast.AST]:
    """The nodes from a tree to one in it, each of which lies in the one before."""
    here: ast.AST | None = tree
    while here is not None:
        yield here
        here = None if here is node else next((c for c in ast.iter_child_nodes(here) if holds(c, node)), None)


def holds(outer: ast.AST, inner: ast.AST) -> bool:
    """Whether a node lies in another one, by their positions."""
    if not hasattr(outer, "lineno") or not hasattr(inner, "lineno"):
        return any(holds(c, inner) for c in ast.iter_child_nodes(outer)) if not hasattr(outer, "lineno") else False
    first = (outer.lineno, outer.col_offset) <= (inner.lineno, inner.col_offset)  # type: ignore[attr-defined]
    return first and (inner.end_lineno, inner.end_col_offset) <= (outer.end_lineno, outer.end_col_offset)  # type: ignore[attr-defined]


def qualified_name(module: Module | None, node: ast.AST | None, name: str) -> str | None:
    """`__qualname__` of a class or function: its name behind those that it lies in; None if it is not in the module."""
    if module is None or node is None:
        return None
    outer: list[str] = []
    for around in path_to(module.tree, node):
        if around is node:
            return ".".join([*outer, name])
        if isinstance(around, ast.ClassDef):
            outer.append(around.name)
        elif isinstance(around, _FUNCTIONS):
            outer += [getattr(around, "name", "<lambda>"), "<locals>"]
    return None
