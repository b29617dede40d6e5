"""Dicts and lists that are written out and bound to a variable, in the copy of a function.

mypy has no more than `dict[str, Array]` of a display, and takes one that is bound to a variable of known keys for what
the variable had before.  So each such display becomes the argument of a function of which the plugin says what it
gives: what is written there (`displays`).  mypy itself says less of what goes through such a dict, or reads it by a key
that is computed: so this is done where a variable is bound again, or is read by its keys or places alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Final

from mypy.nodes import (
    AssignmentExpr,
    AssignmentStmt,
    CallExpr,
    ComparisonExpr,
    DictExpr,
    DictionaryComprehension,
    Expression,
    FloatExpr,
    ForStmt,
    FuncDef,
    GeneratorExpr,
    IndexExpr,
    IntExpr,
    LambdaExpr,
    ListComprehension,
    ListExpr,
    MemberExpr,
    NameExpr,
    Node,
    OpExpr,
    RefExpr,
    SliceExpr,
    StarExpr,
    StrExpr,
    TempNode,
    TupleExpr,
    UnaryExpr,
    Var,
)
from mypy.plugin import FunctionContext
from mypy.types import AnyType, Type, TypeOfAny

from arraytyping_mypy.asked_calls import asked_function, call_of
from arraytyping_mypy.displays import refined
from arraytyping_mypy.walk import nodes_of

if TYPE_CHECKING:
    from arraytyping_mypy.session import Session
    from arraytyping_mypy.sessions import Sessions

__all__ = ["KEPT", "function_hook", "keep_displays"]

KEPT: Final = "arraytyping_mypy.kept_displays.kept"
_NO_DICTS: Final = (
    IntExpr, FloatExpr, StrExpr, UnaryExpr, ComparisonExpr, LambdaExpr, TempNode, ListComprehension, SliceExpr,
)  # fmt: skip
"""What gives nothing in which there is a dict, or nothing that is one of several."""


def keep_displays(made: FuncDef, session: Session) -> None:
    """Have each display of a copy that is bound to such a variable be the argument of the function.

    And so whatever else is bound to a variable that is bound again, of which dicts of other keys may come together.
    """
    nodes = list(nodes_of(made))
    binding = [s for s in nodes if isinstance(s, AssignmentExpr | AssignmentStmt)]
    otherwise = {v for node in nodes for v in _read_otherwise(node)} if binding else set()
    function: Var | None = None
    for statement in binding:
        is_walrus = isinstance(statement, AssignmentExpr)
        for variable, part in list(_bindings(statement)):
            if session.mutations.grows(variable):
                continue
            is_own = session.bindings.is_settled(variable)
            is_again = session.bindings.is_rebound(variable) and not (isinstance(part, ListExpr) and is_own)
            if not is_again and (variable in otherwise or is_walrus or not _is_display(part)):
                continue
            if is_again and isinstance(part, _NO_DICTS):
                continue
            if function is None:
                plain = session.api.named_generic_type("builtins.function", [])
                function = asked_function(KEPT, plain, AnyType(TypeOfAny.special_form))
            call = _wrap(statement, part, function)
            if is_again:
                session.rebound_trees.note(call, variable, is_settled=is_own)


def _bindings(statement: AssignmentStmt | AssignmentExpr) -> Iterator[tuple[Var, Expression]]:
    if isinstance(statement, AssignmentExpr):
        yield from _bound(statement.target, statement.value)
    elif statement.type is None:
        for target in statement.lvalues:
            yield from _bound(target, statement.rvalue)


def function_hook(fullname: str, sessions: Sessions) -> Callable[[FunctionContext], Type] | None:
    """The hook of the function, or None."""
    return partial(_keep, sessions) if fullname == KEPT else None


def _keep(sessions: Sessions, ctx: FunctionContext) -> Type:
    session, value = sessions.of(ctx.api), ctx.args[0][0]
    found = refined(value, ctx.arg_types[0][0], session) if _is_display(value) else ctx.arg_types[0][0]
    return session.rebound_trees.bound(ctx.context, found) if isinstance(ctx.context, CallExpr) else found


def _read_otherwise(node: Node) -> Iterator[Var]:
    """The variables that a node goes through, asks for a method, or reads by a key that is not written there."""
    owners: list[Expression] = []
    match node:
        case MemberExpr():
            owners = [node.expr]
        case ForStmt():
            owners = [node.expr]
        case GeneratorExpr() | DictionaryComprehension():
            owners = list(node.sequences)
        case IndexExpr() if not isinstance(node.index, StrExpr | IntExpr | UnaryExpr):
            owners = [node.base]
        case OpExpr():
            owners = [node.left, node.right]
        case ComparisonExpr():
            owners = list(node.operands)
        case StarExpr():
            owners = [node.expr]
        case CallExpr():
            owners = [a for a, kind in zip(node.args, node.arg_kinds) if kind.is_star()]
            if isinstance(node.callee, RefExpr) and node.callee.fullname.startswith("builtins."):
                owners = node.args
        case DictExpr():
            owners = [value for key, value in node.items if key is None]
    for owner in owners:
        if isinstance(owner, NameExpr) and isinstance(owner.node, Var):
            yield owner.node
        elif isinstance(owner, CallExpr):  # `for i, x in enumerate(xs)`
            yield from (a.node for a in owner.args if isinstance(a, NameExpr) and isinstance(a.node, Var))


def _bound(target: Expression, value: Expression) -> Iterator[tuple[Var, Expression]]:
    """The variables that an assignment binds, with what."""
    if isinstance(target, NameExpr) and isinstance(target.node, Var):
        yield target.node, value
    elif isinstance(target, TupleExpr) and isinstance(value, TupleExpr) and len(target.items) == len(value.items):
        for inner, item in zip(target.items, value.items):
            yield from _bound(inner, item)


def _is_display(value: Expression) -> bool:
    """Whether it is a dict or list that is written out, and not empty."""
    if isinstance(value, CallExpr) and isinstance(value.callee, RefExpr):
        return value.callee.fullname == "builtins.dict" and bool(value.args) and all(value.arg_names)
    return isinstance(value, DictExpr | ListExpr) and bool(value.items)


def _wrap(statement: AssignmentStmt | AssignmentExpr, part: Expression, function: Var) -> CallExpr:
    call = call_of(function, part)
    if isinstance(statement, AssignmentExpr):
        statement.value = call
    elif statement.rvalue is part:
        statement.rvalue = call
    else:
        _put(statement.rvalue, part, call)
    return call


def _put(whole: Expression, display: Expression, call: CallExpr) -> None:
    if isinstance(whole, TupleExpr):
        for i, item in enumerate(whole.items):
            if item is display:
                whole.items[i] = call
            else:
                _put(item, display, call)
