"""The expressions of one line with how they came to their dtypes, for the command that asks for it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Any

from arraytyping.checker.claims import position_of
from arraytyping.checker.dtype_trace import DtypeTrace
from arraytyping.checker.flow.state.dtype_traces import steps_of
from arraytyping.checker.flow.state.written_operands import short
from arraytyping.checker.flow.values import ArrayValue
from arraytyping.checker.flow.values.frames import Module
from arraytyping.checker.flow.values.origins import place_of

__all__ = ["traces_of"]


def traces_of(
    modules: Iterable[Module], path: str, line: int, column: int, end_line: int = 0, end_column: int = 0
) -> Iterator[DtypeTrace]:
    """How the outermost expressions on a line of a file came to their dtypes; with a column, the innermost one there.

    Lines and columns count from 1; column 0 is none.  With an end, it is the expression from there to the end.
    """
    for module in modules:
        if str(module.path.resolve()) != path:
            continue
        if end_line:
            place = (line, column - 1, end_line, end_column - 1)
            chosen: list[Any] = [n for n in module.seen if position_of(n) == place]  # type: ignore[arg-type]
        else:
            chosen = _chosen([n for n in module.seen if _is_there(n, line, column)], column)
        for node in chosen:
            for seen in module.seen[node].values():
                for item, value in seen:
                    if isinstance(value, ArrayValue):
                        text = short(node, 60) + "".join(f"[{i}]" for i in item)
                        steps = tuple((s.path, s.line, s.text) for s in steps_of(value))
                        at = (module.shown, node.lineno, node.col_offset + 1)
                        yield DtypeTrace(*at, text, value.shown, steps, place_of(value.origin))


def _is_there(node: Any, line: int, column: int) -> bool:
    if not column:
        return bool(node.lineno <= line <= node.end_lineno)
    return bool((node.lineno, node.col_offset) <= (line, column - 1) < (node.end_lineno, node.end_col_offset))


def _chosen(nodes: list[ast.AST], column: int) -> list[ast.AST]:
    """The outermost of these expressions that have arrays, or, where a column is given, the innermost."""
    inside = {id(inner) for node in nodes for inner in ast.walk(node) if inner is not node}
    if not column:
        return [node for node in nodes if id(node) not in inside]
    holding = {id(node) for node in nodes if any(inner is not node and inner in nodes for inner in ast.walk(node))}
    return [node for node in nodes if id(node) not in holding]
