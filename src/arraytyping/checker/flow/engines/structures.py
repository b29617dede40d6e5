"""Values within containers: copies of a structure, and structures with other values in their places."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from arraytyping.checker.flow.values import (
    ArrayValue,
    DictValue,
    InstanceValue,
    ListValue,
    TreeValue,
    UnionValue,
    Value,
    remake_tuple,
)
from arraytyping.semantics.avals import ShapedArray

__all__ = ["all_traced", "copy_structure", "displaced", "substitute", "weaken"]


def copy_structure(value: Value, renew: Callable[[ArrayValue], ArrayValue] = ArrayValue.another) -> Value:
    """A result that is kept, with new containers: each call makes its own; `renew` gives arrays anew."""
    if isinstance(value, ArrayValue):
        return renew(value)
    if isinstance(value, tuple) and value:
        return remake_tuple(value, [copy_structure(v, renew) for v in value])
    if isinstance(value, ListValue) and value.items is not None:
        return ListValue([copy_structure(v, renew) for v in value.items], kind=value.kind)
    if isinstance(value, DictValue) and value.items is not None:
        items = {k: copy_structure(v, renew) for k, v in value.items.items()}
        return DictValue(items, kind=value.kind, factory=value.factory)
    if isinstance(value, InstanceValue):
        return InstanceValue(value.cls, {k: copy_structure(v, renew) for k, v in value.attributes.items()})
    if isinstance(value, TreeValue):
        return TreeValue(value.treedef, tuple(copy_structure(v, renew) for v in value.leaves))
    if isinstance(value, UnionValue):
        return UnionValue(tuple(copy_structure(v, renew) for v in value.values))
    return value


def substitute(value: Value, swap: dict[int, Any]) -> Value:
    """The value with some of its alternatives chosen."""
    if isinstance(value, UnionValue):
        return swap.get(id(value), value)
    if isinstance(value, tuple):
        return remake_tuple(value, [substitute(v, swap) for v in value])
    if isinstance(value, ListValue) and value.items is not None:
        return ListValue([substitute(v, swap) for v in value.items], kind=value.kind)
    if isinstance(value, DictValue) and value.items is not None:
        return DictValue({k: substitute(v, swap) for k, v in value.items.items()}, kind=value.kind)
    return value


def weaken(value: Value) -> Value:
    """The value of a call that was given an array whose weak type is not known."""
    if isinstance(value, ArrayValue):
        weakened = ArrayValue(ShapedArray(value.aval.shape, value.aval.dtype, None), value.traced, value.origin)
        weakened.real, weakened.key, weakened.place = value.real, value.key, value.place
        return weakened
    if isinstance(value, tuple):
        return remake_tuple(value, [weaken(v) for v in value])
    if isinstance(value, ListValue) and value.items is not None:
        return ListValue([weaken(v) for v in value.items])
    if isinstance(value, DictValue) and value.items is not None:
        return DictValue({k: weaken(v) for k, v in value.items.items()}, kind=value.kind)
    return value


def displaced(value: Value) -> Value:
    """The value of a call that was given an array of which it is not known where it lies."""
    if isinstance(value, ArrayValue):
        return value.as_traced(value.traced).at(None)
    if isinstance(value, tuple):
        return remake_tuple(value, [displaced(v) for v in value])
    if isinstance(value, ListValue) and value.items is not None:
        return ListValue([displaced(v) for v in value.items])
    if isinstance(value, DictValue) and value.items is not None:
        return DictValue({k: displaced(v) for k, v in value.items.items()}, kind=value.kind)
    if isinstance(value, TreeValue):
        return TreeValue(value.treedef, tuple(map(displaced, value.leaves)))
    return value


def all_traced(values: list[Value]) -> bool:
    """Whether there are arrays among these values, and each is a tracer of the program."""
    arrays = [v for v in values if isinstance(v, ArrayValue)]
    return bool(arrays) and all(a.traced for a in arrays)
