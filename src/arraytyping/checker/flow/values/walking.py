"""What is in a value, and in what is in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from arraytyping.checker.flow.values.arrays import ArrayValue
from arraytyping.checker.flow.values.basic import BaseValue, Value, remake_tuple
from arraytyping.checker.flow.values.classes import InstanceValue
from arraytyping.checker.flow.values.containers import DictValue

__all__ = ["has_objects_as_keys", "is_traced", "mapped", "parts_of", "walk"]


def parts_of(value: Value) -> Sequence[Value]:
    """The values that one directly holds: what `BaseValue.parts` says, the items of a tuple, the ends of a slice."""
    if isinstance(value, BaseValue):
        return value.parts()
    if isinstance(value, tuple):
        return value
    return (value.start, value.stop, value.step) if isinstance(value, slice) else ()


def mapped(value: Value, change: Callable[[Value], Value]) -> Value:
    """A tuple or another value with each of its items changed; what has no items that JAX sees stays itself."""
    if isinstance(value, BaseValue):
        return value.mapped(change)
    return remake_tuple(value, [change(v) for v in value]) if isinstance(value, tuple) and value else value


def walk(value: Value, into: tuple[type, ...] = (object,)) -> Iterator[Any]:
    """A value and all that is in it, each object with parts once; only values of the types `into` are entered."""
    stack, seen = [value], set()
    while stack:
        v = stack.pop()
        if not isinstance(v, into):
            yield v
            continue
        parts = parts_of(v)
        if parts:
            if id(v) in seen:
                continue
            seen.add(id(v))
            stack += reversed(parts)
        yield v


def has_objects_as_keys(value: Value) -> bool:
    """Whether objects of the program are keys of a dict in a value: what is equal to them is none of them."""
    return any(isinstance(v, DictValue) and any(map(_is_object, (v.key, *(v.items or ())))) for v in walk(value))


def _is_object(key: Any) -> bool:
    return any(map(_is_object, key)) if isinstance(key, tuple) else isinstance(key, InstanceValue)


def is_traced(value: Value) -> bool:
    """Whether there is a tracer in a value: in a container, also one of unknown length, in an object, a pytree."""
    return any(isinstance(v, ArrayValue) and v.traced for v in walk(value))
