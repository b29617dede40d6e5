"""Methods that a decorator has transformed, looked up in an instance, which is their first argument then."""

from __future__ import annotations

from mypy.nodes import CallExpr, Decorator, MemberExpr
from mypy.plugin import MethodContext, MethodSigContext
from mypy.types import Instance, TupleType, Type, get_proper_type

from arraytyping_mypy.checker import stored_type

__all__ = ["instance_of_method"]


def instance_of_method(ctx: MethodSigContext | MethodContext) -> Type | None:
    """The instance in which what is called is looked up, where it was transformed in the class; None if it was not."""
    callee = ctx.context.callee if isinstance(ctx.context, CallExpr) else None
    found = stored_type(ctx.api, callee.expr) if isinstance(callee, MemberExpr) else None
    p = None if found is None else get_proper_type(found)
    owner = p.partial_fallback if isinstance(p, TupleType) else p
    if not isinstance(owner, Instance) or not isinstance(callee, MemberExpr):
        return None
    symbol = owner.type.get(callee.name)
    is_method = symbol is not None and isinstance(symbol.node, Decorator) and not symbol.node.func.is_static
    return found if is_method else None
