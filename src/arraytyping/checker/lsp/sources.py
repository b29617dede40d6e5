"""Edits of the text of a program, and what its imports bind; lines count from 1, columns from 0, in bytes of UTF-8."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import NamedTuple

__all__ = ["Edit", "applied", "import_edit", "imports_of"]


class Edit(NamedTuple):
    """What is put in the place of a part of a text."""

    line: int
    column: int
    end_line: int
    end_column: int
    text: str


def applied(source: str, edits: Iterable[Edit]) -> str:
    """The text after edits, none of which overlap."""
    lines = source.encode().split(b"\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    data = source.encode()
    for e in sorted(edits, reverse=True):
        start, end = starts[e.line - 1] + e.column, starts[e.end_line - 1] + e.end_column
        data = data[:start] + e.text.encode() + data[end:]
    return data.decode()


def imports_of(tree: ast.Module) -> dict[str, str]:
    """By the name that an import anywhere in a program binds what it stands for, with dots."""
    return dict(_imports(tree))


def _imports(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                top = alias.name.partition(".")[0]
                yield (alias.asname, alias.name) if alias.asname else (top, top)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                yield alias.asname or alias.name, f"{node.module}.{alias.name}"


def import_edit(tree: ast.Module, text: str) -> Edit:
    """An import, behind those that a program begins with."""
    last, is_first = 0, True
    for node in tree.body:
        is_docstring = is_first and isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if not is_docstring and not isinstance(node, ast.Import | ast.ImportFrom):
            break
        last, is_first = node.end_lineno or node.lineno, False
    return Edit(last + 1, 0, last + 1, 0, f"{text}\n")
