"""The statements of a tree, without the expressions in them, which are most of its nodes."""

from __future__ import annotations

import ast
import functools
from collections import deque
from collections.abc import Iterator
from typing import Final

__all__ = ["functions_of", "inner_statements", "nodes_of", "statements"]

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


@functools.lru_cache(maxsize=1024)
def nodes_of(tree: ast.Module) -> tuple[ast.AST, ...]:
    """All nodes of a file, in the order of `ast.walk`, which takes longer: several things are looked for in each."""
    found: list[ast.AST] = [tree]
    for node in found:
        kind = type(node)
        names = _fields.get(kind)
        if names is None:
            names = _fields[kind] = tuple(name for name in kind._fields if name not in _TEXTS)
        for name in names:
            held = getattr(node, name, None)
            if held is None:
                continue
            if isinstance(held, list):  # or one of its own, in which the body of a function is read when it is needed
                found += [one for one in held if isinstance(one, ast.AST)]
            elif isinstance(held, ast.AST):
                found.append(held)
    return tuple(found)


_TEXTS: Final = frozenset({
    "id", "attr", "arg", "asname", "module", "level", "kind", "type_comment", "conversion", "is_async", "simple",
    "rest", "tag", "lineno",
})  # fmt: skip
"""Fields with names and numbers."""
_fields: Final[dict[type[ast.AST], tuple[str, ...]]] = {ast.Constant: ()}
"""Those of each class of nodes that may hold other nodes."""


def statements(node: ast.AST) -> Iterator[ast.AST]:
    """All of them below a node, the outer ones first, as `ast.walk` has them."""
    waiting = deque([node])
    while waiting:
        found = waiting.popleft()
        yield found
        waiting.extend(inner_statements(found))


def functions_of(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """The functions that are defined in it, methods and inner ones too."""
    return (n for n in statements(tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef))
