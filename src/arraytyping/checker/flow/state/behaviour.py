"""What can be done with a value: for each operation a table of what each class of values does.

A class that says nothing does what the one does that it derives from, as a method is inherited.  `BaseValue` says what
is done with values of which nothing is said, and `object` what is done with a concrete object of Python.  The entries
stand in `python/behaviour/`, one module for each sort of value, and those of joins, which the run itself needs, in
`joins/`; they are functions and no methods, since what Python does with a value needs the packages above the values.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Generic, TypeVar

from arraytyping.checker.flow.values import BaseValue, Value

__all__ = ["ATTRIBUTE", "CALL", "ITEM", "ITERATE", "Items", "METHOD", "PUT_ATTRIBUTE", "PUT_ITEM", "TRUTH", "Table"]

Items = tuple[list[Any] | None, Any]
"""The items, or None and one value that describes each of them (MISSING if there surely are none)."""
ResultT = TypeVar("ResultT")
EntryT = TypeVar("EntryT", bound=Callable[..., Any])


class Table(Generic[ResultT]):
    """What is done in one operation, by the class of the value."""

    __slots__ = ("_entries", "_inherited", "_operation")

    def __init__(self, operation: str) -> None:
        self._operation = operation
        self._entries: dict[type, Callable[..., ResultT]] = {}
        self._inherited: dict[type, Callable[..., ResultT]] = {}

    def __call__(self, *kinds: type) -> Callable[[EntryT], EntryT]:
        """Register what is done with values of these classes, and of those that derive from them."""

        def register(entry: EntryT) -> EntryT:
            self._entries.update(dict.fromkeys(kinds, entry))
            self._inherited = dict(self._entries)
            return entry

        return register

    def of(self, value: Value) -> Callable[..., ResultT]:
        """What is done with this value.

        Raises:
            LookupError: if no module of entries was imported.
        """
        kind = type(value)
        found = self._inherited.get(kind)
        return self._look_up(kind) if found is None else found

    def _look_up(self, kind: type) -> Callable[..., ResultT]:
        for base in kind.__mro__:
            if (found := self._entries.get(base)) is not None:
                if issubclass(kind, BaseValue):  # other classes may be the program's, and go with it
                    self._inherited[kind] = found
                return found
        raise LookupError(f"{self._operation}: nothing is known of {kind.__name__}")


ITERATE: Final[Table[Items]] = Table("iterate")
"""`iter(value)`: `(it, value, node)`."""
TRUTH: Final[Table[bool | None]] = Table("truth")
"""`bool(value)`, None if that is not known: `(it, value, node)`."""
ATTRIBUTE: Final[Table[Value]] = Table("attribute")
"""`value.name`, MISSING if there is none: `(it, value, name, node)`."""
PUT_ATTRIBUTE: Final[Table[None]] = Table("put attribute")
"""`owner.name = value`: `(it, owner, name, value, node)`."""
ITEM: Final[Table[Value]] = Table("item")
"""`owner[index]`: `(it, owner, index, node)`."""
PUT_ITEM: Final[Table[None]] = Table("put item")
"""`owner[index] = value`: `(it, owner, index, value, node)`."""
CALL: Final[Table[Value]] = Table("call")
"""`function(...)`: `(it, function, call)`."""
METHOD: Final[Table[Value]] = Table("method")
"""`receiver.name(...)` of a value whose methods are known by name: `(it, receiver, name, call)`."""
