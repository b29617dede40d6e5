"""Calls of functions, methods and ufuncs that have a rule."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial, reduce
from typing import Any, Final

from mypy.nodes import CallExpr, Expression, MemberExpr, NameExpr, RefExpr, Var
from mypy.plugin import FunctionContext, MethodContext
from mypy.types import AnyType, Instance, Type, TypeOfAny, get_proper_type

from arraytyping.checker.removals import REMOVED_ARGUMENTS, removed_argument_sentence
from arraytyping.semantics.avals import UNKNOWN, Alternatives, ShapedArray, join_shapes
from arraytyping_mypy.arguments import bind, read, whole_union
from arraytyping_mypy.calls import answer, report, result_type
from arraytyping_mypy.convert import value_of
from arraytyping_mypy.features import followed, transformed
from arraytyping_mypy.fixed_lists import is_fixed_list
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
    return _call(rule, [], sessions.of(ctx.api), ctx)


def call_alias(sessions: Sessions, ctx: FunctionContext) -> Type:
    """A function of `jax.numpy` that its stub declares as NumPy's; NumPy's own is left alone."""
    rule = _callee_rule(ctx)
    return ctx.default_return_type if rule is None else _call(rule, [], sessions.of(ctx.api), ctx)


def call_ufunc(sessions: Sessions, ctx: MethodContext) -> Type:
    """`jnp.add(...)`: all ufuncs share one method, and the callee's name says which it is."""
    rule = _callee_rule(ctx)
    if rule is None:
        if _is_another(ctx, sessions.of(ctx.api)):
            return AnyType(TypeOfAny.special_form)
        made = transformed.call(sessions, ctx)
        return followed.call_jitted(sessions, ctx) if made is None else made
    return _call(rule, [], sessions.of(ctx.api), ctx)


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


_JOINING: Final = frozenset(
    f"numpy.{name}"
    for name in ("concatenate", "stack", "hstack", "vstack", "dstack", "column_stack", "array", "asarray")
)
"""What joins the rows of an array as it joins the items of a list."""


def _listed(expression: Expression, t: Type, session: Session) -> Any:
    """A list or tuple of arrays; of any number of them that are alike, as the array whose rows they are."""
    p = get_proper_type(session.following.function(expression, t))
    if is_fixed_list(p):
        return value_of(p, session)
    if not isinstance(p, Instance) or p.type.fullname not in ("builtins.list", "builtins.tuple") or not p.args:
        return UNKNOWN
    value = value_of(p.args[0], session)
    items = value.values if isinstance(value, Alternatives) else (value,)
    if not all(isinstance(i, ShapedArray) and i.dtype is not None and i.weak_type is False for i in items):
        return UNKNOWN
    if len({i.dtype for i in items}) > 1:
        return UNKNOWN
    shape = reduce(join_shapes, (i.shape for i in items))
    return ShapedArray(None if shape is None else (None, *shape), items[0].dtype)


def _call(rule: str, first: list[Any], session: Session, ctx: FunctionContext | MethodContext) -> Type:
    if not session.is_active:
        return ctx.default_return_type
    bound = bind(ctx.args, ctx.arg_types, ctx.arg_kinds, ctx.arg_names, session)
    if bound is None:
        return ctx.default_return_type
    if rule in _JOINING and bound[0][:1] == [UNKNOWN] and ctx.args and ctx.args[0]:
        bound[0][0] = _listed(ctx.args[0][0], ctx.arg_types[0][0], session)
    made = answer(rule, first + bound[0], bound[1], session)
    if made is None:
        _tell_removed(rule, bound[1], ctx, session)
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


def _tell_removed(rule: str, named: Mapping[str, Any], ctx: FunctionContext | MethodContext, session: Session) -> None:
    """Report an argument that the installed jax has no more, though it declares it."""
    gone = REMOVED_ARGUMENTS.get(rule, {}) if session.has_newest_jax else {}
    for name in named:
        if name in gone:
            message = removed_argument_sentence(rule, name, gone[name])
            session.fail(message, ctx.context, "array-jax-version", TypeError)
            return
