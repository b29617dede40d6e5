"""The functions of a module that mypy checks apart, and in which of them a line is.

All other functions, and what is in none, it has checked with what the module says to others.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mypy.build import State
from mypy.nodes import Decorator, FuncDef, OverloadedFuncDef, TypeInfo

__all__ = ["Function", "functions_of", "is_in"]

Function = FuncDef | Decorator | OverloadedFuncDef


def functions_of(state: State) -> Iterator[tuple[str, Function, TypeInfo | None]]:
    """The functions of a module and of its classes that say nothing to others, with their names and classes."""
    assert state.tree is not None
    for name, symbol, info in state.tree.local_definitions(impl_only=True):
        if isinstance(symbol.node, Function):
            yield name, symbol.node, info


def is_in(line: int, function: Function) -> bool:
    """Whether a line is one of a function, of its decorators or of its overloads."""
    nodes: list[Any] = [function]
    while nodes:
        node = nodes.pop()
        if node.line <= line <= (node.end_line or node.line):
            return True
        if isinstance(node, Decorator):
            nodes += [node.func, *node.original_decorators]
        elif isinstance(node, OverloadedFuncDef):
            nodes += [*node.items, *([node.impl] if node.impl is not None else [])]
    return False
