"""Functions with derivatives of their own, `custom_jvp` and `custom_vjp`: a call gives what the function gives.

Where it is differentiated it gives what its rule says, of which JAX takes for granted that it is the same, but for weak
types.  Where the rule is known to give something else, nothing is claimed.

Source: `custom_jvp.__call__` and `custom_vjp.__call__` in jax/_src/custom_derivatives.py.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from mypy.nodes import CallExpr
from mypy.plugin import MethodContext
from mypy.types import AnyType, Instance, NoneType, Type, TypeOfAny, get_proper_type

from arraytyping_mypy.checker import is_checked
from arraytyping_mypy.convert import array_type, arrays_of
from arraytyping_mypy.features import functions
from arraytyping_mypy.features.applied import applied, mapped_leaves
from arraytyping_mypy.features.carried import any_weak
from arraytyping_mypy.features.differentiated import is_alike, note_call
from arraytyping_mypy.followable import definition_of
from arraytyping_mypy.given import arguments
from arraytyping_mypy.names import ARRAYS
from arraytyping_mypy.provenance import CUSTOM, custom_function
from arraytyping_mypy.session import Session
from arraytyping_mypy.sessions import Sessions

__all__ = ["method_hook"]

_CALLS = frozenset(f"{name}.__call__" for name in CUSTOM)


def method_hook(fullname: str, sessions: Sessions) -> Callable[[MethodContext], Type] | None:
    """The hook of a call of such a function, or None."""
    return partial(_call, sessions) if fullname in _CALLS else None


def _call(sessions: Sessions, ctx: MethodContext) -> Type:
    session = sessions.of(ctx.api)
    call = ctx.context
    if not session.is_active or not isinstance(call, CallExpr):
        return ctx.default_return_type
    known = functions.call_ufunc(sessions, ctx)  # one of JAX's own, such as `jax.nn.relu`
    if known is not ctx.default_return_type or not is_checked(ctx.api):
        return known
    function = custom_function(call.callee, session.bindings, session.api)
    definition = None if function is None else definition_of(function)
    if function is None or definition is None:
        return ctx.default_return_type
    session.following.site = call
    given = arguments(ctx, session)
    if given is None:
        session.following.cut_at(definition)
        return ctx.default_return_type
    by_rule = note_call(definition, call, *given, session)
    session.following.site = call
    found = applied(function, *given, session)
    if found is None or (by_rule is not None and not is_alike(found, by_rule, session)):
        return ctx.default_return_type
    return mapped_leaves(found, lambda t: _result(t, session), session)


def _result(t: Type, session: Session) -> Type:
    p = get_proper_type(t)
    if isinstance(p, NoneType):
        return p
    if not isinstance(p, Instance) or p.type.fullname not in ARRAYS:
        return AnyType(TypeOfAny.special_form)  # a number stays one, unless it is traced
    return array_type([v for a in arrays_of(p, session) for v in any_weak(a, session)], session)
