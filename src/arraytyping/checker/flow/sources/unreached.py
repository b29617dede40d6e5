"""The functions of a project that no entry point reaches, and the arrays that they would make, all of them unknown."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from arraytyping.checker.claims import Claim, ExpressionClaims, FileClaims, Position, position_of
from arraytyping.checker.flow.sources.jax_calls import calls_of_jax, names_of_jax
from arraytyping.checker.flow.sources.project import Project
from arraytyping.checker.flow.sources.statements import inner_statements

__all__ = ["WHY", "UnreachedFunction", "unreached"]

WHY: Final = "nothing that is followed reaches this function"


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
        arrays: dict[Position, ExpressionClaims] = {}
        names: dict[str, str] | None = None
        lines = {e.line for file in claimed.get(shown, ()) for e in file.expressions}
        for name, node in _functions(source.tree, ""):
            if _is_stub(node):
                continue
            total += 1
            inside = range(node.body[0].lineno, (node.end_lineno or node.lineno) + 1)
            if (str(source.path), node.lineno) not in reached and lines.isdisjoint(inside):
                names = names_of_jax(source.tree) if names is None else names
                missed.append(UnreachedFunction(shown, node.lineno, name))
                arrays.update((position_of(call), _unknown(call)) for call, _ in calls_of_jax(node, names))
        if arrays:
            claims[shown] = FileClaims.of(arrays.values())
    return total, missed, claims


Function = ast.FunctionDef | ast.AsyncFunctionDef


def _functions(node: ast.AST, around: str) -> Iterator[tuple[str, Function]]:
    for child in inner_statements(node):
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


def _unknown(node: ast.expr) -> ExpressionClaims:
    return ExpressionClaims(*position_of(node), (Claim(),), "flow", WHY)
