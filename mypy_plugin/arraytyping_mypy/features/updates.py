"""`x.at[i].set(v)` and its kin: the array keeps its dtype and shape."""

from __future__ import annotations

from typing import Final

from mypy.nodes import CallExpr, IndexExpr, MemberExpr
from mypy.plugin import MethodContext
from mypy.types import Type

from arraytyping.semantics.rules.registry import RULES
from arraytyping_mypy.arguments import bind, read
from arraytyping_mypy.calls import answer, report, result_type
from arraytyping_mypy.own_names import jax_name
from arraytyping_mypy.sessions import Sessions

__all__ = ["call", "rule_of"]

_OWNERS: Final = ("jax._src.basearray._IndexUpdateRef.", "jax._src.numpy.array_methods._IndexUpdateRef.")


def rule_of(fullname: str) -> str | None:
    """The rule of an update method by its full name, or None."""
    fullname = jax_name(fullname)
    for owner in _OWNERS:
        if fullname.startswith(owner):
            rule = f"Array.at.{fullname[len(owner) :]}"
            return rule if rule in RULES else None
    return None


def call(rule: str, sessions: Sessions, ctx: MethodContext) -> Type:
    """The array and the index stand in the expression itself: `ARRAY.at[INDEX].set(...)`."""
    session = sessions.of(ctx.api)
    callee = ctx.context.callee if isinstance(ctx.context, CallExpr) else None
    subscript = callee.expr if isinstance(callee, MemberExpr) else None
    helper = subscript.base if isinstance(subscript, IndexExpr) else None
    if not (session.is_active and isinstance(subscript, IndexExpr) and isinstance(helper, MemberExpr)):
        return ctx.default_return_type
    if helper.name != "at":
        return ctx.default_return_type
    bound = bind(ctx.args, ctx.arg_types, ctx.arg_kinds, ctx.arg_names, session)
    if bound is None:
        return ctx.default_return_type
    array, index = read(helper.expr, None, session), read(subscript.index, None, session)
    made = answer(rule, [array, index, *bound[0]], bound[1], session)
    if made is None:
        return ctx.default_return_type
    report(made, ctx.context, session)
    return result_type(made, ctx.default_return_type, session)
