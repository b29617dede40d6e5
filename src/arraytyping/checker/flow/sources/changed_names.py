"""Variables of modules that functions bind anew or change in place: what they hold hangs on who was called before."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

__all__ = ["Changed", "changed_by_functions"]

_Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_CHANGING: Final = frozenset({
    "add", "append", "appendleft", "clear", "difference_update", "discard", "extend", "extendleft", "insert",
    "intersection_update", "move_to_end", "pop", "popitem", "popleft", "put", "remove", "reverse", "setdefault", "sort",
    "symmetric_difference_update", "update",
})  # fmt: skip
"""Methods of containers that change them."""


@dataclass(frozen=True)
class Changed:
    """The variables of the file's own module, and those of others, each with the name by which that is imported."""

    own: frozenset[str]
    of_others: frozenset[tuple[str, str]]


@functools.lru_cache(maxsize=4096)
def changed_by_functions(tree: ast.Module) -> Changed:
    """What the functions of a file change of modules."""
    imported = {
        alias.asname or alias.name.partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    own: set[str] = set()
    others: set[tuple[str, str]] = set()
    for node, bound in _in_functions(tree, None):
        if isinstance(node, ast.Global):
            own.update(node.names)
        elif (base := _changed(node)) is not None:
            if isinstance(base, ast.Name) and base.id not in bound:
                own.add(base.id)
            elif isinstance(base, ast.Attribute):
                others.update(_of_module(base, imported))
        if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
            others.update(_of_module(node, imported))
    return Changed(frozenset(own), frozenset(others))


def _changed(node: ast.AST) -> ast.expr | None:
    """What a node changes in place, if it does."""
    if isinstance(node, ast.Subscript | ast.Attribute) and not isinstance(node.ctx, ast.Load):
        return node.value
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _CHANGING:
        return node.func.value
    return None


def _of_module(node: ast.Attribute, imported: set[str]) -> Iterator[tuple[str, str]]:
    if isinstance(node.value, ast.Name) and node.value.id in imported:
        yield node.value.id, node.attr


def _in_functions(node: ast.AST, bound: frozenset[str] | None) -> Iterator[tuple[ast.AST, frozenset[str]]]:
    """The nodes in functions, each with the names that the functions around it bind."""
    for child in ast.iter_child_nodes(node):
        inner = bound
        if isinstance(child, _Function):
            inner = (bound or frozenset()) | _bound(child)
        if inner is not None:
            yield child, inner
        yield from _in_functions(child, inner)


def _bound(function: _Function) -> frozenset[str]:
    nodes = list(ast.walk(function))
    of_module = {name for n in nodes if isinstance(n, ast.Global) for name in n.names}
    names = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return frozenset(names | {n.arg for n in nodes if isinstance(n, ast.arg)}) - of_module
