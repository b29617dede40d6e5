"""The statements of a tree, without the expressions in them, which are most of its nodes."""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Iterator
from typing import Final

__all__ = ["inner_statements", "statements"]

_HOLDERS: Final = (
    ast.Module, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.If, ast.For, ast.AsyncFor, ast.While,
    ast.With, ast.AsyncWith, ast.Try, ast.TryStar, ast.ExceptHandler, ast.Match, ast.match_case,
)  # fmt: skip
_PARTS: Final[dict[type[ast.AST], tuple[str, ...]]] = {
    holder: tuple(f for f in holder._fields if f in ("body", "handlers", "cases", "orelse", "finalbody"))
    for holder in _HOLDERS
}


def inner_statements(node: ast.AST) -> Iterator[ast.AST]:
    """The statements right inside of one, with handlers and cases; in the order of the source."""
    for part in _PARTS.get(type(node), ()):
        yield from getattr(node, part)


def statements(node: ast.AST) -> Iterator[ast.AST]:
    """All of them below a node, the outer ones first, as `ast.walk` has them."""
    waiting = deque([node])
    while waiting:
        found = waiting.popleft()
        yield found
        waiting.extend(inner_statements(found))
