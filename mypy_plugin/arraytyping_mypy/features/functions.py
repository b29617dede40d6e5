"""Calls of functions, methods and ufuncs that have a rule."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from mypy.nodes import CallExpr, Expression, MemberExpr, RefExpr
from mypy.plugin import FunctionContext, MethodContext
from mypy.types import Type

from arraytyping.semantics.avals import UNKNOWN
from arraytyping_mypy.arguments import bind, read, whole_union
from arraytyping_mypy.calls import answer, report, result_type
from arraytyping_mypy.convert import value_of
from arraytyping_mypy.features import followed, transformed
from arraytyping_mypy.frameworks import function_rule
from arraytyping_mypy.session import Session
from arraytyping_mypy.sessions import Sessions

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
    return _call(rule, [], sessions.of(ctx.api), ctx)


def call_alias(sessions: Sessions, ctx: FunctionContext) -> Type:
    """A function of `jax.numpy` that its stub declares as NumPy's; NumPy's own is left alone."""
    rule = _callee_rule(ctx)
    return ctx.default_return_type if rule is None else _call(rule, [], sessions.of(ctx.api), ctx)


def call_ufunc(sessions: Sessions, ctx: MethodContext) -> Type:
    """`jnp.add(...)`: all ufuncs share one method, and the callee's name says which it is."""
    rule = _callee_rule(ctx)
    if rule is None:
        made = transformed.call(sessions, ctx)
        return followed.call_jitted(sessions, ctx) if made is None else made
    return _call(rule, [], sessions.of(ctx.api), ctx)


def call_method(rule: str, sessions: Sessions, ctx: MethodContext) -> Type:
    """`x.f(...)`."""
    session = sessions.of(ctx.api)
    if not session.is_active:
        return ctx.default_return_type
    return _call(rule, [receiver(ctx, session)], session, ctx)


def receiver(ctx: MethodContext, session: Session) -> Any:
    """The array that a method is called on."""
    owner = _owner(ctx.context)
    return value_of(ctx.type, session) if owner is None else read(owner, ctx.type, session)


def _owner(call: object) -> Expression | None:
    """The expression before the dot."""
    if isinstance(call, CallExpr) and isinstance(call.callee, MemberExpr):
        return call.callee.expr
    return None


def _callee_rule(ctx: FunctionContext | MethodContext) -> str | None:
    call = ctx.context
    if isinstance(call, CallExpr) and isinstance(call.callee, RefExpr):
        return function_rule(call.callee.fullname)
    return None


def _call(rule: str, first: list[Any], session: Session, ctx: FunctionContext | MethodContext) -> Type:
    if not session.is_active:
        return ctx.default_return_type
    bound = bind(ctx.args, ctx.arg_types, ctx.arg_kinds, ctx.arg_names, session)
    if bound is None:
        return ctx.default_return_type
    made = answer(rule, first + bound[0], bound[1], session)
    if made is None:
        return ctx.default_return_type
    if made.error is not None and first:
        # A method of one member of a union: a mistake only if it is one for all of them.
        union = whole_union(_owner(ctx.context), session)
        whole = (
            None
            if union is UNKNOWN
            else answer(rule, [first[0] if union is None else union, *bound[0]], bound[1], session)
        )
        if whole is None or whole.error is None:
            return ctx.default_return_type
    if made.error is not None or made.warnings:
        report(made, ctx.context, session)
    return result_type(made, ctx.default_return_type, session)
