"""The functions of a project that no entry point reaches, and the arrays that they would make, all of them unknown."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from arraytyping.checker.claims import Claim, ExpressionClaims, FileClaims
from arraytyping.checker.flow.sources.project import Project, Source

__all__ = ["WHY", "UnreachedFunction", "unreached"]

WHY: Final = "nothing that is followed reaches this function"

_ARRAYS: Final = ("jax.numpy.", "jax.lax.", "jax.random.", "jax.nn.", "jax.scipy.")
"""Where the functions are whose results are arrays, or may be some."""


@dataclass(frozen=True, slots=True)
class UnreachedFunction:
    """A function that was not called from any entry point, by its name with those around it."""

    path: str
    line: int
    name: str


def unreached(
    project: Project, reached: set[tuple[str, int]], claimed: Mapping[str, Iterable[FileClaims]]
) -> tuple[int, list[UnreachedFunction], dict[str, FileClaims]]:
    """How many functions there are, those that were not reached, and the calls of jax in these, by file.

    A function in which something is claimed was followed, if only on trial: something unknown may call it.
    """
    total = 0
    missed: list[UnreachedFunction] = []
    claims: dict[str, FileClaims] = {}
    for source in project.sources.values():
        shown = project.shown.get(source.path, str(source.path))
        arrays: dict[tuple[int, int, int, int], ExpressionClaims] = {}
        names = _names_of_jax(source)
        lines = {e.line for file in claimed.get(shown, ()) for e in file.expressions}
        for name, node in _functions(source.tree, ""):
            if _is_stub(node):
                continue
            total += 1
            inside = range(node.body[0].lineno, (node.end_lineno or node.lineno) + 1)
            if (str(source.path), node.lineno) not in reached and lines.isdisjoint(inside):
                missed.append(UnreachedFunction(shown, node.lineno, name))
                arrays.update((_position(call), _unknown(call)) for call in _calls(node, names))
        if arrays:
            claims[shown] = FileClaims.of(arrays.values())
    return total, missed, claims


Function = ast.FunctionDef | ast.AsyncFunctionDef


def _functions(node: ast.AST, around: str) -> Iterator[tuple[str, Function]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            if not isinstance(child, ast.ClassDef):
                yield f"{around}{child.name}", child
            yield from _functions(child, f"{around}{child.name}.")
        else:
            yield from _functions(child, around)


def _is_stub(node: Function) -> bool:
    """Whether a function only declares: its body is empty, or refuses."""
    return all(
        isinstance(s, ast.Pass | ast.Raise) or (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))
        for s in node.body
    )


def _names_of_jax(source: Source) -> dict[str, str]:
    """What the imports of a file bind to jax, its modules and its functions."""
    found: dict[str, str] = {}
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                head = alias.name.partition(".")[0]
                if head == "jax":
                    found.update({alias.asname: alias.name} if alias.asname else {head: head})
        elif isinstance(node, ast.ImportFrom) and not node.level and (node.module or "").partition(".")[0] == "jax":
            found.update({alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names})
    return found


def _calls(node: ast.AST, names: dict[str, str]) -> Iterator[ast.Call]:
    for child in ast.walk(node):
        if isinstance(child, ast.Call) and _full_name(child.func, names).startswith(_ARRAYS):
            yield child


def _full_name(node: ast.AST, names: dict[str, str]) -> str:
    if isinstance(node, ast.Attribute):
        base = _full_name(node.value, names)
        return f"{base}.{node.attr}" if base else ""
    return names.get(node.id, "") if isinstance(node, ast.Name) else ""


def _position(node: ast.expr) -> tuple[int, int, int, int]:
    return node.lineno, node.col_offset, node.end_lineno or node.lineno, node.end_col_offset or node.col_offset


def _unknown(node: ast.expr) -> ExpressionClaims:
    return ExpressionClaims(*_position(node), (Claim(),), "flow", WHY)
