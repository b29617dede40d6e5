"""`cond`, `switch`, `map` and `associative_scan`: what their functions return, in one piece or stacked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from mypy.nodes import ArgKind, CallExpr, Context, Expression
from mypy.plugin import FunctionContext
from mypy.types import AnyType, CallableType, Instance, TupleType, Type, TypeOfAny, UnionType, get_proper_type

from arraytyping_mypy.checker import is_checked
from arraytyping_mypy.features.applied import applied, arrayed, traced
from arraytyping_mypy.features.carried import carried
from arraytyping_mypy.features.derivatives import returned
from arraytyping_mypy.features.handed_on import check_branches
from arraytyping_mypy.features.stacking import leaves, one_of, stacked
from arraytyping_mypy.provenance import without_definitions
from arraytyping_mypy.session import Session
from arraytyping_mypy.sessions import Sessions
from arraytyping_mypy.wrappers import wrapper_of
from arraytyping_mypy.written import Given, items_of

__all__ = ["function_hook"]

_Result = Callable[[dict[str, list[Type]], Context, Session], Type | None]


def function_hook(fullname: str, sessions: Sessions) -> Callable[[FunctionContext], Type] | None:
    """The hook of one of these functions, or None."""
    result = _HOOKS.get(fullname)
    return None if result is None else partial(_call, result, sessions)


def _call(result: _Result, sessions: Sessions, ctx: FunctionContext) -> Type:
    session = sessions.of(ctx.api)
    given: dict[str, list[Type]] = {}
    for name, es, types, kinds, names in zip(
        ctx.callee_arg_names, ctx.args, ctx.arg_types, ctx.arg_kinds, ctx.arg_names
    ):
        if any(k.is_star() for k in kinds):
            return ctx.default_return_type
        for e, t, kind, own in zip(es, types, kinds, names):
            key = own if kind is ArgKind.ARG_NAMED and own is not None else name
            one = session.following.function(e, t) if session.is_active else t
            one = (_listed(e, session) if name == "branches" and session.is_active else None) or one
            given.setdefault(key or "", []).append(one)
    if not session.is_active:
        return ctx.default_return_type
    if is_checked(ctx.api) and isinstance(ctx.context, CallExpr):
        session.following.site = ctx.context
    else:
        given = {name: [without_definitions(t) for t in types] for name, types in given.items()}
    made = result(given, ctx.context, session)
    return ctx.default_return_type if made is None else made


def _listed(branches: Expression, session: Session) -> Type | None:
    """The functions of a list, also one that a variable stands for, each with which it is."""
    items = items_of(Given(branches, None), session)
    if items is None or items.kind != "list" or not items.whole or items.empty:
        return None
    found: list[Type] = []
    for _, given in items.items:
        if given.expression is None or given.type is None:
            return None
        found.append(session.following.function(given.expression, given.type))
    return TupleType(found, session.api.named_generic_type("builtins.tuple", [AnyType(TypeOfAny.special_form)]))


def _cond(given: dict[str, list[Type]], context: Context, session: Session) -> Type | None:
    every = [t for types in given.values() for t in types]
    functions = [t for t in every if isinstance(get_proper_type(t), CallableType) or wrapper_of(t) is not None]
    places = [i for i, t in enumerate(every) if any(t is f for f in functions)]
    rest = every[places[-1] + 1 :] if places else []
    return _same("cond", functions, rest, context, session) if len(functions) == 2 else None


def _switch(given: dict[str, list[Type]], context: Context, session: Session) -> Type | None:
    branches = given.get("branches", [])
    p = get_proper_type(branches[0]) if len(branches) == 1 else None
    if isinstance(p, TupleType):
        return _same("switch", p.items, given.get("operands", []), context, session)
    if isinstance(p, Instance) and p.type.fullname == "builtins.list":
        return _same("switch", p.args, [], context, session)
    return None


def _same(
    name: str, functions: Sequence[Type], operands: Sequence[Type], context: Context, session: Session
) -> Type | None:
    """What several functions give, if they are known to give the same; they have to."""
    given = [arrayed(t, session) for t in operands]
    results = [_applied(name, f, given, session) for f in functions]
    check_branches(name, [None if r is None else arrayed(r, session) for r in results], context, session)
    made = [_settled(r, session) for r in results]
    first = made[0] if made else None
    if first is None or isinstance(get_proper_type(first), UnionType):
        return None
    return first if all(m is not None and str(m) == str(first) for m in made) else None


def _settled(result: Type | None, session: Session) -> Type | None:
    """What one branch gives, of either weak type: where those of two branches differ, JAX settles on one."""
    return None if result is None else carried(result, session, keeps_weak=True, keeps_classes=False)


def _applied(name: str, function: Type, arguments: Sequence[Type], session: Session) -> Type | None:
    found = applied(function, arguments, {}, session, name) if wrapper_of(function) is None else None
    return returned(function) if found is None else found


def _map(given: dict[str, list[Type]], context: Context, session: Session) -> Type | None:
    functions, xs = given.get("f", []), given.get("xs", [])
    if len(functions) != 1 or len(xs) != 1:
        return None
    result = _applied("map", functions[0], [one_of(traced(xs[0], session), 0, session)], session)
    if result is None:
        return None
    sizes = {a.shape[0] for a in leaves(xs[0], session) if a.shape}
    size = sizes.pop() if len(sizes) == 1 else None
    return stacked(result, size if isinstance(size, int) else None, 0, session)


def _associative_scan(given: dict[str, list[Type]], context: Context, session: Session) -> Type | None:
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
