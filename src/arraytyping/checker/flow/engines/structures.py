"""Values within containers: copies of a structure, and structures with other values in their places."""

from __future__ import annotations

from typing import Any

from arraytyping.checker.flow.values import (
    ArrayValue,
    DictValue,
    InstanceValue,
    ListValue,
    UnionValue,
    remake_tuple,
)
from arraytyping.semantics.avals import ShapedArray

__all__ = ["all_traced", "copy_structure", "substitute", "weaken"]


def copy_structure(value: Any) -> Any:
    """A result that is kept, with new containers: each call makes its own."""
    if isinstance(value, tuple) and value:
        return remake_tuple(value, [copy_structure(v) for v in value])
    if isinstance(value, ListValue) and value.items is not None:
        return ListValue([copy_structure(v) for v in value.items], kind=value.kind)
    if isinstance(value, DictValue) and value.items is not None:
        return DictValue({k: copy_structure(v) for k, v in value.items.items()}, kind=value.kind, factory=value.factory)
    if isinstance(value, InstanceValue):
        return InstanceValue(value.cls, {k: copy_structure(v) for k, v in value.attributes.items()})
    return value


def substitute(value: Any, swap: dict[int, Any]) -> Any:
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


def weaken(value: Any) -> Any:
    """The value of a call that was given an array whose weak type is not known."""
    if isinstance(value, ArrayValue):
        weakened = ArrayValue(ShapedArray(value.aval.shape, value.aval.dtype, None), value.traced, value.made)
        weakened.real = value.real
        return weakened
    if isinstance(value, tuple):
        return remake_tuple(value, [weaken(v) for v in value])
    if isinstance(value, ListValue) and value.items is not None:
        return ListValue([weaken(v) for v in value.items])
    if isinstance(value, DictValue) and value.items is not None:
        return DictValue({k: weaken(v) for k, v in value.items.items()}, kind=value.kind)
    return value


def all_traced(values: list[Any]) -> bool:
    """Whether there are arrays among these values, and each is a tracer of the program."""
    arrays = [v for v in values if isinstance(v, ArrayValue)]
    return bool(arrays) and all(a.traced for a in arrays)
