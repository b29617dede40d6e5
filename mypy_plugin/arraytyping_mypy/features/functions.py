"""Calls of functions, methods and ufuncs that have a rule."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from mypy.nodes import CallExpr, NameExpr, RefExpr, Var
from mypy.plugin import FunctionContext, MethodContext
from mypy.types import AnyType, Type, TypeOfAny

from arraytyping_mypy.arguments import read
from arraytyping_mypy.convert import value_of
from arraytyping_mypy.features import ruled
from arraytyping_mypy.frameworks import function_rule
from arraytyping_mypy.session import Session
from arraytyping_mypy.sessions import Sessions
from arraytyping_mypy.wrappers import wrapper_of

__all__ = ["call_method", "call_ufunc", "hook", "receiver"]


def hook(fullname: str, rule: str | None, sessions: Sessions) -> Callable[[FunctionContext], Type] | None:
    """The hook of a function, or None if it has no rule."""
    if rule is not None:
        return partial(call_function, rule, sessions)
    if fullname in ("numpy.promote_types", "numpy.can_cast"):
        return partial(call_alias, sessions)  # jax.numpy declares these as NumPy's own
    return None


def call_function(rule: str, sessions: Sessions, ctx: FunctionContext) -> Type:
    """`jnp.f(...)`."""
    return ruled.call(rule, [], sessions.of(ctx.api), ctx)


def call_alias(sessions: Sessions, ctx: FunctionContext) -> Type:
    """A function of `jax.numpy` that its stub declares as NumPy's; NumPy's own is left alone."""
    rule = _callee_rule(ctx)
    return ctx.default_return_type if rule is None else ruled.call(rule, [], sessions.of(ctx.api), ctx)


def call_ufunc(sessions: Sessions, ctx: MethodContext) -> Type:
    """`jnp.add(...)`: all ufuncs share one method, and the callee's name says which it is."""
    rule = _callee_rule(ctx)
    if rule is None:
        if _is_another(ctx, sessions.of(ctx.api)):
            return AnyType(TypeOfAny.special_form)
        from arraytyping_mypy.features import called_transformed, followed  # not needed for what has a rule

        made = called_transformed.call(sessions, ctx)
        return followed.call_jitted(sessions, ctx) if made is None else made
    return ruled.call(rule, [], sessions.of(ctx.api), ctx)


def _is_another(ctx: MethodContext, session: Session) -> bool:
    """Whether a variable is called that was bound to functions of several types, of which mypy keeps the first."""
    callee = ctx.context.callee if isinstance(ctx.context, CallExpr) else None
    if not isinstance(callee, NameExpr) or not isinstance(callee.node, Var) or not session.is_active:
        return False
    if not session.bindings.is_rebound(callee.node) or wrapper_of(ctx.type) is None:
        return False
    last = session.straight_lines.value(callee)
    values = session.bindings.values(callee.node) if last is None else [last]
    return any(v is not None and session.stored(v) != ctx.type for v in values)


def call_method(rule: str, sessions: Sessions, ctx: MethodContext) -> Type:
    """`x.f(...)`."""
    session = sessions.of(ctx.api)
    if not session.is_active:
        return ctx.default_return_type
    return ruled.call(rule, [receiver(ctx, session)], session, ctx)


def receiver(ctx: MethodContext, session: Session) -> Any:
    """The array that a method is called on."""
    owner = ruled.owner(ctx.context)
    return value_of(ctx.type, session) if owner is None else read(owner, ctx.type, session)


def _callee_rule(ctx: FunctionContext | MethodContext) -> str | None:
    call = ctx.context
    if isinstance(call, CallExpr) and isinstance(call.callee, RefExpr):
        return function_rule(call.callee.fullname)
    return None
