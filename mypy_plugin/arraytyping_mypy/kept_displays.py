"""Dicts and lists that are written out and bound to a variable which is bound again, in the copy of a function.

mypy has no more than `dict[str, Array]` of a display, and takes one that is bound to a variable of known keys for what
the variable had before.  So each such display becomes the argument of a function of which the plugin says what it
gives: what is written there (`displays`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Final

from mypy.nodes import (
    GDEF,
    ArgKind,
    AssignmentStmt,
    CallExpr,
    DictExpr,
    Expression,
    FuncDef,
    ListExpr,
    NameExpr,
    TupleExpr,
    Var,
)
from mypy.plugin import FunctionContext
from mypy.types import AnyType, CallableType, Instance, Type, TypeOfAny

from arraytyping_mypy.displays import refined
from arraytyping_mypy.walk import nodes_of

if TYPE_CHECKING:
    from arraytyping_mypy.session import Session
    from arraytyping_mypy.sessions import Sessions

__all__ = ["KEPT", "asked_function", "function_hook", "keep_displays"]

KEPT: Final = "arraytyping_mypy.kept_displays.kept"


def asked_function(full_name: str, function: Instance, gives: Type) -> Var:
    """A function by this name that takes anything, about whose calls mypy asks the plugin."""
    any_one = AnyType(TypeOfAny.special_form)
    name = full_name.rpartition(".")[2]
    kinds = [ArgKind.ARG_STAR, ArgKind.ARG_STAR2]
    made = Var(name, CallableType([any_one, any_one], kinds, [None, None], gives, function, name=name))
    made._fullname = full_name
    made.is_ready = made.is_suppressed_import = True
    return made


def keep_displays(made: FuncDef, session: Session) -> None:
    """Have each display of a copy that is bound to such a variable be the argument of the function."""
    statements = [s for s in nodes_of(made) if isinstance(s, AssignmentStmt) and s.type is None]
    function: Var | None = None
    for statement in statements:
        places = [p for target in statement.lvalues for p in _displays(target, statement.rvalue)]
        for variable, display in places:
            if not session.bindings.is_rebound(variable) or session.mutations.grows(variable):
                continue
            if function is None:
                plain = session.api.named_generic_type("builtins.function", [])
                function = asked_function(KEPT, plain, AnyType(TypeOfAny.special_form))
            _wrap(statement, display, function)


def function_hook(fullname: str, sessions: Sessions) -> Callable[[FunctionContext], Type] | None:
    """The hook of the function, or None."""
    return partial(_keep, sessions) if fullname == KEPT else None


def _keep(sessions: Sessions, ctx: FunctionContext) -> Type:
    return refined(ctx.args[0][0], ctx.arg_types[0][0], sessions.of(ctx.api))


def _displays(target: Expression, value: Expression) -> Iterator[tuple[Var, Expression]]:
    """The variables that an assignment binds to displays, with these."""
    if isinstance(target, NameExpr) and isinstance(target.node, Var) and isinstance(value, DictExpr | ListExpr):
        if value.items:
            yield target.node, value
    elif isinstance(target, TupleExpr) and isinstance(value, TupleExpr) and len(target.items) == len(value.items):
        for inner, item in zip(target.items, value.items):
            yield from _displays(inner, item)


def _wrap(statement: AssignmentStmt, display: Expression, function: Var) -> None:
    callee = NameExpr(function.name)
    callee.node, callee.fullname, callee.kind = function, function.fullname, GDEF
    call = CallExpr(callee, [display], [ArgKind.ARG_POS], [None])
    callee.set_line(display)
    call.set_line(display)
    if statement.rvalue is display:
        statement.rvalue = call
    else:
        _put(statement.rvalue, display, call)


def _put(whole: Expression, display: Expression, call: CallExpr) -> None:
    if isinstance(whole, TupleExpr):
        for i, item in enumerate(whole.items):
            if item is display:
                whole.items[i] = call
            else:
                _put(item, display, call)
