"""By which calls of the program one came to a place."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from arraytyping.checker.flow.state.diagnostics import CallSite
from arraytyping.checker.flow.values.frames import Module

__all__ = ["chain_to"]


def chain_to(calls: list[tuple[str, Module, ast.AST]], name: str, module: Module, at: ast.AST) -> Iterator[CallSite]:
    """The calls of the program's functions, from the outermost to that of the function in which something is."""
    while calls and calls[-1][1] is module and _contains(calls[-1][2], at):
        name = calls.pop()[0]  # the call that is being evaluated, with what it is given
    callees = [*((n, m) for n, m, _ in calls[1:]), (name, module)]
    before: ast.AST | None = None
    for (_, caller, node), (callee, where) in zip(calls, callees):
        if callee and where.is_program and node is not before:
            yield CallSite(callee, caller.shown, getattr(node, "lineno", 0))
        before = node


def _contains(outer: Any, inner: Any) -> bool:
    return (outer.lineno, outer.col_offset) <= (inner.lineno, inner.col_offset) and (
        (inner.end_lineno, inner.end_col_offset) <= (outer.end_lineno, outer.end_col_offset)
    )
