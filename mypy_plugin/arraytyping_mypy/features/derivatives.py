"""`jvp`, `vjp` and `linearize`: what they give at once, and what the function gives that `vjp` returns.

What `vjp` pulls back to has the dtypes and shapes of what it was asked at, whatever the function is; a tangent has
those of the function's result, where that is annotated.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from mypy.nodes import ArgKind, CallExpr
from mypy.plugin import FunctionContext
from mypy.types import AnyType, CallableType, TupleType, Type, TypeOfAny, get_proper_type

from arraytyping_mypy.checker import is_checked
from arraytyping_mypy.features.applied import applied
from arraytyping_mypy.features.carried import carried
from arraytyping_mypy.features.derivative_arguments import (
    refused_cotangent,
    refused_linearized,
    refused_tangents,
)
from arraytyping_mypy.features.differentiated import is_by_another_rule, refused_derivative
from arraytyping_mypy.features.marks import is_mark, marked
from arraytyping_mypy.features.tangents import cast, tangent
from arraytyping_mypy.generalize import generalize
from arraytyping_mypy.records import Refused
from arraytyping_mypy.session import Session
from arraytyping_mypy.sessions import Sessions
from arraytyping_mypy.wrappers import can_wrap, wrapped, wrapper_of

__all__ = ["LINEARIZED", "PULLBACK", "called", "function_hook", "returned"]

PULLBACK: Final = "pullback"
LINEARIZED: Final = "linearized"
"""The marks of the functions that `vjp` and `linearize` give."""

_HOOKS: Final = {f"{space}{name}": name for space in ("jax._src.api.", "jax.") for name in ("jvp", "vjp", "linearize")}


def function_hook(fullname: str, sessions: Sessions) -> Callable[[FunctionContext], Type] | None:
    """The hook of one of these functions, or None."""
    name = _HOOKS.get(fullname)
    return None if name is None else partial(_differentiate, name, sessions)


def _any() -> AnyType:
    return AnyType(TypeOfAny.special_form)


def _differentiate(name: str, sessions: Sessions, ctx: FunctionContext) -> Type:
    default = generalize(ctx.default_return_type)
    session = sessions.of(ctx.api)
    given = dict(zip(ctx.callee_arg_names, zip(ctx.arg_types, ctx.arg_kinds)))
    if (
        not session.is_active
        or given.get("has_aux", ((), ()))[0]
        or any(k.is_star() for _, ks in given.values() for k in ks)
    ):
        return default
    functions = given.get("fun", ((), ()))[0]
    if len(functions) != 1:
        return default
    refused = _refused(name, ctx, session)
    if refused is not None:
        session.fail(refused.message, ctx.context, refused.code, refused.exception)
        return default
    result = _result(name, ctx, session)
    value = _any() if result is None else carried(result, session, keeps_weak=True, keeps_classes=False)
    along = _any() if result is None else tangent(result, session)
    if name == "jvp":
        return _tuple([value, along], session)
    p = get_proper_type(default)
    first = p.items[0] if isinstance(p, TupleType) and p.items and result is None else value
    primals = given.get("primals", ((), ()))[0]
    if name == "linearize":
        return _tuple([first, _function(LINEARIZED, _tuple(list(primals), session), along, session)], session)
    back = _tuple([cast(tangent(t, session), session) for t in primals], session)
    return _tuple([first, _function(PULLBACK, value, back, session)], session)


def _refused(name: str, ctx: FunctionContext, session: Session) -> Refused | None:
    """What is wrong with the tangents of `jvp`."""
    given = {
        own: session.following.function(es[0], types[0])
        for own, es, types in zip(ctx.callee_arg_names, ctx.args, ctx.arg_types)
        if len(types) == 1
    }
    if name != "jvp" or "primals" not in given or "tangents" not in given:
        return None
    return refused_tangents(given["primals"], given["tangents"], session)


def called(
    kind: str, given: Type, tangents: list[Type], session: Session, refuses: Callable[[Refused | None], bool]
) -> Type:
    """What a pullback or a linearized function gives, which holds what it is called with against the function."""
    p = get_proper_type(given)
    if not isinstance(p, TupleType):
        return _any()
    of, result = p.items
    refuses((refused_cotangent if kind == PULLBACK else refused_linearized)(of, tangents, session))
    return result


def _result(name: str, ctx: FunctionContext, session: Session) -> Type | None:
    """What the function gives that is differentiated."""
    given = {
        own: [session.following.function(e, t) for e, t in zip(es, types)]
        for own, es, types in zip(ctx.callee_arg_names, ctx.args, ctx.arg_types)
    }
    function = given["fun"][0]
    primals: list[Type] | None = given.get("primals", [])
    if name == "jvp" and primals is not None:
        several = get_proper_type(primals[0]) if len(primals) == 1 else None
        primals = several.items if isinstance(several, TupleType) else None
    found = None
    if primals is not None and is_checked(ctx.api) and isinstance(ctx.context, CallExpr):
        session.following.site = ctx.context
        if wrapper_of(function) is None:
            numbers = range(len(primals))
            found = applied(function, primals, {}, session, name, numbers=numbers)
            refused = refused_derivative(name, function, primals, numbers, session)
            if refused is not None:
                session.fail(refused.message, ctx.context, refused.code, refused.exception)
            result = returned(function) if found is None else found
            if result is not None and is_by_another_rule(function, result, primals, session):
                return None
    return returned(function) if found is None else found


def returned(function: Type) -> Type | None:
    """What a function is declared to return, or returns if it is a lambda; None if it is not known."""
    wrapper = wrapper_of(function)
    p = get_proper_type(function if wrapper is None else wrapped(wrapper))
    if not isinstance(p, CallableType) or p.variables or is_mark(p) or p.is_type_obj():
        return None
    result = get_proper_type(p.ret_type)
    return None if isinstance(result, AnyType) else result


def _tuple(items: list[Type], session: Session) -> Type:
    return TupleType(items, session.api.named_generic_type("builtins.tuple", [_any()]))


def _function(kind: str, of: Type, result: Type, session: Session) -> Type:
    """A function that gives this result: marked with that of which it is, where a class stands for such functions."""
    info = session.jit_wrapped
    if info is not None and can_wrap(info):
        return marked(kind, {}, _tuple([of, result], session), info, session)
    return CallableType(
        [_any(), _any()],
        [ArgKind.ARG_STAR, ArgKind.ARG_STAR2],
        [None, None],
        result,
        session.api.named_generic_type("builtins.function", []),
        is_ellipsis_args=True,
    )
