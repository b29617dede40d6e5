"""Whether a function writes what lies outside of it: what is bound around it, and objects that are known there."""

from __future__ import annotations

import ast
import functools

from arraytyping.checker.flow.values import ClassValue, FunctionValue, Mutable

__all__ = ["writes_outside"]


def writes_outside(function: FunctionValue) -> bool:
    """Whether a function, by its text, binds a name around it or changes an object that a name around it stands for."""
    binds, changed = _written(function.node)
    return binds or any(isinstance(function.frame.find(name), Mutable | ClassValue) for name in changed)


@functools.cache
def _written(node: ast.AST) -> tuple[bool, frozenset[str]]:
    """Whether names around are bound, and the names, not its own, at which something is changed or called."""
    binds, changed, own = False, set(), set()
    for n in ast.walk(node):
        if isinstance(n, ast.Global | ast.Nonlocal):
            binds = True
        elif isinstance(n, ast.arg):
            own.add(n.arg)
        elif isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load):
            own.add(n.id)
        elif isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute):
            changed.add(_root(n.func))
        elif isinstance(n, ast.Attribute | ast.Subscript) and not isinstance(n.ctx, ast.Load):
            changed.add(_root(n))
    return binds, frozenset(changed - own - {""})


def _root(node: ast.expr) -> str:
    """The name at which a chain of attributes and items begins."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""
