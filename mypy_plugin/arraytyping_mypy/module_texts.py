"""What a module says as a whole, by the names and statements in it, wherever they stand."""

from __future__ import annotations

from typing import Final

from mypy.nodes import AssignmentStmt, CallExpr, ExpressionStmt, MemberExpr, MypyFile, NameExpr, Node

from arraytyping_mypy.walk import nodes_of, statements_of

__all__ = ["changes_arrays", "has_own_derivatives"]

_DERIVATIVES: Final = ("custom_vjp", "custom_jvp", "custom_gradient", "custom_derivatives")
"""The names by which a program gives a function its own derivatives."""
_SET: Final = ("shape", "dtype", "strides")
"""Attributes of an array of NumPy's that can be set."""


def has_own_derivatives(tree: MypyFile) -> bool:
    """Whether a function of the module may have derivatives of its own."""
    return any(isinstance(n, NameExpr | MemberExpr) and n.name in _DERIVATIVES for n in nodes_of(tree))


def changes_arrays(tree: MypyFile) -> bool:
    """Whether the module may change the shape or dtype of an array of NumPy's where it is: `x.shape = (2, 3)`."""
    return any(map(_changes_array, statements_of(tree)))


def _changes_array(node: Node) -> bool:
    if isinstance(node, AssignmentStmt):
        return any(isinstance(t, MemberExpr) and t.name in _SET for t in node.lvalues)
    call = node.expr if isinstance(node, ExpressionStmt) else None
    return isinstance(call, CallExpr) and isinstance(call.callee, MemberExpr) and call.callee.name == "resize"
