"""Lists and dicts that the program binds as attributes of a library's objects, and goes on changing.

The object has a real list, the program's code the value that flow knows: these are the same thing to the program.  So
the attribute gives the value again, and before a library may look at it the real list is made what the value is.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, NamedTuple

from arraytyping.checker.flow.values import DictValue, ListValue, Value

__all__ = ["HeldLists"]


class _Record(NamedTuple):
    real: Any
    value: ListValue | DictValue
    seen: tuple[Any, ...] | None
    """The contents, as the real one was made of them."""
    length: int


class HeldLists:
    """The lists and dicts of one run that real objects hold."""

    def __init__(self) -> None:
        self._records: dict[int, _Record] = {}

    def note(self, owner: Any, name: str, real: Any, value: Value) -> None:
        """An attribute was bound: libraries that keep something else in the place of a list have no such one."""
        if isinstance(value, ListValue | DictValue) and getattr(owner, "__dict__", {}).get(name) is real:
            self._records[id(real)] = _Record(real, value, _contents(value), len(value.items or ()))

    def of(self, real: Any) -> ListValue | DictValue | None:
        """The value that a real list or dict stands for; None if it is none of these, or a library has changed it."""
        record = self._records.get(id(real))
        if record is None or record.seen is None or len(real) != record.length:
            return None
        return record.value

    def bring_up_to_date(self, real_of: Callable[[ListValue | DictValue], Any]) -> None:
        """Make the real ones what the program has made of the values."""
        for key, record in list(self._records.items()):
            contents = _contents(record.value)
            if contents is record.seen is None or _are_same(contents, record.seen):
                continue
            made = real_of(record.value)
            record.real.clear()
            record.real.update(made) if isinstance(made, dict) else record.real.extend(made)
            self._records[key] = record._replace(seen=contents, length=len(made))


def _contents(value: ListValue | DictValue) -> tuple[Any, ...] | None:
    """What is in it; None if that is not known."""
    if value.items is None:
        return None
    return (*value.items, *value.items.values()) if isinstance(value, DictValue) else tuple(value.items)


def _are_same(some: tuple[Any, ...] | None, others: tuple[Any, ...] | None) -> bool:
    """Whether these are the same objects."""
    if some is None or others is None or len(some) != len(others):
        return False
    return all(map(operator.is_, some, others))
