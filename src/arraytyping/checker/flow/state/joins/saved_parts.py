"""Of what parts a value consists: what a program has at its beginning is held against what it saves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

from arraytyping.checker.flow.values import (
    ArrayValue,
    DictValue,
    InstanceValue,
    ListValue,
    NumPyValue,
    ScalarValue,
    UnionValue,
    Unknown,
    Value,
)

__all__ = ["PLAIN", "Part", "is_saved", "is_saved_in_part", "part_of", "parts_of"]

PLAIN: Final = (bool, int, float, complex, str, bytes)
"""The numbers and texts of Python."""


class Part(NamedTuple):
    """An array, a number, or a container with the names or the number of what is in it."""

    kind: str
    what: Any = None
    shape: tuple[Any, ...] | None = None
    is_weak: bool | None = False
    is_itself: bool = False
    """Whether it was not changed after it was loaded: what is made of it may be of JAX where NumPy's was saved."""


def part_of(value: Value, is_itself: bool = False) -> Part | None:
    """A value without what is in it; None if there is nothing to hold against what is saved."""
    if value is None:
        return None
    if isinstance(value, ArrayValue):
        aval = value.aval
        return Part("array", aval.dtype, aval.shape, aval.weak_type, is_itself)
    if isinstance(value, NumPyValue):
        return Part("numpy", value.dtype, value.shape)
    if isinstance(value, ScalarValue):
        return Part("scalar", value.kinds)
    if type(value) in PLAIN:
        return Part("scalar", (type(value),))
    if isinstance(value, tuple):
        return Part("tuple", (type(value).__name__, len(value)))
    if isinstance(value, ListValue):
        return None if value.items == [] else Part("list", None if value.items is None else len(value.items))
    if isinstance(value, DictValue):
        return None if value.items == {} else Part("dict", None if value.items is None else frozenset(value.items))
    if isinstance(value, InstanceValue):
        return Part("instance", (value.cls.name, frozenset(value.attributes)))
    return Part("object", (type(value).__name__, str(value)))


def parts_of(value: Value) -> Iterator[Part]:
    """All parts of a value; one of kind `unknown` for what is not known."""
    stack, seen = [value], set[int]()
    while stack:
        one = stack.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        if isinstance(one, UnionValue):
            stack += one.values
            continue
        if isinstance(one, Unknown):
            yield Part("unknown")
        elif (part := part_of(one)) is not None:
            yield part
        if isinstance(one, tuple):
            stack += one
        elif isinstance(one, ListValue | DictValue):
            items = one.items.values() if isinstance(one, DictValue) and one.items is not None else one.items
            stack += [one.element] if items is None else items
        elif isinstance(one, InstanceValue):
            stack += one.attributes.values()


def is_saved(part: Part, saved: Iterable[Part]) -> bool:
    """Whether such a part is among those that are saved.

    What is replicated over devices is saved without its first axis.
    """
    return any(_is_like(part, one) for one in saved)


def is_saved_in_part(taken: Iterable[Part], saved: Iterable[Part]) -> bool:
    """Whether of the arrays that are saved together some are like these, and others are not."""
    found = {any(_is_like(part, one) for part in taken) for one in saved if one.kind in ("array", "numpy")}
    return len(found) > 1


def _is_like(part: Part, saved: Part) -> bool:
    if part.kind not in ("array", "numpy"):
        return part == saved
    if saved.kind not in ("array", "numpy") or part.what != saved.what or part.what is None:
        return False
    if part.shape is None or None in part.shape or saved.shape not in (part.shape, part.shape[1:]):
        return False
    if part.kind == "numpy" or part.is_itself:
        return part.kind == saved.kind and part.is_weak == saved.is_weak
    return part.is_weak is False
