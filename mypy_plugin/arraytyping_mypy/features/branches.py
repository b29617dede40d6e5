"""`cond`, `switch`, `map` and `associative_scan`: what their functions return, in one piece or stacked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from mypy.nodes import ArgKind
from mypy.plugin import FunctionContext
from mypy.types import Instance, TupleType, Type, UnionType, get_proper_type

from arraytyping_mypy.features.carried import carried
from arraytyping_mypy.features.derivatives import returned
from arraytyping_mypy.features.transformed import leaves, stacked
from arraytyping_mypy.session import Session
from arraytyping_mypy.sessions import Sessions

__all__ = ["function_hook"]

_Result = Callable[[dict[str, list[Type]], Session], Type | None]


def function_hook(fullname: str, sessions: Sessions) -> Callable[[FunctionContext], Type] | None:
    """The hook of one of these functions, or None."""
    result = _HOOKS.get(fullname)
    return None if result is None else partial(_call, result, sessions)


def _call(result: _Result, sessions: Sessions, ctx: FunctionContext) -> Type:
    session = sessions.of(ctx.api)
    given: dict[str, list[Type]] = {}
    for name, types, kinds, names in zip(ctx.callee_arg_names, ctx.arg_types, ctx.arg_kinds, ctx.arg_names):
        if any(k.is_star() for k in kinds):
            return ctx.default_return_type
        for t, kind, own in zip(types, kinds, names):
            key = own if kind is ArgKind.ARG_NAMED and own is not None else name
            given.setdefault(key or "", []).append(t)
    made = result(given, session) if session.is_active else None
    return ctx.default_return_type if made is None else made


def _cond(given: dict[str, list[Type]], session: Session) -> Type | None:
    functions = [t for types in given.values() for t in types if returned(t) is not None]
    return _same(functions[:2], session) if len(functions) == 2 else None


def _switch(given: dict[str, list[Type]], session: Session) -> Type | None:
    branches = given.get("branches", [])
    p = get_proper_type(branches[0]) if len(branches) == 1 else None
    if isinstance(p, TupleType):
        return _same(p.items, session)
    if isinstance(p, Instance) and p.type.fullname == "builtins.list":
        return _same(p.args, session)
    return None


def _same(functions: Sequence[Type], session: Session) -> Type | None:
    """What several functions return, if they are known to return the same; they have to."""
    results = [returned(f) for f in functions]
    made = [None if r is None else carried(r, session, keeps_weak=True, keeps_classes=False) for r in results]
    first = made[0] if made else None
    if first is None or isinstance(get_proper_type(first), UnionType):
        return None
    return first if all(m is not None and str(m) == str(first) for m in made) else None


def _map(given: dict[str, list[Type]], session: Session) -> Type | None:
    functions, xs = given.get("f", []), given.get("xs", [])
    result = returned(functions[0]) if len(functions) == 1 else None
    if result is None or len(xs) != 1:
        return None
    sizes = {a.shape[0] for a in leaves(xs[0], session) if a.shape}
    size = sizes.pop() if len(sizes) == 1 else None
    return stacked(result, size if isinstance(size, int) else None, 0, session)


def _associative_scan(given: dict[str, list[Type]], session: Session) -> Type | None:
    elements = given.get("elems", [])
    return carried(elements[0], session, keeps_classes=False) if len(elements) == 1 else None


_CONTROL: Final = "jax._src.lax.control_flow."
_HOOKS: Final[dict[str, _Result]] = {
    f"{_CONTROL}conditionals.cond": _cond,
    f"{_CONTROL}conditionals.switch": _switch,
    f"{_CONTROL}loops.map": _map,
    f"{_CONTROL}loops.associative_scan": _associative_scan,
    "jax.lax.cond": _cond,
    "jax.lax.switch": _switch,
    "jax.lax.map": _map,
    "jax.lax.associative_scan": _associative_scan,
}
