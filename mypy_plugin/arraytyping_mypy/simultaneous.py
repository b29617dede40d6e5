"""`x, y = y, f(x)`: all that stands on the right is computed before anything is bound.

mypy binds one name after the other, and takes what stands behind for computed with the new values.  So the whole right
side becomes the argument of a function of which the plugin says that it gives that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from mypy.nodes import AssignmentStmt, ListExpr, NameExpr, StarExpr, TupleExpr, Var
from mypy.plugin import CheckerPluginInterface, FunctionContext
from mypy.types import AnyType, Type, TypeOfAny

from arraytyping_mypy.asked_calls import asked_function, call_of
from arraytyping_mypy.walk import bound_variables, nodes_of

__all__ = ["TOGETHER", "bind_together", "function_hook", "is_bound_early"]

TOGETHER: Final = "arraytyping_mypy.simultaneous.together"


def is_bound_early(statement: AssignmentStmt) -> bool:
    """Whether mypy would take something on the right for computed after a name in it was bound."""
    value = statement.rvalue
    if not isinstance(value, TupleExpr) or any(isinstance(i, StarExpr) for i in value.items):
        return False
    return any(_reads_bound(target, value) for target in statement.lvalues if isinstance(target, TupleExpr | ListExpr))


def _reads_bound(target: TupleExpr | ListExpr, value: TupleExpr) -> bool:
    bound: set[Var] = set()
    for inner, item in zip(target.items, value.items):
        if bound and any(isinstance(n, NameExpr) and n.node in bound for n in nodes_of(item)):
            return True
        bound |= set(bound_variables(inner))
    return False


def bind_together(statements: Iterable[AssignmentStmt], api: CheckerPluginInterface) -> None:
    """Have the right sides of these statements be such arguments."""
    function: Var | None = None
    for statement in statements:
        if function is None:
            plain = api.named_generic_type("builtins.function", [])
            function = asked_function(TOGETHER, plain, AnyType(TypeOfAny.special_form))
        statement.rvalue = call_of(function, statement.rvalue)


def function_hook(fullname: str) -> Callable[[FunctionContext], Type] | None:
    """The hook of the function, or None."""
    return _give if fullname == TOGETHER else None


def _give(ctx: FunctionContext) -> Type:
    return ctx.arg_types[0][0]
