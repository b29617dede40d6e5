"""The leaves of a pytree's type in JAX's order, and the type with others in their place.

Of a list, of a dict with any keys, it is not known how many leaves it has; of an instance of the program's own not in
which order they come.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, NamedTuple

from mypy.types import (
    AnyType,
    Instance,
    LiteralType,
    NoneType,
    TupleType,
    Type,
    TypedDictType,
    TypeOfAny,
    UnionType,
    UnpackType,
)

from arraytyping_mypy.features.instance_types import instance_info, is_mark, is_opaque, items_of_tree
from arraytyping_mypy.finite_types import get_finite_type
from arraytyping_mypy.names import ARRAYS

if TYPE_CHECKING:
    from arraytyping_mypy.session import Session

__all__ = ["Leaves", "leaves_of", "with_leaves"]

_TREES: Final = ("builtins.list", "builtins.dict", "builtins.tuple")
_NUMBERS: Final = ("builtins.int", "builtins.float", "builtins.complex", "builtins.bool")
_LEAVES: Final = frozenset({*ARRAYS, *_NUMBERS, "builtins.str"})


class Leaves(NamedTuple):
    """The leaves of a tree: all of them, one after the other, or only which there may be."""

    types: list[Type]
    are_all: bool


def leaves_of(t: Type) -> Leaves | None:
    """The leaves of a tree; None where something may be no leaf, or is of a class whose parts are not known."""
    p = get_finite_type(t)
    if isinstance(p, NoneType):
        return Leaves([], True)
    if _is_leaf(p):
        return Leaves([p.fallback if isinstance(p, LiteralType) else p], True)
    parts: list[Type]
    is_whole = True
    if isinstance(p, TupleType) and instance_info(p) is None and _is_node(p):
        parts = p.items
        if any(isinstance(get_finite_type(i), UnpackType) for i in parts):
            return None
    elif isinstance(p, TypedDictType):
        if p.required_keys != set(p.items):
            return None
        is_whole = p.is_anonymous()  # one that is declared may have further keys
        parts = [p.items[key] for key in sorted(p.items)]
    elif isinstance(p, Instance) and p.type.fullname in _TREES:
        parts, is_whole = [p.args[-1]], False
    elif isinstance(p, UnionType):
        parts, is_whole = p.items, False
    else:
        return None
    found = [leaves_of(part) for part in parts]
    known = [leaves for leaves in found if leaves is not None]
    if len(known) < len(found):
        return None
    return Leaves([t for leaves in known for t in leaves.types], is_whole and all(leaves.are_all for leaves in known))


def with_leaves(t: Type, leaf: Callable[[], Type], session: Session) -> Type:
    """The type of a tree with what `leaf` gives for each of its leaves, in their order; elsewhere `Any`."""
    p = get_finite_type(t)
    if isinstance(p, NoneType):
        return p
    if _is_leaf(p):
        return leaf()
    if isinstance(p, TupleType):
        if is_opaque(p, session) or (instance_info(p) is None and not _is_node(p)):
            return _any()
        items = [i if is_mark(i) else with_leaves(i, leaf, session) for i in items_of_tree(p, session)]
        return p.copy_modified(items=items)
    if isinstance(p, TypedDictType):
        made = {key: with_leaves(p.items[key], leaf, session) for key in sorted(p.items)}
        return p.copy_modified(item_types=[made[key] for key in p.items])
    if isinstance(p, Instance) and p.type.fullname in _TREES:
        return p.copy_modified(args=[*p.args[:-1], with_leaves(p.args[-1], leaf, session)])
    if isinstance(p, UnionType):
        return UnionType.make_union([with_leaves(i, leaf, session) for i in p.items])
    return _any()


def _is_node(t: TupleType) -> bool:
    """Whether JAX looks into it: a tuple, a named one or a list, but none of other subclasses of `tuple`."""
    info = t.partial_fallback.type
    return info.fullname in _TREES or any(base.is_named_tuple for base in info.mro)


def _is_leaf(t: Type) -> bool:
    p = get_finite_type(t)
    if isinstance(p, LiteralType):
        return p.fallback.type.fullname in _LEAVES and not is_mark(p)
    if isinstance(p, UnionType):
        return all(map(_is_leaf, p.items))
    if not isinstance(p, Instance):
        return False
    return p.type.fullname in _LEAVES or any(b.fullname in ("numpy.ndarray", "numpy.generic") for b in p.type.mro)


def _any() -> AnyType:
    return AnyType(TypeOfAny.special_form)
