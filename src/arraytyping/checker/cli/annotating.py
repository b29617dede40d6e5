"""The source of a program with what is known of its arrays written beside each assignment."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arraytyping.checker.claims import ExpressionClaims, FileClaims, position_of
from arraytyping.checker.flow.sources.source_files import SourceError, read_source

__all__ = ["Function", "annotated", "functions_of"]

_MARGIN: Final = 60
"""The column at which notes begin, if the line is not longer."""
_MOST: Final = 3
"""How many alternatives of one value are written."""


@dataclass(frozen=True, slots=True)
class Function:
    """A function of a file: its name with those around it, and its lines."""

    name: str
    line: int
    end_line: int


def functions_of(path: str) -> list[Function]:
    """The functions of a file, outer ones before inner ones; none if it cannot be read."""
    try:
        _, tree = read_source(Path(path))
    except SourceError:
        return []
    return sorted(_functions(tree, ""), key=lambda f: (f.line, -f.end_line))


def _functions(node: ast.AST, around: str) -> Iterator[Function]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            name = f"{around}{child.name}"
            if not isinstance(child, ast.ClassDef):
                yield Function(name, child.lineno, child.end_lineno or child.lineno)
            yield from _functions(child, f"{name}.")
        else:
            yield from _functions(child, around)


def annotated(path: str, claims: FileClaims) -> str:
    """The text of a file, with a comment beside each assignment whose value is an array, or holds some."""
    try:
        source, tree = read_source(Path(path))
    except SourceError as error:
        return f"# {path}: {error.message}"
    known = {e.position: e for e in claims.expressions}
    notes: dict[int, list[str]] = {}
    for line, target, value in _bindings(tree):
        e = known.get(position_of(value))
        if e is not None:
            notes.setdefault(line, []).append(f"{ast.unparse(target)}: {_shown(e)}")
    lines = [f"# {path}"]
    for number, text in enumerate(source.splitlines(), 1):
        lines.append(f"{text:{_MARGIN}}  # {'; '.join(notes[number])}" if number in notes else text)
    return "\n".join(lines)


def _bindings(tree: ast.AST) -> Iterator[tuple[int, ast.expr, ast.expr]]:
    """The assignments: the line in which each ends, what is bound, and the expression of the value."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            yield node.end_lineno or node.lineno, node.targets[0], node.value
        elif isinstance(node, ast.AnnAssign | ast.NamedExpr) and node.value is not None:
            yield node.end_lineno or node.lineno, node.target, node.value
        elif isinstance(node, ast.Return) and node.value is not None:
            yield node.end_lineno or node.lineno, ast.Name("return"), node.value


def _shown(e: ExpressionClaims) -> str:
    by_item: dict[tuple[int, ...], list[str]] = {}
    for claim in e.claims:
        by_item.setdefault(claim.item, []).append(str(claim))
    parts = (" | ".join(a[:_MOST]) + (f" | {len(a) - _MOST} more" if len(a) > _MOST else "") for a in by_item.values())
    return ", ".join(parts)
