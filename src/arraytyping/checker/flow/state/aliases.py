"""Which mutable values may be one object, and what a write to one says of the others.

The join of two lists is a third one, which describes either; the program has two.  A write to the joined one may have
been a write to either, and a write to one of the two may be seen through the joined one: so the contents of all that
are related are joined with what was written.  A value that describes many objects at once, such as each item of a list
of unknown length, is itself written by joining.

Source: weak updates, as in Chase, Wegman and Zadeck, https://doi.org/10.1145/93542.93585.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from arraytyping.checker.flow.values import (
    SEVERAL_LIVES,
    ArrayValue,
    CaughtValue,
    DictValue,
    InstanceValue,
    IteratorValue,
    KeyOrigin,
    ListValue,
    NumPyValue,
    SetValue,
    UnionValue,
    Value,
    ViewValue,
)
from arraytyping.checker.flow.values.origins import place_of

__all__ = [
    "Alias",
    "collecting",
    "describe_many",
    "describes_many",
    "is_shared",
    "link",
    "may_be_raised",
    "related",
    "sources",
    "watch",
    "with_sources",
]

_collected: list[list[Any]] = []
"""The joined values that were made, for each who collects them, the last one first."""


class Alias:
    """What a value may be one object with: those that it was joined from, and those that were joined from it."""

    __slots__ = ("is_many", "limit", "sources", "views")

    def __init__(self) -> None:
        self.sources: list[Any] = []
        self.views: list[weakref.ref[Any]] = []
        self.is_many: bool = False
        self.limit: int = 32  # of the views; those that nobody holds are dropped when it is reached

    def held_views(self) -> list[Value]:
        """The values that were joined from it, as far as something still refers to them."""
        return [view for ref in self.views if (view := ref()) is not None]

    def add_view(self, joined: Value) -> None:
        """One more was joined from it."""
        if len(self.views) > self.limit:
            self.views = [ref for ref in self.views if ref() is not None]
            self.limit = max(32, 2 * len(self.views))
        self.views.append(weakref.ref(joined))


def _alias(value: Any) -> Alias:
    found: Alias | None = value.alias
    if found is None:
        found = value.alias = Alias()
    return found


def link(joined: Value, *sources: Any) -> Value:
    """A new value describes one of several objects; the value."""
    alias = _alias(joined)
    for source in sources:
        of_source = _alias(source)
        alias.sources.append(source)
        of_source.add_view(joined)
        alias.is_many = alias.is_many or of_source.is_many
    if _collected:
        _collected[-1].append(joined)
    return joined


def watch(watching: Value, *sources: Any) -> None:
    """What is written into one of these objects is told to a value that is none of them, but says something of all."""
    for source in sources:
        _alias(source).add_view(watching)


def is_shared(value: Value) -> bool:
    """Whether a write to a value concerns others too, or only some of the objects that it describes."""
    return getattr(value, "alias", None) is not None


def describes_many(value: Value) -> bool:
    """Whether a value describes many objects at once: two that are described so may be two objects."""
    alias: Alias | None = getattr(value, "alias", None)
    return alias is not None and alias.is_many


def sources(value: Value) -> list[Any]:
    """The values of which one was joined from, directly or not."""
    found = _reached([value], lambda alias: alias.sources)
    found.pop(id(value))
    return list(found.values())


def with_sources(values: Iterable[Any]) -> list[Any]:
    """Values, and those that they were joined from, each once."""
    return list(_reached(values, lambda alias: alias.sources).values())


def related(value: Value) -> list[Any]:
    """The other values that may be the same object: its sources, and what was joined from it or from them."""
    found = _reached(_reached([value], lambda alias: alias.sources).values(), Alias.held_views)
    found.pop(id(value))
    return list(found.values())


def may_be_raised(value: Value) -> bool:
    """Whether a value may be the object that the name of a handler has."""
    return isinstance(value, CaughtValue | InstanceValue | BaseException)


def _reached(values: Iterable[Any], following: Callable[[Alias], list[Any]]) -> dict[int, Value]:
    """Values, and all that follow them, by identity."""
    found = {id(v): v for v in values}
    waiting = list(found.values())
    while waiting:
        alias: Alias | None = waiting.pop().alias
        for v in following(alias) if alias is not None else ():
            if id(v) not in found:
                found[id(v)] = v
                waiting.append(v)
    return found


def describe_many(value: Value, depth: int = 0) -> Value:
    """A value that describes many objects at once, and so do those in it; the value."""
    if isinstance(value, tuple):
        if depth < 6:
            for v in {id(v): v for v in value}.values():
                describe_many(v, depth + 1)
    elif isinstance(value, UnionValue):
        for v in value.values:
            describe_many(v, depth)
    elif isinstance(value, ArrayValue):
        value.origin = place_of(value.origin)
        # One of them may be donated while the others live on.
        if not value.traced:
            value.life = SEVERAL_LIVES
        if value.keys_shape is not None:
            value.key = KeyOrigin.several()
    elif isinstance(value, ListValue | DictValue | SetValue | IteratorValue | InstanceValue | NumPyValue):
        if isinstance(value, NumPyValue) and value.is_scalar:
            return value
        alias = _alias(value)
        if not alias.is_many and depth < 6:
            alias.is_many = True
            for v in _contents(value):
                describe_many(v, depth + 1)
    return value


def _contents(value: Any) -> list[Value]:
    return [value.of] if isinstance(value, ViewValue) else list(value.parts())


@contextmanager
def collecting() -> Iterator[list[Any]]:
    """Collect the joined values that are made here."""
    made: list[Value] = []
    _collected.append(made)
    try:
        yield made
    finally:
        _collected.pop()
        if _collected:
            _collected[-1] += made
