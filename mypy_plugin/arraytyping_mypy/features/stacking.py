"""Pytrees of arrays along an axis: one of what is mapped, what is stacked, and which arrays are in it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from mypy.types import AnyType, Instance, NoneType, TupleType, Type, TypedDictType, TypeOfAny, get_proper_type

from arraytyping.semantics.avals import ShapedArray
from arraytyping_mypy.convert import array_type, arrays_of
from arraytyping_mypy.features.carried import SCALARS, TREES, any_weak
from arraytyping_mypy.features.instance_types import is_mark, items_of_tree
from arraytyping_mypy.finite_types import get_finite_type
from arraytyping_mypy.names import ARRAYS
from arraytyping_mypy.session import Session

__all__ = ["is_plain_array", "leaves", "one_of", "stacked"]


def _any() -> AnyType:
    return AnyType(TypeOfAny.special_form)


def is_plain_array(t: Type) -> bool:
    """Whether it is the type of an array, and of nothing else."""
    p = get_proper_type(t)
    return isinstance(p, Instance) and p.type.fullname in ARRAYS


def leaves(t: Type, session: Session) -> Iterator[ShapedArray]:
    """The arrays that are certainly among the leaves of an argument, of one shape each."""
    p = get_finite_type(t)
    if isinstance(p, TupleType):
        for item in p.items:
            yield from leaves(item, session)
    elif isinstance(p, TypedDictType):
        for key, item in p.items.items():
            if key in p.required_keys:
                yield from leaves(item, session)
    elif isinstance(p, Instance) and p.type.fullname in ARRAYS:
        arrays = arrays_of(p, session)
        if len({a.shape for a in arrays}) == 1:
            yield arrays[0]


def one_of(t: Type, axis: Any, session: Session) -> Type:
    """One of the items along an axis of an argument."""
    p = get_finite_type(t)
    if axis is None or is_mark(p):
        return t
    if isinstance(axis, tuple):
        if not isinstance(p, TupleType) or len(axis) != len(p.items):
            return _any()
        return p.copy_modified(items=[one_of(i, a, session) for i, a in zip(items_of_tree(p, session), axis)])
    if isinstance(axis, dict):
        if not isinstance(p, TypedDictType) or axis.keys() != p.items.keys():
            return _any()
        return p.copy_modified(item_types=[one_of(i, axis[key], session) for key, i in p.items.items()])
    if isinstance(p, TupleType):
        return p.copy_modified(items=[one_of(i, axis, session) for i in items_of_tree(p, session)])
    if isinstance(p, TypedDictType):
        return p.copy_modified(item_types=[one_of(i, axis, session) for i in p.items.values()])
    if isinstance(p, Instance) and p.type.fullname in TREES:
        return p.copy_modified(args=[*p.args[:-1], one_of(p.args[-1], axis, session)])
    if isinstance(p, NoneType):
        return p
    if not isinstance(axis, int) or not isinstance(p, Instance) or p.type.fullname not in ARRAYS:
        return _any()
    taken = []
    for a in arrays_of(p, session):
        shape = a.shape
        if shape is not None:
            dims = list(shape)
            if not -len(dims) <= axis < len(dims):
                return _any()
            del dims[axis]
            shape = tuple(dims)
        taken.append(replace(a, shape=shape))
    return array_type(taken, session)


def stacked(t: Type, size: int | None, axis: Any, session: Session, *, is_exact: bool = False) -> Type:
    """What a function returns, as often as `size` says, along a new axis.

    Unless `is_exact`, its weak type is not known: what a function is declared to return leaves that open.
    """
    p = get_finite_type(t)
    if is_mark(p):
        return t
    if isinstance(p, TupleType):
        axes = axis if isinstance(axis, tuple) else (axis,) * len(p.items)
        if len(axes) != len(p.items):
            return _any()
        return p.copy_modified(
            items=[stacked(i, size, a, session, is_exact=is_exact) for i, a in zip(items_of_tree(p, session), axes)]
        )
    if isinstance(p, TypedDictType) and not isinstance(axis, tuple):
        items = [stacked(i, size, axis, session, is_exact=is_exact) for i in p.items.values()]
        return p.copy_modified(item_types=items)
    if isinstance(p, NoneType):
        return p
    if not isinstance(p, Instance):
        return _any()
    if p.type.fullname in SCALARS:
        return array_type([ShapedArray((size,) if axis in (0, -1) else None, None)], session)
    if p.type.fullname in TREES and not isinstance(axis, tuple):
        return p.copy_modified(args=[*p.args[:-1], stacked(p.args[-1], size, axis, session, is_exact=is_exact)])
    if p.type.fullname not in ARRAYS:
        return _any()
    arrays: list[ShapedArray] = []
    for a in arrays_of(p, session):
        shape = a.shape
        if shape is not None:
            place = axis + len(shape) + 1 if isinstance(axis, int) and axis < 0 else axis
            is_known = isinstance(place, int) and 0 <= place <= len(shape)
            shape = (*shape[:place], size, *shape[place:]) if is_known else None
        one = replace(a, shape=shape, value=None)
        arrays += [one] if is_exact else any_weak(one, session)
    return array_type(arrays, session)
