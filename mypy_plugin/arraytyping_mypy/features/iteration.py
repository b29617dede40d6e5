"""Python's functions that go through an array: `zip(names, keys)`, `enumerate(x)`, `list(x)`, `next(iter(x))`.

mypy finds what `__iter__` gives without asking a plugin there, so that a row is `Any`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from mypy.nodes import CallExpr, RefExpr
from mypy.plugin import FunctionContext
from mypy.types import AnyType, Instance, TupleType, Type, TypeOfAny, get_proper_type

from arraytyping.semantics.avals import ShapedArray
from arraytyping_mypy.calls import answer, result_type
from arraytyping_mypy.checker import is_checked
from arraytyping_mypy.convert import unknown_array, value_of
from arraytyping_mypy.features import containers
from arraytyping_mypy.fixed_lists import LONGEST, fixed_list, items_of
from arraytyping_mypy.names import ARRAYS
from arraytyping_mypy.session import Session
from arraytyping_mypy.sessions import Sessions

__all__ = ["function_hook", "row_of"]

_ONE: Final = frozenset(f"builtins.{name}" for name in ("enumerate", "list", "tuple", "reversed", "iter"))
"""What gives an iterable of the items of its one argument."""


def function_hook(fullname: str, sessions: Sessions) -> Callable[[FunctionContext], Type] | None:
    """The hook of one of these functions, or None."""
    if fullname == "builtins.zip":
        return partial(_zip, containers.function_hook(fullname, sessions), sessions)
    return partial(_one, containers.function_hook(fullname, sessions), sessions) if fullname in _ONE else None


_Hook = Callable[[FunctionContext], Type] | None


def row_of(t: Type, session: Session) -> Type | None:
    """What a loop over an array takes from it; None for anything else."""
    p = get_proper_type(t)
    if not isinstance(p, Instance) or p.type.fullname not in ARRAYS:
        return None
    value = value_of(p, session)
    if isinstance(value, ShapedArray) and value.shape is None and value.dtype is None:
        return None
    made = answer("Array.__iter__", [value], {}, session)
    if made is None or made.error is not None:
        return None
    return result_type(made, unknown_array(session), session)


def _zip(otherwise: _Hook, sessions: Sessions, ctx: FunctionContext) -> Type:
    default = ctx.default_return_type if otherwise is None else otherwise(ctx)
    session = sessions.of(ctx.api)
    p = get_proper_type(default)
    if not session.is_active or not isinstance(p, Instance) or len(p.args) != 1:
        return default
    items = get_proper_type(p.args[0])
    given = [
        t
        for types, names, kinds in zip(ctx.arg_types, ctx.arg_names, ctx.arg_kinds)
        for t, name, kind in zip(types, names, kinds)
        if name is None and not kind.is_star()
    ]
    if not isinstance(items, TupleType) or len(items.items) != len(given):
        return default
    rows = [row_of(t, session) for t in given]
    return p.copy_modified(
        args=[items.copy_modified(items=[i if row is None else row for i, row in zip(items.items, rows)])]
    )


def _one(otherwise: _Hook, sessions: Sessions, ctx: FunctionContext) -> Type:
    default = ctx.default_return_type if otherwise is None else otherwise(ctx)
    session = sessions.of(ctx.api)
    p = get_proper_type(default)
    if not session.is_active or not ctx.arg_types or len(ctx.arg_types[0]) != 1 or ctx.arg_kinds[0][0].is_star():
        return default
    whole = _whole(ctx, session) if is_checked(ctx.api) and session.following.is_active else None
    if whole is not None:
        return whole
    row = row_of(ctx.arg_types[0][0], session)
    if row is None or not isinstance(p, Instance) or len(p.args) != 1:
        return default
    return p.copy_modified(args=[row]) if _is_any_or_array(p.args[0]) else default


def _whole(ctx: FunctionContext, session: Session) -> Type | None:
    """The tuple or list made of a sequence of which each item is known."""
    call = ctx.context
    name = call.callee.fullname if isinstance(call, CallExpr) and isinstance(call.callee, RefExpr) else ""
    if name not in ("builtins.tuple", "builtins.list"):
        return None
    items = items_of(session.following.function(ctx.args[0][0], ctx.arg_types[0][0]))
    if items is None or len(items) > LONGEST:
        return None
    if name == "builtins.list":
        return fixed_list(items, session) if session.mutations.has_closed_lists else None
    any_one = AnyType(TypeOfAny.special_form)
    return TupleType(items, session.api.named_generic_type("builtins.tuple", [any_one]))


def _is_any_or_array(t: Type) -> bool:
    p = get_proper_type(t)
    return isinstance(p, AnyType) or (isinstance(p, Instance) and p.type.fullname in ARRAYS)
