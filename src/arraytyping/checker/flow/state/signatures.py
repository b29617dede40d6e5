"""The signature of a call of a jitted function: what JAX compiles it for, leaf by leaf."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from arraytyping.checker.flow.values import (
    ArrayValue,
    DictValue,
    InstanceValue,
    IteratorValue,
    ListValue,
    TreeValue,
    Value,
    is_concrete,
)

__all__ = ["UNKNOWN", "Signature", "difference", "is_known", "labelled", "shapes_of", "signature"]

Signature = dict[str, str]
"""What each leaf is, by its name: `{"batch['x']": "float32[32, 8]", "n": "3"}`; what is not known is `?`."""

UNKNOWN: Final = "?"
_LONGEST: Final = 60
_ARRAY: Final = re.compile(r"([a-z][\w<>]*)\[([\d, ]*)\]( \(weak\)|)")


def signature(given: list[tuple[str, Value, bool]]) -> Signature:
    """The signature of arguments: each with its name, and whether it is static."""
    found: Signature = {}
    for name, value, is_static in given:
        if is_static:
            found[name] = _static(value)
        else:
            for label, leaf in labelled(name, value):
                found[label] = _leaf(leaf)
    return found


def labelled(name: str, value: Value) -> Iterator[tuple[str, Value]]:
    """The leaves of a pytree, each with how the program writes it."""
    if isinstance(value, tuple):
        names = getattr(value, "_fields", None)
        for i, v in enumerate(value):
            yield from labelled(f"{name}.{names[i]}" if names else f"{name}[{i}]", v)
    elif isinstance(value, ListValue | IteratorValue) and value.items is not None:
        for i, v in enumerate(value.items):
            yield from labelled(f"{name}[{i}]", v)
    elif isinstance(value, DictValue) and value.items is not None:
        for key, v in value.items.items():
            yield from labelled(f"{name}[{key!r}]", v)
    elif isinstance(value, InstanceValue) and value.cls.pytree is not None:
        for key, v in value.attributes.items():
            yield from labelled(f"{name}.{key}", v)
    elif isinstance(value, TreeValue):
        for i, v in enumerate(value.leaves):
            yield from labelled(f"{name}, leaf {i}", v)
    elif value is not None:
        yield name, value


def _leaf(value: Value) -> str:
    """An abstract array; what else is in a tree is told apart where it is concrete."""
    if isinstance(value, ArrayValue):
        aval = value.aval
        is_full = value.is_full and all(isinstance(d, int) for d in aval.shape or ())
        return str(aval) if is_full and aval.dtype is not None else UNKNOWN
    return _static(value)


def _static(value: Value) -> str:
    """A static argument: numbers, strings and tuples of these by what they are."""
    if not is_concrete(value):
        return UNKNOWN
    text = repr(value) if isinstance(value, bool | int | float | str | tuple | type(None)) else type(value).__name__
    return text if len(text) <= _LONGEST else UNKNOWN


def is_known(found: Signature) -> bool:
    """Whether every leaf is known."""
    return UNKNOWN not in found.values()


def difference(one: Signature, other: Signature) -> list[str]:
    """The names of the leaves that differ, of signatures of the same leaves; empty if there are others."""
    if one.keys() != other.keys():
        return []
    return [name for name in one if one[name] != other[name]]


def shapes_of(text: str) -> tuple[str, tuple[int, ...]] | None:
    """The dtype, with ` (weak)` where it is, and the sizes of a leaf that is an array."""
    found = _ARRAY.fullmatch(text)
    if found is None:
        return None
    return found[1] + found[3], tuple(int(d) for d in found[2].split(",") if d.strip())
