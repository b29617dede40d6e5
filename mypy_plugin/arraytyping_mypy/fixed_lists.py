"""Lists of which each item is known: to mypy a list has one type for all that is in it.

In a function that is followed such a list is a tuple of its items behind which `list` stands, as mypy has a named
tuple.  Of what the methods of that `list` give nothing is said.  Outside of such functions a list is one again
(`opened`), since mypy takes a slice of it for a tuple; in them a slice is written out (`unrolled`).  The fields of an
instance keep it, until they are read.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from mypy.types import (
    AnyType,
    Instance,
    TupleType,
    Type,
    TypedDictType,
    TypeOfAny,
    UnionType,
    UnpackType,
    get_proper_type,
)

from arraytyping_mypy.features.instance_types import instance_info
from arraytyping_mypy.finite_types import get_finite_type
from arraytyping_mypy.variants import joined

if TYPE_CHECKING:
    from arraytyping_mypy.session import Session

__all__ = ["LONGEST", "fixed_list", "is_fixed_list", "items_of", "opened"]

LONGEST: Final = 16
"""How many items of a list are told apart."""


def fixed_list(items: Sequence[Type], session: Session) -> TupleType:
    """The type of a list of these items."""
    return TupleType(list(items), session.api.named_generic_type("builtins.list", [_any()]))


def is_fixed_list(t: Type) -> bool:
    """Whether it is the type of a list of which each item is known."""
    p = get_proper_type(t)
    return isinstance(p, TupleType) and p.partial_fallback.type.fullname == "builtins.list"


def items_of(t: Type) -> list[Type] | None:
    """The items of a tuple or list of which each is known; None for anything else."""
    p = get_proper_type(t)
    if not isinstance(p, TupleType) or any(isinstance(get_proper_type(i), UnpackType) for i in p.items):
        return None
    return p.items if is_fixed_list(p) or p.partial_fallback.type.has_base("builtins.tuple") else None


def opened(t: Type, session: Session) -> Type:
    """The type with lists in place of those of which each item is known; the very same object if there are none.

    What is in the fields of instances stays as it is.
    """
    p = get_finite_type(t)
    if isinstance(p, TupleType):
        if instance_info(p) is not None:
            return t
        items = [opened(i, session) for i in p.items]
        if is_fixed_list(p):
            return p.partial_fallback.copy_modified(args=[_one_of(items, session)])
        return t if all(a is b for a, b in zip(items, p.items)) else p.copy_modified(items=items)
    if isinstance(p, TypedDictType):
        values = [opened(i, session) for i in p.items.values()]
        return t if all(a is b for a, b in zip(values, p.items.values())) else p.copy_modified(item_types=values)
    if isinstance(p, UnionType):
        items = [opened(i, session) for i in p.items]
        return t if all(a is b for a, b in zip(items, p.items)) else UnionType.make_union(items)
    if isinstance(p, Instance):
        args = [opened(a, session) for a in p.args]
        return t if all(a is b for a, b in zip(args, p.args)) else p.copy_modified(args=args)
    return t


def _one_of(items: list[Type], session: Session) -> Type:
    """One of several items: of those that are alike, each part by itself."""
    parts = [get_finite_type(i) for i in items]
    tuples = [p for p in parts if isinstance(p, TupleType)]
    if tuples and len(tuples) == len(parts):
        kinds = {(p.partial_fallback.type.fullname, len(p.items)) for p in tuples}
        if len(kinds) == 1:
            columns = zip(*(p.items for p in tuples))
            return tuples[0].copy_modified(items=[_one_of(list(column), session) for column in columns])
    dicts = [p for p in parts if isinstance(p, TypedDictType)]
    if dicts and len(dicts) == len(parts) and len({_keys_of(p) for p in dicts}) == 1:
        values = [_one_of([p.items[key] for p in dicts], session) for key in dicts[0].items]
        return dicts[0].copy_modified(item_types=values)
    return joined(items, session) or _any() if items else _any()


def _keys_of(t: TypedDictType) -> tuple[frozenset[str], frozenset[str]]:
    """The keys that a dict may have, and those that it has."""
    return frozenset(t.items), frozenset(t.required_keys)


def _any() -> AnyType:
    return AnyType(TypeOfAny.special_form)
