"""Values within containers: copies of a structure, and structures with other values in their places."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from arraytyping.checker.flow.values import ArrayValue, InstanceValue, UnionValue, Value, mapped
from arraytyping.semantics.avals import ShapedArray

__all__ = ["all_traced", "copy_structure", "displaced", "substitute", "unions_in", "weaken"]


def copy_structure(value: Value, renew: Callable[[ArrayValue], Value] = ArrayValue.another) -> Value:
    """A result that is kept, with new containers: each call makes its own; `renew` gives arrays anew."""
    if isinstance(value, ArrayValue):
        return renew(value)
    if isinstance(value, InstanceValue):
        return InstanceValue(value.cls, {k: copy_structure(v, renew) for k, v in value.attributes.items()})
    return mapped(value, lambda v: copy_structure(v, renew))


def substitute(value: Value, swap: dict[int, Any]) -> Value:
    """The value with some of its alternatives chosen."""
    if isinstance(value, UnionValue):
        return swap.get(id(value), value)
    return mapped(value, lambda v: substitute(v, swap))


def unions_in(values: Sequence[Value]) -> set[int]:
    """Which of several alternatives `substitute` would choose of in these values, by their identity."""
    found: set[int] = set()

    def visit(value: Value) -> Value:
        if isinstance(value, UnionValue):
            found.add(id(value))
            return value
        return mapped(value, visit)

    for value in values:
        visit(value)
    return found


def weaken(value: Value) -> Value:
    """The value of a call that was given an array whose weak type is not known."""
    if isinstance(value, ArrayValue):
        weakened = ArrayValue(ShapedArray(value.aval.shape, value.aval.dtype, None), value.traced, value.origin)
        weakened.real, weakened.key, weakened.place = value.real, value.key, value.place
        return weakened
    return mapped(value, weaken)


def displaced(value: Value) -> Value:
    """The value of a call that was given an array of which it is not known where it lies."""
    if isinstance(value, ArrayValue):
        return value.as_traced(value.traced).at(None)
    return mapped(value, displaced)


def all_traced(values: list[Value]) -> bool:
    """Whether there are arrays among these values, and each is a tracer of the program."""
    arrays = [v for v in values if isinstance(v, ArrayValue)]
    return bool(arrays) and all(a.traced for a in arrays)
