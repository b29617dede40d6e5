"""What a module says as a whole, by the names and statements in it, wherever they stand."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Final

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    ExpressionStmt,
    FloatExpr,
    IndexExpr,
    IntExpr,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
    OperatorAssignmentStmt,
    StrExpr,
)

from arraytyping.regular_files import content_of, read_regular_text
from arraytyping_mypy.walk import nodes_of, statements_of

__all__ = [
    "changes_arrays", "has_own_derivatives", "keeps_hyperparams", "may_cast", "turns_backward_checks_off",
    "turns_compiling_off",
]  # fmt: skip

_DERIVATIVES: Final = ("custom_vjp", "custom_jvp", "custom_gradient", "custom_derivatives")
"""The names by which a program gives a function its own derivatives."""
_BACKWARD: Final = ("custom_vjp", "custom_gradient", "custom_derivatives")
_SET: Final = ("shape", "dtype", "strides")
"""Attributes of an array of NumPy's that can be set."""


def has_own_derivatives(tree: MypyFile) -> bool:
    """Whether a function of the module may have derivatives of its own."""
    return any(isinstance(n, NameExpr | MemberExpr) and n.name in _DERIVATIVES for n in nodes_of(tree))


def may_cast(path: str, modules: Mapping[str, str]) -> bool:
    """Whether a module, or one that it may import, names what gives a function a backward rule of the program's own.

    `modules` are the paths of the program's modules by the last parts of their names.
    """
    reached = {path}
    stack = [path]
    while stack:
        words = _words(stack.pop())
        if words is None or not words.isdisjoint(_BACKWARD):
            return True
        found = {modules[name] for name in words & modules.keys()} - reached
        reached |= found
        stack += found
    return False


@lru_cache(maxsize=1024)
def _words(path: str) -> frozenset[str] | None:
    """The words in a file; None if it cannot be read."""
    try:
        given = content_of(path)
        text = read_regular_text(Path(path)) if given is None else given.decode()
    except (OSError, UnicodeDecodeError):
        return None
    return frozenset(re.findall(r"\w+", text))


def changes_arrays(tree: MypyFile) -> bool:
    """Whether the module may change the shape or dtype of an array of NumPy's where it is: `x.shape = (2, 3)`."""
    return any(map(_changes_array, statements_of(tree)))


def _changes_array(node: Node) -> bool:
    if type(node) is AssignmentStmt:
        return any(map(_is_set, node.lvalues))
    call = node.expr if isinstance(node, ExpressionStmt) else None
    return isinstance(call, CallExpr) and isinstance(call.callee, MemberExpr) and call.callee.name == "resize"


def _is_set(target: Node) -> bool:
    return isinstance(target, MemberExpr) and target.name in _SET


def turns_backward_checks_off(tree: MypyFile) -> bool:
    """Whether a module names the setting with which jax takes any cotangent of a backward rule."""
    return any(isinstance(n, StrExpr | MemberExpr) and _text(n) == "jax_disable_bwd_checks" for n in nodes_of(tree))


def _text(node: StrExpr | MemberExpr) -> str:
    return node.value if isinstance(node, StrExpr) else node.name


def turns_compiling_off(tree: MypyFile) -> bool:
    """Whether a module names what has functions run without a trace."""
    return any(
        (isinstance(n, NameExpr | MemberExpr) and n.name == "disable_jit")
        or (isinstance(n, StrExpr) and n.value == "jax_disable_jit")
        for n in nodes_of(tree)
    )


def keeps_hyperparams(tree: MypyFile) -> bool:
    """Whether the module puts nothing but numbers among the hyperparameters in the state of an optimizer."""
    read: set[Node] = set()
    for node in nodes_of(tree):
        if isinstance(node, CallExpr) and "hyperparams" in node.arg_names:
            return False
        targets: list[Node] = list(node.lvalues) if isinstance(node, AssignmentStmt) else []
        targets += [node.lvalue] if isinstance(node, OperatorAssignmentStmt) else []
        is_put = any(isinstance(t, IndexExpr) and _is_hyperparams(t.base) for t in targets)
        if is_put and not isinstance(getattr(node, "rvalue", None), FloatExpr | IntExpr):
            return False
        if isinstance(node, IndexExpr):
            read.add(node.base)
        elif _is_hyperparams(node) and node not in read:
            return False
    return True


def _is_hyperparams(node: Node) -> bool:
    return isinstance(node, MemberExpr) and node.name == "hyperparams"
