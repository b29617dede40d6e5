"""`functools.partial` of a function that is followed: mypy keeps its signature, and here its arguments are kept too."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from mypy.nodes import ArgKind
from mypy.plugin import FunctionContext
from mypy.types import AnyType, CallableType, Instance, Type, TypeOfAny, get_proper_type

from arraytyping_mypy.checker import partial_of
from arraytyping_mypy.finite_types import get_finite_type
from arraytyping_mypy.provenance import PARTIAL
from arraytyping_mypy.sessions import Sessions

__all__ = ["function_hook", "is_kept", "kept_keywords", "unwrapped"]

_KEPT: Final = "__arraytyping_partial"


def function_hook(fullname: str, sessions: Sessions) -> Callable[[FunctionContext], Type] | None:
    """The hook of `functools.partial`, or None."""
    return (lambda ctx: _make(sessions, ctx)) if fullname in PARTIAL else None


def _make(sessions: Sessions, ctx: FunctionContext) -> Type:
    made = partial_of(ctx)
    p = get_proper_type(made)
    session = sessions.of(ctx.api)
    if not isinstance(p, Instance) or p.extra_attrs is None or not session.is_active or not ctx.args[0]:
        return made
    types: list[Type] = []
    names: list[str | None] = []
    for es, given, kinds, own in zip(ctx.args, ctx.arg_types, ctx.arg_kinds, ctx.arg_names):
        for e, t, kind, name in zip(es, given, kinds, own):
            if kind.is_star():
                return made
            types.append(session.following.function(e, t))
            names.append(name if kind is ArgKind.ARG_NAMED else None)
    p.extra_attrs.attrs[_KEPT] = CallableType(
        types,
        [ArgKind.ARG_POS if name is None else ArgKind.ARG_NAMED for name in names],
        names,
        AnyType(TypeOfAny.special_form),
        session.api.named_generic_type("builtins.function", []),
    )
    return made


def kept_keywords(t: Type) -> dict[str, Type] | None:
    """The keyword arguments of a partial that has no other arguments; None for anything else."""
    p = get_proper_type(t)
    kept = p.extra_attrs.attrs.get(_KEPT) if isinstance(p, Instance) and p.extra_attrs is not None else None
    k = None if kept is None else get_proper_type(kept)
    if not isinstance(k, CallableType) or sum(name is None for name in k.arg_names) != 1:
        return None
    return {name: t for t, name in zip(k.arg_types, k.arg_names) if name is not None}


def is_kept(t: Type) -> bool:
    """Whether it is a partial whose function and arguments are known."""
    p = get_proper_type(t)
    return isinstance(p, Instance) and p.extra_attrs is not None and _KEPT in p.extra_attrs.attrs


def unwrapped(
    function: Type, positional: Sequence[Type], named: Mapping[str, Type]
) -> tuple[Type, list[Type], dict[str, Type]]:
    """The function that is called in the end, with all of its arguments."""
    p = get_finite_type(function)
    kept = p.extra_attrs.attrs.get(_KEPT) if isinstance(p, Instance) and p.extra_attrs is not None else None
    k = None if kept is None else get_finite_type(kept)
    if not isinstance(k, CallableType):
        return function, list(positional), dict(named)
    first = [t for t, name in zip(k.arg_types, k.arg_names) if name is None]
    more = {name: t for t, name in zip(k.arg_types, k.arg_names) if name is not None}
    return unwrapped(first[0], [*first[1:], *positional], more | dict(named))
