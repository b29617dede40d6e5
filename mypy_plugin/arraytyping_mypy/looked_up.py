"""What is looked up in an instance: methods that a decorator has transformed, and fields of which all is known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy.nodes import CallExpr, Decorator, Expression, IndexExpr, MemberExpr
from mypy.plugin import MethodContext, MethodSigContext
from mypy.types import Instance, TupleType, Type, get_proper_type

from arraytyping_mypy.checker import stored_type
from arraytyping_mypy.features.instances import attribute, exact_class
from arraytyping_mypy.provenance import gives_function

if TYPE_CHECKING:
    from arraytyping_mypy.session import Session

__all__ = ["exact_instance", "instance_of_method", "is_field"]


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


def exact_instance(callee: Expression, session: Session) -> Type | None:
    """The instance in which a method that was transformed is looked up, if it is of a class of which that is known."""
    if not isinstance(callee, MemberExpr):
        return None
    owner = session.stored(callee.expr)
    info = exact_class(callee.expr, owner, session)
    symbol = None if info is None else info.get(callee.name)
    node = None if symbol is None else symbol.node
    if owner is None or info is None or not isinstance(node, Decorator) or node.func.is_class or node.func.is_static:
        return None
    is_kept = info.module_name == session.module and not session.classes.binds(callee.name)
    return owner if is_kept and all(map(gives_function, node.decorators)) else None


def is_field(expression: Expression, session: Session) -> bool:
    """Whether it is a field of an instance that is known, which nothing binds again, or a part of one."""
    while isinstance(expression, IndexExpr):
        expression = expression.base
    owner = session.stored(expression.expr) if isinstance(expression, MemberExpr) else None
    if owner is None or not isinstance(expression, MemberExpr):
        return False
    return attribute(expression.name, owner, session) is not None
