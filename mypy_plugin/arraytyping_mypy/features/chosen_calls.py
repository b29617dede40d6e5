"""Calls of functions that are chosen where they are called, in the copy of a function.

mypy asks a plugin about calls of names alone.  So `ACTIVATIONS[name](x)` becomes the call of a function by name, which
is given the chosen one first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy.nodes import GDEF, ArgKind, CallExpr, ConditionalExpr, Expression, FuncDef, IndexExpr, NameExpr, RefExpr, Var
from mypy.types import AnyType, TypeOfAny

from arraytyping_mypy.asked_calls import asked_function
from arraytyping_mypy.provenance import NAMING
from arraytyping_mypy.walk import nodes_of

if TYPE_CHECKING:
    from arraytyping_mypy.session import Session

__all__ = ["CALLED", "have_asked"]

CALLED: Final = "arraytyping_mypy.features.chosen_calls.called"
"""The function that stands for the call of what is no name."""


def have_asked(made: FuncDef, session: Session) -> None:
    """Have mypy ask about the calls of functions in a copy that are chosen where they are called."""
    function: Var | None = None
    for node in list(nodes_of(made)):
        if not isinstance(node, CallExpr) or not _is_chosen(node.callee):
            continue
        if function is None:
            plain = session.api.named_generic_type("builtins.function", [])
            function = asked_function(CALLED, plain, AnyType(TypeOfAny.special_form))
        name = NameExpr(function.name)
        name.node, name.fullname, name.kind = function, CALLED, GDEF
        name.set_line(node.callee)
        node.args = [node.callee, *node.args]
        node.arg_kinds = [ArgKind.ARG_POS, *node.arg_kinds]
        node.arg_names = [None, *node.arg_names]
        node.callee = name


def _is_chosen(callee: Expression) -> bool:
    if isinstance(callee, IndexExpr):
        return isinstance(callee.base, RefExpr)
    return isinstance(callee, ConditionalExpr) or _is_named(callee)


def _is_named(expression: Expression) -> bool:
    callee = expression.callee if isinstance(expression, CallExpr) else None
    return isinstance(callee, RefExpr) and callee.fullname == NAMING
