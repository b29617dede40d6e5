"""Whether there is a tracer in a value: in a container, also one of unknown length, in an object, a pytree, a slice."""

from __future__ import annotations

from typing import Any

from arraytyping.checker.flow.values.arrays import ArrayValue, TreeValue
from arraytyping.checker.flow.values.basic import UnionValue
from arraytyping.checker.flow.values.classes import InstanceValue
from arraytyping.checker.flow.values.containers import DictValue, IteratorValue, ListValue, SetValue
from arraytyping.checker.flow.values.missing import MISSING

__all__ = ["is_traced"]


def is_traced(value: Any) -> bool:
    """Whether a tracer is in a value; what an iterator is still to evaluate is not asked for."""
    return _is_traced(value, set())


def _is_traced(value: Any, seen: set[int]) -> bool:
    if isinstance(value, ArrayValue):
        return value.traced
    parts = _parts(value)
    if not parts or id(value) in seen:
        return False
    seen.add(id(value))
    return any(_is_traced(part, seen) for part in parts)


def _parts(value: Any) -> list[Any]:
    if isinstance(value, tuple):
        return list(value)
    if isinstance(value, UnionValue):
        return list(value.values)
    if isinstance(value, TreeValue):
        return list(value.leaves)
    if isinstance(value, InstanceValue):
        return list(value.attributes.values())
    if isinstance(value, slice):
        return [value.start, value.stop, value.step]
    if isinstance(value, IteratorValue) and value.pending is not None:
        return []
    if isinstance(value, ListValue | SetValue | IteratorValue | DictValue):
        if value.items is None:
            return [value.element] if value.element is not MISSING else []
        return list(value.items.values() if isinstance(value, DictValue) else value.items)
    return []
