"""`jax.tree.map`: a function of the leaves of trees that are known."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from mypy.nodes import ArgKind, CallExpr, Expression, RefExpr
from mypy.plugin import FunctionContext
from mypy.types import (
    AnyType,
    Instance,
    NoneType,
    TupleType,
    Type,
    TypedDictType,
    TypeOfAny,
    UnionType,
    UnpackType,
    get_proper_type,
)

from arraytyping_mypy.calls import answer, result_type
from arraytyping_mypy.checker import is_checked
from arraytyping_mypy.convert import value_of
from arraytyping_mypy.features.applied import applied
from arraytyping_mypy.features.instance_types import has_uncertain_parts, is_mark, static_places
from arraytyping_mypy.finite_types import get_finite_type
from arraytyping_mypy.fixed_lists import items_of
from arraytyping_mypy.frameworks import function_rule
from arraytyping_mypy.names import ARRAYS
from arraytyping_mypy.session import Session
from arraytyping_mypy.sessions import Sessions

__all__ = ["function_hook", "mapped_trees"]

_MAPS: Final = (
    "jax._src.tree.map", "jax.tree.map", "jax._src.tree_util.tree_map", "jax.tree_util.tree_map",
)  # fmt: skip
_LISTS: Final = ("builtins.list", "builtins.dict", "builtins.tuple")
_NUMBERS: Final = ("builtins.int", "builtins.float", "builtins.complex", "builtins.bool")


def function_hook(fullname: str, sessions: Sessions) -> Callable[[FunctionContext], Type] | None:
    """The hook of one of these functions, or None."""
    return partial(_map, sessions) if fullname in _MAPS else None


def _any() -> AnyType:
    return AnyType(TypeOfAny.special_form)


def _map(sessions: Sessions, ctx: FunctionContext) -> Type:
    session = sessions.of(ctx.api)
    given = dict(zip(ctx.callee_arg_names, zip(ctx.args, ctx.arg_types)))
    call = ctx.context
    if not session.is_active or not isinstance(call, CallExpr) or given.get("is_leaf", ((), ()))[0]:
        return ctx.default_return_type
    if len(given.get("f", ((), ()))[0]) != 1:
        return ctx.default_return_type
    trees = [
        session.following.function(e, t)
        for name in ("tree", "rest")
        for e, t in zip(*given.get(name, ((), ())))
    ]  # fmt: skip
    is_open = False
    if any(kind.is_star() for kinds in ctx.arg_kinds for kind in kinds):
        found = _unpacked(call, session)
        if found is None:
            return ctx.default_return_type
        trees, is_open = found
    if not trees or not is_checked(ctx.api):
        return ctx.default_return_type
    session.following.site = call
    f = given["f"][0][0]
    function = session.following.function(f, given["f"][1][0])

    def apply(leaves: Sequence[Type]) -> Type | None:
        if not is_open:
            return _applied(f, function, leaves, session)
        any_number = session.api.named_generic_type("builtins.tuple", [leaves[0]])
        return applied(function, [UnpackType(any_number)], {}, session)

    made = mapped_trees(apply, trees, session)
    return ctx.default_return_type if isinstance(get_proper_type(made), AnyType) else made


def _unpacked(call: CallExpr, session: Session) -> tuple[list[Type], bool] | None:
    """The trees of `tree.map(f, *trees)`, and whether there are any number like the one; None if they are not known."""
    if len(call.args) != 2 or call.arg_kinds != [ArgKind.ARG_POS, ArgKind.ARG_STAR]:
        return None
    stored = session.stored(call.args[1])
    p = None if stored is None else get_proper_type(session.following.function(call.args[1], stored))
    items = None if p is None else items_of(p)
    if items is not None:
        return items, False
    if isinstance(p, Instance) and p.type.fullname in ("builtins.list", "builtins.tuple"):
        return [p.args[0]], True
    return None


def _applied(expression: Expression, function: Type, leaves: Sequence[Type], session: Session) -> Type | None:
    rule = function_rule(expression.fullname) if isinstance(expression, RefExpr) else None
    if rule is None:
        return applied(function, leaves, {}, session)
    made = answer(rule, [value_of(t, session) for t in leaves], {}, session)
    return None if made is None or made.error is not None else result_type(made, _any(), session)


def mapped_trees(function: Callable[[Sequence[Type]], Type | None], trees: Sequence[Type], session: Session) -> Type:
    """The tree of what the function gives for the leaves at each place."""
    several = [get_finite_type(t) for t in trees]
    first = several[0]
    if is_mark(first):
        return first
    if isinstance(first, TupleType) and has_uncertain_parts(first, session):
        function([_any()] * len(trees))
        return _any()  # a number may be a part of the structure
    tuples = [t for t in several if isinstance(t, TupleType)]
    dicts = [t for t in several if isinstance(t, TypedDictType)]
    lists = [t for t in several if isinstance(t, Instance) and t.type.fullname in _LISTS]
    if len(tuples) == len(several):
        if all(t.partial_fallback.type is tuples[0].partial_fallback.type for t in tuples) and all(
            len(t.items) == len(tuples[0].items) for t in tuples
        ):
            static = static_places(tuples[0], session)
            places = enumerate(zip(*(t.items for t in tuples)))
            return tuples[0].copy_modified(
                items=[i[0] if n in static else mapped_trees(function, i, session) for n, i in places]
            )
    elif len(dicts) == len(several):
        if all(t.items.keys() == dicts[0].items.keys() for t in dicts):
            parts = [[t.items[key] for t in dicts] for key in dicts[0].items]
            return dicts[0].copy_modified(item_types=[mapped_trees(function, i, session) for i in parts])
    elif len(lists) == len(several):
        if all(t.type is lists[0].type for t in lists):
            return lists[0].copy_modified(
                args=[*lists[0].args[:-1], mapped_trees(function, [t.args[-1] for t in lists], session)]
            )
    elif isinstance(first, NoneType):
        return first
    elif _is_leaf(first):
        return function(trees) or _any()
    function([_any()] * len(trees))  # so that it is known to be called with something unknown
    return _any()


def _is_leaf(t: Type) -> bool:
    p = get_finite_type(t)
    if isinstance(p, UnionType):
        return all(map(_is_leaf, p.items))
    return isinstance(p, Instance) and (p.type.fullname in ARRAYS or p.type.fullname in _NUMBERS)
