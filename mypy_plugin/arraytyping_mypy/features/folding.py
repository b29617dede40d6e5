"""`functools.reduce(f, items)` and `sum(items)`: what comes of items one after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from mypy.nodes import CallExpr, Expression, ListExpr, StarExpr
from mypy.plugin import FunctionContext
from mypy.types import Instance, Type, get_proper_type

from arraytyping_mypy.checker import is_checked
from arraytyping_mypy.features.applied import applied, by_operator
from arraytyping_mypy.fixed_lists import items_of
from arraytyping_mypy.session import Session
from arraytyping_mypy.sessions import Sessions
from arraytyping_mypy.variants import joined, key_of

__all__ = ["function_hook"]

_REDUCE: Final = ("functools.reduce", "_functools.reduce")


def function_hook(fullname: str, sessions: Sessions) -> Callable[[FunctionContext], Type] | None:
    """The hook of one of these functions, or None."""
    if fullname in _REDUCE:
        return partial(_reduce, sessions)
    return partial(_sum, sessions) if fullname == "builtins.sum" else None


def _reduce(sessions: Sessions, ctx: FunctionContext) -> Type:
    session = sessions.of(ctx.api)
    given = _positional(ctx)
    if not session.is_active or not is_checked(ctx.api) or len(given) not in (2, 3):
        return ctx.default_return_type
    session.following.site = ctx.context if isinstance(ctx.context, CallExpr) else None
    (f, items), first = given[:2], given[2:]
    function = session.following.function(*f)
    start = [session.following.function(*e) for e in first]
    known = _items(*items, session)
    if known is not None:
        made = _folded(lambda a, b: applied(function, [a, b], {}, session), [*start, *known])
    else:
        made = None if first else _of_many(function, items[1], session)
    return ctx.default_return_type if made is None else made


def _sum(sessions: Sessions, ctx: FunctionContext) -> Type:
    """The sum of known items, of which the first is added to 0; of any number of them mypy says that it may be 0."""
    from arraytyping_mypy.features import containers

    session = sessions.of(ctx.api)
    given = _positional(ctx)
    items = _items(*given[0], session) if session.is_active and is_checked(ctx.api) and len(given) == 1 else None
    zero = session.api.named_generic_type("builtins.int", []) if items else None
    made = _folded(lambda a, b: by_operator("add", [a, b], session), [zero, *items]) if items and zero else None
    if made is not None:
        return made
    otherwise = containers.function_hook("builtins.sum", sessions)
    return ctx.default_return_type if otherwise is None else otherwise(ctx)


def _positional(ctx: FunctionContext) -> list[tuple[Expression, Type]]:
    """The arguments; none where one is named or unpacked."""
    if any(not kind.is_positional() or kind.is_star() for kinds in ctx.arg_kinds for kind in kinds):
        return []
    return [(e, t) for es, types in zip(ctx.args, ctx.arg_types) for e, t in zip(es, types)]


def _items(e: Expression, t: Type, session: Session) -> Sequence[Type] | None:
    """The items of a sequence, or what is written in a list; None if that is not known."""
    found = items_of(session.following.function(e, t))
    if found is not None or not isinstance(e, ListExpr) or any(isinstance(i, StarExpr) for i in e.items):
        return found
    types = [session.stored(i) for i in e.items]
    return [session.following.function(i, s) for i, s in zip(e.items, types) if s is not None]


def _folded(step: Callable[[Type, Type], Type | None], items: Sequence[Type]) -> Type | None:
    made: Type | None = items[0] if items else None
    for item in items[1:]:
        made = None if made is None else step(made, item)
    return made


def _of_many(function: Type, sequence: Type, session: Session) -> Type | None:
    """What comes of one or more items of one type, where a second step changes nothing any more."""
    p = get_proper_type(session.following.function(ListExpr([]), sequence))
    if not isinstance(p, Instance) or not p.type.has_base("typing.Iterable") or len(p.args) != 1:
        return None
    item = p.args[0]
    once = applied(function, [item, item], {}, session)
    again = None if once is None else applied(function, [once, item], {}, session)
    if once is None or again is None or key_of(again) != key_of(once):
        return None
    return joined([item, once], session)
