"""Attributes of arrays: `.shape`, `.T`, `.dtype` and the others that have a rule."""

from __future__ import annotations

from mypy.nodes import IndexExpr, MemberExpr, RefExpr
from mypy.plugin import AttributeContext
from mypy.types import Type

from arraytyping_mypy.arguments import read
from arraytyping_mypy.calls import answer, result_type
from arraytyping_mypy.convert import value_of
from arraytyping_mypy.sessions import Sessions

__all__ = ["read_attribute"]


def read_attribute(rule: str, sessions: Sessions, ctx: AttributeContext) -> Type:
    """`x.shape` and its kin; a method that is not called keeps mypy's type."""
    session = sessions.of(ctx.api)
    if not session.is_active or ctx.is_lvalue or rule not in READ:
        return ctx.default_attr_type
    inner = ctx.context.expr if isinstance(ctx.context, MemberExpr) else None
    array = read(inner, ctx.type, session) if isinstance(inner, RefExpr | IndexExpr) else value_of(ctx.type, session)
    made = answer(rule, [array], {}, session)
    return ctx.default_attr_type if made is None else result_type(made, ctx.default_attr_type, session)


READ = frozenset(
    f"Array.{name}"
    for name in ("T", "mT", "shape", "ndim", "size", "dtype", "itemsize", "nbytes", "weak_type", "real", "imag")
)
"""The attributes that are values, not methods."""
