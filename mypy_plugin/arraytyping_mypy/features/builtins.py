"""Python's own functions on arrays: `abs(x)`, `divmod(x, y)`, `len(x)`, and the loop over an array's rows."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from mypy.nodes import CallExpr
from mypy.plugin import FunctionContext, MethodContext
from mypy.types import CallableType, Instance, TupleType, Type, UnionType, get_proper_type

from arraytyping.semantics.avals import Alternatives, ShapedArray
from arraytyping.semantics.rules.registry import RULES
from arraytyping_mypy.arguments import bind
from arraytyping_mypy.calls import answer, report, result_type
from arraytyping_mypy.checker import is_checked
from arraytyping_mypy.convert import arrays_of, unknown_array, value_of
from arraytyping_mypy.sessions import Sessions

__all__ = ["function_hook", "iterate"]

_RULES: Final = {
    "builtins.abs": "Array.__abs__",
    "builtins.divmod": "Array.__divmod__",
    "builtins.len": "Array.__len__",
    "builtins.pow": "Array.__pow__",
    "builtins.round": "Array.__round__",
}

_CHOOSING: Final = ("builtins.max", "builtins.min")


def function_hook(fullname: str, sessions: Sessions) -> Callable[[FunctionContext], Type] | None:
    """The hook of a builtin function that calls a special method of its first argument, or gives one of them."""
    if fullname in _CHOOSING:
        return partial(_choose, sessions)
    if fullname == "builtins.map":
        return partial(_map, sessions)
    rule = _RULES.get(fullname)
    return partial(_call, rule, sessions) if rule is not None and rule in RULES else None


def _call(rule: str, sessions: Sessions, ctx: FunctionContext) -> Type:
    session = sessions.of(ctx.api)
    if not session.is_active or not ctx.arg_types or not ctx.arg_types[0]:
        return ctx.default_return_type
    first = value_of(ctx.arg_types[0][0], session)
    values = first.values if isinstance(first, Alternatives) else (first,)
    if not all(isinstance(v, ShapedArray) for v in values):
        return ctx.default_return_type
    bound = bind(ctx.args, ctx.arg_types, ctx.arg_kinds, ctx.arg_names, session)
    made = answer(rule, *bound, session) if bound is not None else None
    if made is None:
        return ctx.default_return_type
    report(made, ctx.context, session)
    return result_type(made, ctx.default_return_type, session)


def _choose(sessions: Sessions, ctx: FunctionContext) -> Type:
    """One of several arguments, for which mypy has no name if an array and a number are among them."""
    values = [t for given, names in zip(ctx.arg_types, ctx.arg_names) for t, name in zip(given, names) if name is None]
    if len(values) < 2 or any(kind.is_star() for kinds in ctx.arg_kinds for kind in kinds):
        return ctx.default_return_type
    session = sessions.of(ctx.api)
    if not session.is_active or not any(arrays_of(t, session) for t in values):
        return ctx.default_return_type
    return UnionType.make_union(values)


def _map(sessions: Sessions, ctx: FunctionContext) -> Type:
    """`map(f, items)` of a function that is followed."""
    session = sessions.of(ctx.api)
    p = get_proper_type(ctx.default_return_type)
    given = [(e, t) for es, types in zip(ctx.args, ctx.arg_types) for e, t in zip(es, types)]
    if not session.is_active or not isinstance(p, Instance) or len(given) != 2 or not is_checked(ctx.api):
        return ctx.default_return_type
    function, items = (session.following.function(e, t) for e, t in given)
    f, several = get_proper_type(function), get_proper_type(items)
    if not isinstance(f, CallableType) or not isinstance(several, TupleType | Instance):
        return ctx.default_return_type
    if isinstance(several, TupleType):
        each: list[Type] = several.items
    elif several.type.fullname == "builtins.list":
        each = [several.args[0]]
    else:
        return ctx.default_return_type
    session.following.site = ctx.context if isinstance(ctx.context, CallExpr) else None
    found = [session.following.result(f, [t], {}) for t in each]
    if not found or any(t is None for t in found):
        return ctx.default_return_type
    different = {str(t): t for t in found if t is not None}
    return p.copy_modified(args=[UnionType.make_union(list(different.values()))])


def iterate(rule: str, sessions: Sessions, ctx: MethodContext) -> Type:
    """`for row in x`, `a, b = x`: an iterator over arrays of one dimension less."""
    session = sessions.of(ctx.api)
    if not session.is_active:
        return ctx.default_return_type
    made = answer(rule, [value_of(ctx.type, session)], {}, session)
    if made is None:
        return ctx.default_return_type
    report(made, ctx.context, session)
    element = result_type(made, unknown_array(session), session)
    return session.api.named_generic_type("typing.Iterator", [element])
