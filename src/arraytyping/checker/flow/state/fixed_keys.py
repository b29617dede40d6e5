"""A key that a function makes of a constant is the same in each call, and so are the draws from it.

It is a mistake where the call is one step of many: in a loop of Python whose later calls take what this one gave, as in
training or sampling, and in the body of `scan` and its kin.  What is evaluated again and again, on the same random
numbers each time, may well be meant.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from typing import Any, Final

from arraytyping.checker.flow.state.code_places import holds, path_to
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import KeyOrigin

__all__ = ["is_constant", "is_made_in_step"]

_LOOPS: Final = (ast.For, ast.AsyncFor, ast.While)
_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_SCANS: Final = frozenset({"scan", "fori_loop", "while_loop"})


def is_constant(it: Interpreter, node: ast.AST | None) -> bool:
    """Whether a call in a function makes a key of a number that is written there, or that a module names."""
    function = it.frame.function_frame().function
    seed = node.args[0] if isinstance(node, ast.Call) and node.args else None
    if function is None or seed is None:
        return False
    if isinstance(seed, ast.Name):
        bound = {n.id for n in ast.walk(function.node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        bound |= {n.arg for n in ast.walk(function.node) if isinstance(n, ast.arg)}
        return function.frame.kind == "module" and seed.id not in bound
    return isinstance(seed, ast.Constant) and type(seed.value) is int


def is_made_in_step(origin: KeyOrigin) -> bool:
    """Whether a key comes of a constant in a function, and a call on the way there is one step of many."""
    root = origin
    while root.source is not None:
        root = root.source[0]
    return root.is_fixed and any(
        module.is_program and isinstance(node, ast.Call) and (_is_scan(node) or _is_step(module.tree, node))
        for _, module, node in root.calls[:-1]
    )


def _is_scan(node: ast.Call) -> bool:
    """Whether a call executes a function several times, for all that is written."""
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    bounds = [a.value for a in node.args[:2] if isinstance(a, ast.Constant) and isinstance(a.value, int)]
    return name in _SCANS and not (name == "fori_loop" and len(bounds) == 2 and bounds[1] - bounds[0] < 2)


@functools.lru_cache(maxsize=512)
def _is_step(tree: ast.AST, call: ast.Call) -> bool:
    """Whether a call lies in a loop, and takes what it gave the last time."""
    loop: Any = None
    statement: Any = None
    for node in path_to(tree, call):
        if isinstance(node, _FUNCTIONS):
            loop = None
        elif isinstance(node, _LOOPS):
            loop = node
        elif isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
            statement = node
    if loop is None or statement is None or not holds(loop, statement):
        return False
    given = {name for a in (*call.args, *call.keywords) for name in _names(a, ast.Load)}
    later = set(_names(statement, ast.Store))
    assigned = [
        (set(_names(n.value, ast.Load)), set(_names(n, ast.Store)))
        for n in ast.walk(loop)
        if isinstance(n, ast.Assign | ast.AnnAssign | ast.AugAssign) and n.value is not None
    ]
    for _ in assigned:
        later |= {name for read, written in assigned if read & later for name in written}
    return bool(given & later)


def _names(node: ast.AST, context: type[ast.expr_context]) -> Iterator[str]:
    """The variables and attributes that are read, or written, in a piece of code."""
    for n in ast.walk(node):
        if isinstance(n, ast.Name | ast.Attribute) and isinstance(n.ctx, context):
            yield ast.unparse(n)
