"""Calls of what has a rule: the rule is asked, its answer is the call's type, and a mistake is reported."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from typing import Any, Final

from mypy.nodes import CallExpr, Expression, MemberExpr
from mypy.plugin import FunctionContext, MethodContext
from mypy.types import Instance, Type, get_proper_type

from arraytyping.checker.removals import REMOVED_ARGUMENTS, removed_argument_sentence
from arraytyping.semantics.avals import UNKNOWN, Alternatives, ShapedArray, join_shapes
from arraytyping_mypy.arguments import bind, whole_union
from arraytyping_mypy.calls import answer, report, result_type
from arraytyping_mypy.convert import value_of
from arraytyping_mypy.fixed_lists import is_fixed_list
from arraytyping_mypy.session import Session

__all__ = ["call", "owner"]


def owner(call: object) -> Expression | None:
    """The expression before the dot."""
    if isinstance(call, CallExpr) and isinstance(call.callee, MemberExpr):
        return call.callee.expr
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


def call(rule: str, first: list[Any], session: Session, ctx: FunctionContext | MethodContext) -> Type:
    """What a call gives by a rule, whose first arguments are these, which the call's own follow."""
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
        union = whole_union(owner(ctx.context), session)
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
