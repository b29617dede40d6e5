"""Two pytrees that have to be alike: where they certainly have another structure, and the arrays at the same places.

A list is known by its items' type alone, so that nothing is said of what is in two of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from mypy.types import Instance, NoneType, TupleType, Type, TypedDictType, UnpackType, get_proper_type

from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.promotion.jax import WEAK
from arraytyping_mypy.convert import arrays_of
from arraytyping_mypy.features.stacking import is_plain_array
from arraytyping_mypy.finite_types import get_finite_type
from arraytyping_mypy.session import Session

__all__ = ["Node", "array_pairs", "dtypes_differ", "node_of", "shapes_differ", "structure_differences"]


def array_pairs(
    before: Type, after: Type, session: Session, path: str = ""
) -> Iterator[tuple[str, list[ShapedArray], list[ShapedArray]]]:
    """The arrays of two trees at the same places."""
    b, a = get_finite_type(before), get_finite_type(after)
    if isinstance(b, TupleType) and isinstance(a, TupleType):
        if len(b.items) == len(a.items):
            for i, (x, y) in enumerate(zip(b.items, a.items)):
                yield from array_pairs(x, y, session, f"{path}[{i}]")
    elif isinstance(b, TypedDictType) and isinstance(a, TypedDictType):
        if b.items.keys() == a.items.keys():
            for key in sorted(b.required_keys & a.required_keys):
                yield from array_pairs(b.items[key], a.items[key], session, f"{path}[{key!r}]")
    elif is_plain_array(b) and is_plain_array(a):
        first, second = arrays_of(b, session), arrays_of(a, session)
        if first and second:
            yield path, first, second


def structure_differences(
    before: Type, after: Type, session: Session, path: str = ""
) -> Iterator[tuple[str, str, str]]:
    """Where two trees certainly have another structure, and what each has there."""
    b, a = get_finite_type(before), get_finite_type(after)
    first, second = node_of(b, session), node_of(a, session)
    if first is None or second is None:
        return
    if first.kind != second.kind or (None not in (first.parts, second.parts) and first.parts != second.parts):
        yield path, str(first), str(second)
    elif isinstance(b, TupleType) and isinstance(a, TupleType):
        for i, (x, y) in enumerate(zip(b.items, a.items)):
            yield from structure_differences(x, y, session, f"{path}[{i}]")
    elif isinstance(b, TypedDictType) and isinstance(a, TypedDictType):
        for key in sorted(b.required_keys & a.required_keys):
            yield from structure_differences(b.items[key], a.items[key], session, f"{path}[{key!r}]")


class Node(NamedTuple):
    """What stands at the root of a tree."""

    kind: str
    parts: int | tuple[str, ...] | None = None
    """How many items, or which keys; None where that is not known."""

    def __str__(self) -> str:
        if isinstance(self.parts, int):
            return f"{self.kind} of {self.parts} item{'' if self.parts == 1 else 's'}"
        if self.parts is None:
            return self.kind
        return f"{self.kind} with the key{'' if len(self.parts) == 1 else 's'} {', '.join(map(repr, self.parts))}"


_CONTAINERS: Final = {"builtins.list": "a list", "builtins.dict": "a dict"}
_SEQUENCES: Final = {"builtins.list": "a list", "builtins.tuple": "a tuple"}


def node_of(t: Type, session: Session) -> Node | None:
    """What stands at the root of a tree, if that is certain."""
    p = get_proper_type(t)
    if isinstance(p, NoneType):
        return Node("None")
    if is_plain_array(p):
        return Node("an array") if isinstance(p, Instance) and arrays_of(p, session) else None
    if isinstance(p, TypedDictType):
        is_written = p.is_anonymous() and p.required_keys == set(p.items)
        return Node("a dict", tuple(sorted(p.items))) if is_written else None
    if isinstance(p, Instance):
        kind = _CONTAINERS.get(p.type.fullname)
        return None if kind is None else Node(kind)
    if not isinstance(p, TupleType) or any(isinstance(get_proper_type(i), UnpackType) for i in p.items):
        return None
    kind = _SEQUENCES.get(p.partial_fallback.type.fullname)
    return None if kind is None else Node(kind, len(p.items))


def shapes_differ(a: ShapedArray, b: ShapedArray) -> bool:
    """Whether two arrays certainly have different shapes."""
    if a.shape is None or b.shape is None:
        return False
    return len(a.shape) != len(b.shape) or any(
        isinstance(m, int) and isinstance(n, int) and m != n for m, n in zip(a.shape, b.shape)
    )


def dtypes_differ(a: ShapedArray, b: ShapedArray, session: Session) -> bool:
    """Whether two arrays certainly have different dtypes, whatever their weak types are."""
    return a.dtype is not None and b.dtype is not None and not (_widths(a, session) & _widths(b, session))


def _widths(array: ShapedArray, session: Session) -> set[str]:
    """The dtypes that an array may have: that of a weak one hangs on x64."""
    dtype = array.dtype or ""
    return {p.default(dtype) for p in session.promotions} if dtype in WEAK else {dtype}
