"""Containers: lists, dicts, sets and iterators, whose contents may change."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from typing_extensions import override

from arraytyping.checker.flow.values.basic import Mutable, Unknown, Value
from arraytyping.checker.flow.values.missing import MISSING
from arraytyping.semantics.sizes.polynomials import Size

__all__ = ["CoroutineValue", "DictValue", "IteratorValue", "ListValue", "SetValue", "Unordered", "ViewValue", "awaited"]


def _known(items: Iterable[Value] | None, element: Value) -> Sequence[Value]:
    """The parts of a container that holds these items, or any number of one description."""
    if items is None:
        return () if element is MISSING else (element,)
    return list(items)


class ListValue(Mutable):
    """A list or deque: its items, or, if their number is unknown, one value that describes each of them.

    An empty list of unknown length has `element` MISSING.  `length` is that of a list whose items are not known one by
    one, until something is written to it.
    """

    __slots__ = ("element", "items", "kind", "length")

    def __init__(self, items: list[Value] | None, element: Value = MISSING, kind: type = list) -> None:
        super().__init__()
        self.items = items
        self.element: Any = element
        self.kind: type = kind
        self.length: Size | None = None

    @property
    def has_items(self) -> bool:
        """Whether there is an item for certain."""
        if self.items is not None:
            return bool(self.items)
        low = None if self.length is None else self.length.bounds()[0]
        return low is not None and low >= 1

    @override
    def will_change(self) -> None:
        self.length = None

    @override
    def snapshot(self) -> Any:
        return None if self.items is None else list(self.items), self.element

    @override
    def restore(self, snapshot: Any) -> None:
        items, self.element = snapshot
        self.length = None
        self.items = None if items is None else list(items)

    @override
    def parts(self) -> Sequence[Value]:
        return _known(self.items, self.element)

    @override
    def mapped(self, change: Callable[[Value], Value]) -> Value:
        if self.items is None:
            return ListValue(None, self.element if self.element is MISSING else change(self.element), self.kind)
        return ListValue([change(v) for v in self.items], kind=self.kind)

    @override
    def type_name(self) -> str:
        return self.kind.__name__

    def __repr__(self) -> str:
        return f"ListValue({self.items if self.items is not None else f'* {self.element}'})"


class Unordered(dict[Any, Any]):
    """The items of a dict of which it is not known in which order they are."""

    __slots__ = ()


class DictValue(Mutable):
    """A dict: its items by concrete key, or, if the keys are not known, one value for all keys and one for all items.

    `factory` makes what is missing, in a defaultdict.
    """

    __slots__ = ("element", "factory", "items", "key", "kind")

    def __init__(
        self,
        items: dict[Any, Value] | None,
        key: Value = MISSING,
        element: Value = MISSING,
        kind: type = dict,
        factory: Value = None,
    ) -> None:
        super().__init__()
        self.items = items
        self.key: Value = key
        self.element: Any = element
        self.kind: type = kind
        self.factory: Value = factory

    @override
    def snapshot(self) -> Any:
        return None if self.items is None else self.copied(), self.key, self.element

    @override
    def restore(self, snapshot: Any) -> None:
        items, self.key, self.element = snapshot
        self.items = None if items is None else type(items)(items)

    @property
    def is_ordered(self) -> bool:
        """Whether it is known in which order the items are, if these are known."""
        return type(self.items) is not Unordered

    def copied(self) -> dict[Any, Value]:
        """Its items, of which there are any, in another dict; they are in the same order, or in one as little known."""
        assert self.items is not None
        return dict(self.items) if self.is_ordered else Unordered(self.items)

    @override
    def parts(self) -> Sequence[Value]:
        return _known(None if self.items is None else self.items.values(), self.element)

    @override
    def mapped(self, change: Callable[[Value], Value]) -> Value:
        if self.items is None:
            element = self.element if self.element is MISSING else change(self.element)
            return DictValue(None, self.key, element, self.kind, self.factory)
        items = self.copied()
        items.update((k, change(v)) for k, v in self.items.items())
        return DictValue(items, kind=self.kind, factory=self.factory)

    @override
    def type_name(self) -> str:
        return self.kind.__name__

    def __repr__(self) -> str:
        return f"DictValue({self.items if self.items is not None else f'* {self.key}: {self.element}'})"


class ViewValue(ListValue):
    """The keys, values or items of a dict, as the dict is now: `kind` is the type of the view.

    It has no contents of its own: what is written to it is lost, and a path leaves it as it was.
    """

    __slots__ = ("of",)

    def __init__(self, of: DictValue, kind: type) -> None:
        Mutable.__init__(self)
        self.of: DictValue = of
        self.kind: type = kind

    @property
    def has_items(self) -> bool:
        """Whether there is an item for certain."""
        return bool(self.items)

    @property
    def part(self) -> str:
        """Which part of the dict it shows: `keys`, `values` or `items`."""
        return self.kind.__name__.rpartition("_")[2]

    @property
    def items(self) -> list[Any] | None:
        """The items of the view, None if their number is not known."""
        return None if self.of.items is None else list(getattr(self.of.items, self.part)())

    @items.setter
    def items(self, items: list[Value] | None) -> None:
        pass

    @property
    def element(self) -> Any:
        """What describes each item, where their number is not known."""
        key, element = self.of.key, self.of.element
        if self.of.items is not None or key is MISSING or element is MISSING:
            return MISSING
        return {"keys": key, "values": element, "items": (key, element)}[self.part]

    @element.setter
    def element(self, element: Value) -> None:
        pass

    @override
    def snapshot(self) -> Any:
        return None, MISSING

    @override
    def restore(self, snapshot: Any) -> None:
        pass

    @override
    def mapped(self, change: Callable[[Value], Value]) -> Value:
        return self

    @staticmethod
    def joined(a: Value, b: Value) -> Value:
        """The join of two of its contents."""
        return a

    def __repr__(self) -> str:
        return f"ViewValue({self.part} of {self.of})"


class SetValue(Mutable):
    """A set or frozenset: its concrete items, or one value for all of them."""

    __slots__ = ("element", "items", "kind")

    def __init__(self, items: dict[Any, None] | None, element: Value = MISSING, kind: type = set) -> None:
        super().__init__()
        self.items = items
        self.element: Any = element
        self.kind: type = kind

    @override
    def snapshot(self) -> Any:
        return None if self.items is None else dict(self.items), self.element

    @override
    def restore(self, snapshot: Any) -> None:
        items, self.element = snapshot
        self.items = None if items is None else dict(items)

    @override
    def parts(self) -> Sequence[Value]:
        return _known(self.items, self.element)

    @override
    def type_name(self) -> str:
        return self.kind.__name__

    def __repr__(self) -> str:
        return f"SetValue({list(self.items) if self.items is not None else f'* {self.element}'})"


class IteratorValue(Mutable):
    """An iterator or generator: the items that are still to come, or one value for each; `infinite` ones never end.

    What is to be evaluated when the first item is asked for is `pending`: it gives the three, and is called once.
    """

    __slots__ = ("_element", "_infinite", "_is_running", "_items", "given", "has_changed", "made_by", "pending")

    def __init__(
        self,
        items: list[Value] | None = None,
        element: Value = MISSING,
        infinite: bool = False,
        pending: Callable[[], tuple[list[Any] | None, Any, bool]] | None = None,
    ) -> None:
        super().__init__()
        self._items = items
        self._element = element
        self._infinite = infinite
        self.pending = pending
        self.made_by: Callable[[], Any] | None = None
        """What evaluated the items, if that has written nothing elsewhere."""
        self.given: list[Value] = []
        """What it has given, of which it may still know."""
        self.has_changed: Callable[[], bool] | None = None
        """Whether what its further items are made from is no longer as it was when they were evaluated."""
        self._is_running = False

    def _force(self) -> None:
        if self.pending is None or self._is_running:
            return
        self._is_running = True
        try:  # the journal looks at it as it was before
            found = self.pending()
        finally:
            self._is_running = False
        self.pending = None
        self._items, self._element, self._infinite = found

    def close(self) -> None:
        """No item comes any more, and what was not evaluated by now never is."""
        self.pending = None
        self._items, self._element, self._infinite = [], MISSING, False

    @property
    def items(self) -> list[Any] | None:
        """The items, None if their number is not known."""
        self._force()
        return self._items

    @items.setter
    def items(self, items: list[Value] | None) -> None:
        self._force()
        self._items = items

    @property
    def element(self) -> Any:
        """What describes each item, where their number is not known."""
        self._force()
        return self._element

    @element.setter
    def element(self, element: Value) -> None:
        self._force()
        self._element = element

    @property
    def infinite(self) -> bool:
        """Whether the items never end."""
        self._force()
        return self._infinite

    @override
    def snapshot(self) -> Any:
        return None if self._items is None else list(self._items), self._element, self._infinite, self.pending

    @override
    def restore(self, snapshot: Any) -> None:
        items, self._element, *rest = snapshot
        self._items = None if items is None else list(items)
        self._infinite, self.pending = rest if rest else (self._infinite, None)

    @override
    def parts(self) -> Sequence[Value]:
        return () if self.pending is not None else _known(self._items, self._element)

    def __repr__(self) -> str:
        if self.pending is not None:
            return "IteratorValue(pending)"
        return f"IteratorValue({self._items if self._items is not None else f'* {self._element}'})"


class CoroutineValue(IteratorValue):
    """What the call of an `async` function gives, whose body runs where it is awaited: an iterator of its result."""

    __slots__ = ()

    @property
    def result(self) -> Any:
        """What awaiting it gives."""
        items = self.items
        return items[0] if items else Unknown("a coroutine that was awaited before")

    @override
    def type_name(self) -> str:
        return "coroutine"


def awaited(value: Value) -> Value:
    """What `await` gives of a value."""
    return value.result if isinstance(value, CoroutineValue) else value
