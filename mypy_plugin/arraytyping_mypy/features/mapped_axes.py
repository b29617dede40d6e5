"""The axes along which `vmap` maps: a number, `None`, or a tree of them that is a prefix of the argument's.

Source: `flatten_axes` in jax/_src/api_util.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from mypy.nodes import DictExpr, Expression, NameExpr, StrExpr, TupleExpr, Var
from mypy.types import Instance, TupleType, Type, TypedDictType

from arraytyping.semantics.avals import UNKNOWN, ShapedArray
from arraytyping_mypy.arguments import read
from arraytyping_mypy.convert import arrays_of
from arraytyping_mypy.features.stacking import is_plain_array, leaves
from arraytyping_mypy.finite_types import get_finite_type

if TYPE_CHECKING:
    from arraytyping_mypy.session import Session

__all__ = ["axes_given", "leaves_along", "prefix_difference"]

_DEPTH = 6


def axes_given(expression: Expression, t: Type, session: Session, depth: int = 0) -> Any:
    """What is given for axes, with tuples and dicts as they are written; UNKNOWN inside for what is not known."""
    if depth > _DEPTH:
        return UNKNOWN
    if isinstance(expression, NameExpr) and isinstance(expression.node, Var):
        value = session.bindings.only_value(expression.node)
        mutations = session.mutations
        is_kept = mutations.is_closed("dict") and not mutations.grows(expression.node) and not session.takes_out
        if isinstance(value, TupleExpr | DictExpr) and is_kept:
            return axes_given(value, t, session, depth + 1)
    if isinstance(expression, TupleExpr):
        return tuple(_inside(e, session, depth) for e in expression.items)
    if isinstance(expression, DictExpr) and all(isinstance(key, StrExpr) for key, _ in expression.items):
        items = [(key.value, e) for key, e in expression.items if isinstance(key, StrExpr)]
        return {key: _inside(e, session, depth) for key, e in items}
    return read(expression, t, session)


def _inside(expression: Expression, session: Session, depth: int) -> Any:
    t = session.stored(expression)
    return UNKNOWN if t is None else axes_given(expression, t, session, depth + 1)


def leaves_along(t: Type, axis: Any, session: Session) -> Iterator[tuple[ShapedArray, int]]:
    """The arrays of an argument that are certainly mapped, each with its axis."""
    p = get_finite_type(t)
    if type(axis) is int and isinstance(p, TupleType) and p.partial_fallback.type.fullname == "builtins.tuple":
        for item in p.items:
            yield from leaves_along(item, axis, session)
    elif type(axis) is int:
        # What a class declares a number, as `energy: float`, holds an array for each item when it is mapped.
        declared = not is_plain_array(p)
        yield from ((a, axis) for a in leaves(t, session) if not (declared and a.shape == () and a.weak_type))
    elif isinstance(axis, tuple) and isinstance(p, TupleType) and len(axis) == len(p.items):
        for item, one in zip(p.items, axis):
            yield from leaves_along(item, one, session)
    elif isinstance(axis, dict) and isinstance(p, TypedDictType) and axis.keys() == p.items.keys():
        for key, one in axis.items():
            yield from leaves_along(p.items[key], one, session)


def prefix_difference(t: Type, axis: Any, session: Session) -> str | None:
    """How the axes of an argument certainly are no prefix of its tree; None if they may be one."""
    p = get_finite_type(t)
    if not isinstance(axis, tuple | dict):
        return None
    if is_plain_array(p):
        return "the argument has an array there" if isinstance(p, Instance) and arrays_of(p, session) else None
    if isinstance(p, TypedDictType):
        if not p.is_anonymous() or p.required_keys != set(p.items):
            return None
        if not isinstance(axis, dict):
            return "the argument has a dict there"
        if axis.keys() != p.items.keys():
            return f"the argument has a dict with the keys {', '.join(map(repr, sorted(p.items)))} there"
        found = (prefix_difference(p.items[key], one, session) for key, one in axis.items())
        return next((why for why in found if why is not None), None)
    if isinstance(p, TupleType) and p.partial_fallback.type.fullname == "builtins.tuple":
        if not isinstance(axis, tuple):
            return "the argument has a tuple there"
        if len(axis) != len(p.items):
            return f"the argument has a tuple of {len(p.items)} there"
        found = (prefix_difference(item, one, session) for item, one in zip(p.items, axis))
        return next((why for why in found if why is not None), None)
    return None
