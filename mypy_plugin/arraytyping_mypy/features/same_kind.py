"""Functions of JAX without a rule whose result is like an argument: iterative solvers, and sums over a named axis.

A solver begins with zeros like the right-hand side, and goes on until it ends: the solution has that structure, its
dtypes and shapes.  A sum over the items along a named axis keeps those of each item.

Source: `_isolve` and `gmres` in jax/_src/scipy/sparse/linalg.py, `psum` in jax/_src/lax/parallel.py.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from mypy.plugin import FunctionContext
from mypy.types import AnyType, Instance, LiteralType, NoneType, TupleType, Type, TypeOfAny, get_proper_type

from arraytyping.semantics.rules.dtype_kinds import ANY_FLOAT
from arraytyping_mypy.convert import arrays_of
from arraytyping_mypy.features.applied import mapped_leaves, traced
from arraytyping_mypy.features.carried import carried
from arraytyping_mypy.features.stacking import is_plain_array
from arraytyping_mypy.session import Session
from arraytyping_mypy.sessions import Sessions

__all__ = ["function_hook"]

_SOLVERS: Final = {
    f"{space}{name}": name
    for space in ("jax._src.scipy.sparse.linalg.", "jax.scipy.sparse.linalg.")
    for name in ("cg", "gmres", "bicgstab")
}
_SUMS: Final = frozenset(
    f"{space}{name}" for space in ("jax._src.lax.parallel.", "jax.lax.") for name in ("psum", "pmean", "pmax", "pmin")
)


def function_hook(fullname: str, sessions: Sessions) -> Callable[[FunctionContext], Type] | None:
    """The hook of one of these functions, or None."""
    if fullname in _SOLVERS:
        return partial(_solve, _SOLVERS[fullname], sessions)
    return partial(_sum, sessions) if fullname in _SUMS else None


def _given(ctx: FunctionContext, name: str, session: Session) -> Type | None:
    """The type of the one argument for a parameter; None if there is none, or something is unpacked."""
    for own, es, types, kinds in zip(ctx.callee_arg_names, ctx.args, ctx.arg_types, ctx.arg_kinds):
        if own == name and len(types) == 1 and not kinds[0].is_star():
            return session.following.function(es[0], types[0])
    return None


def _solve(name: str, sessions: Sessions, ctx: FunctionContext) -> Type:
    session = sessions.of(ctx.api)
    right = _given(ctx, "b", session) if session.is_active else None
    if right is None or _given(ctx, "x0", session) is not None or any(k.is_star() for ks in ctx.arg_kinds for k in ks):
        return ctx.default_return_type
    solution = carried(_floats(traced(right, session), session), session, keeps_classes=False, keeps_strong=True)
    if isinstance(get_proper_type(solution), AnyType):
        return ctx.default_return_type
    info: Type = _any() if name == "gmres" else NoneType()
    return TupleType([solution, info], session.api.named_generic_type("builtins.tuple", [_any()]))


def _sum(sessions: Sessions, ctx: FunctionContext) -> Type:
    session = sessions.of(ctx.api)
    x = _given(ctx, "x", session) if session.is_active else None
    axis = None if x is None else _given(ctx, "axis_name", session)
    if x is None or axis is None or not _is_name(axis):
        return ctx.default_return_type
    made = carried(_floats(x, session), session, keeps_classes=False, keeps_strong=True)
    return ctx.default_return_type if isinstance(get_proper_type(made), AnyType) else made


def _is_name(t: Type) -> bool:
    """Whether an axis is named: a number is one of the array's own."""
    p = get_proper_type(t)
    p = p.fallback if isinstance(p, LiteralType) else p
    return isinstance(p, Instance) and p.type.fullname == "builtins.str"


def _floats(t: Type, session: Session) -> Type:
    """The tree with nothing known of leaves that are not certainly arrays of floats."""

    def leaf(one: Type) -> Type:
        arrays = arrays_of(one, session) if is_plain_array(one) else []
        return one if arrays and all(a.dtype == "float" or a.dtype in ANY_FLOAT for a in arrays) else _any()

    return mapped_leaves(t, leaf, session)


def _any() -> AnyType:
    return AnyType(TypeOfAny.special_form)
