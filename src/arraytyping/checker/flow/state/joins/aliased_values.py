"""What something unknown may be one object with: a program that writes to it may write to that."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from arraytyping.checker.flow.values import (
    AliasedValue,
    BoundMethod,
    DictValue,
    InstanceValue,
    IteratorValue,
    ListValue,
    MethodOf,
    NumPyValue,
    PartialValue,
    SetValue,
    UnionValue,
    Unknown,
    Value,
    parts_of,
)

__all__ = ["aliased"]

_WRITTEN: Final = (DictValue, InstanceValue, IteratorValue, ListValue, NumPyValue, SetValue)
_METHODS: Final = (BoundMethod, MethodOf)
_HOLDING: Final = (tuple, PartialValue, UnionValue)
"""What is not written itself, and holds what may be."""
_MOST: Final = 16
_DEPTH: Final = 2


def aliased(why: str, *values: Value) -> Unknown:
    """What may be anything, and perhaps one of these; something unknown alone if nothing in them can be written."""
    found = {id(one): one for value in values for one in _written(value, 0)}
    return AliasedValue(why, tuple(found.values())[:_MOST]) if found else Unknown(why)


def _written(value: Value, depth: int) -> Iterator[Value]:
    """The objects of the program in a value whose contents may change."""
    if isinstance(value, AliasedValue):
        yield from value.others
    elif isinstance(value, _WRITTEN) or (isinstance(value, _METHODS) and isinstance(value.receiver, _WRITTEN)):
        yield value
    elif isinstance(value, _HOLDING) and depth < _DEPTH:
        for part in parts_of(value):
            yield from _written(part, depth + 1)
