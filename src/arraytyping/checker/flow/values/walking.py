"""What is in a value, and in what is in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from arraytyping.checker.flow.values.arrays import ArrayValue
from arraytyping.checker.flow.values.basic import BaseValue, Value, remake_tuple

__all__ = ["is_traced", "mapped", "parts_of", "walk"]


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


def is_traced(value: Value) -> bool:
    """Whether there is a tracer in a value: in a container, also one of unknown length, in an object, a pytree."""
    return any(isinstance(v, ArrayValue) and v.traced for v in walk(value))
