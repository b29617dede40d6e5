"""The calls of jax in a file whose results are arrays or trees of them, by the names that its imports bind."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from arraytyping.checker.flow.sources.statements import statements

__all__ = ["calls_of_jax", "full_name", "names_of_jax"]

_ARRAYS: Final = ("jax.numpy.", "jax.lax.", "jax.random.", "jax.nn.", "jax.scipy.")
"""Where the functions are whose results are arrays, or may be some."""


def names_of_jax(tree: ast.AST) -> dict[str, str]:
    """What the imports of a file bind to jax, its modules and its functions."""
    found: dict[str, str] = {}
    for node in statements(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                head = alias.name.partition(".")[0]
                if head == "jax":
                    found.update({alias.asname: alias.name} if alias.asname else {head: head})
        elif isinstance(node, ast.ImportFrom) and not node.level and (node.module or "").partition(".")[0] == "jax":
            found.update({alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names})
    return found


def calls_of_jax(node: ast.AST, names: dict[str, str]) -> Iterator[tuple[ast.Call, str]]:
    """The calls below a node, each with the full name of its function."""
    for child in ast.walk(node):
        if isinstance(child, ast.Call) and (name := full_name(child.func, names)).startswith(_ARRAYS):
            yield child, name


def full_name(node: ast.AST, names: dict[str, str]) -> str:
    """The full name of what a name or an attribute stands for, if it is of jax; empty otherwise."""
    if isinstance(node, ast.Attribute):
        base = full_name(node.value, names)
        return f"{base}.{node.attr}" if base else ""
    return names.get(node.id, "") if isinstance(node, ast.Name) else ""
