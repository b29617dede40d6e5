"""The types of a call's arguments in their order, where a tuple or a dict of known keys is unpacked too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mypy.nodes import ArgKind, CallExpr
from mypy.plugin import FunctionContext, MethodContext
from mypy.types import TupleType, Type, TypedDictType, UnpackType, get_proper_type

if TYPE_CHECKING:
    from arraytyping_mypy.session import Session

__all__ = ["arguments", "bound_arguments"]


def arguments(ctx: FunctionContext | MethodContext, session: Session) -> tuple[list[Type], dict[str, Type]] | None:
    """Positional and keyword arguments; None if something is unpacked of which it is not known what is in it."""
    call = ctx.context
    known = {id(e): t for es, types in zip(ctx.args, ctx.arg_types) for e, t in zip(es, types)}
    if not isinstance(call, CallExpr) or any(id(e) not in known for e in call.args):
        return _in_order_of_parameters(ctx, session)
    return bound_arguments(call, [known[id(e)] for e in call.args], session)


def bound_arguments(
    call: CallExpr, types: Sequence[Type | None], session: Session
) -> tuple[list[Type], dict[str, Type]] | None:
    """The same of a call, by the types of its arguments in order."""
    positional: list[Type] = []
    named: dict[str, Type] = {}
    for e, t, kind, name in zip(call.args, types, call.arg_kinds, call.arg_names):
        if t is None:
            return None
        found = session.following.function(e, t)
        p = get_proper_type(found)
        if kind is ArgKind.ARG_STAR:
            if not isinstance(p, TupleType) or any(isinstance(get_proper_type(i), UnpackType) for i in p.items):
                return None
            positional += p.items
        elif kind is ArgKind.ARG_STAR2:
            if not isinstance(p, TypedDictType) or p.required_keys != p.items.keys():
                return None
            named |= p.items
        elif name is not None:
            named[name] = found
        else:
            positional.append(found)
    return positional, named


def _in_order_of_parameters(
    ctx: FunctionContext | MethodContext, session: Session
) -> tuple[list[Type], dict[str, Type]] | None:
    positional: list[Type] = []
    named: dict[str, Type] = {}
    for expressions, types, kinds, names in zip(ctx.args, ctx.arg_types, ctx.arg_kinds, ctx.arg_names):
        for e, t, kind, name in zip(expressions, types, kinds, names):
            if kind.is_star():
                return None
            found = session.following.function(e, t)
            if kind is ArgKind.ARG_NAMED and name is not None:
                named[name] = found
            else:
                positional.append(found)
    return positional, named
