"""What the plugin remembers from one expression to the next: answers, types by abstract values, and the reverse."""

from __future__ import annotations

from typing import Any, Final

from mypy.types import Type

from arraytyping.semantics.avals import ShapedArray

__all__ = ["Memo", "memo_for"]

LIMIT: Final = 20_000
"""Entries past which a table is emptied: a long-lived daemon must not grow without bound."""


class Memo:
    """The tables for one set of classes and promotion systems."""

    def __init__(self, key: tuple[object, ...]) -> None:
        self.key = key
        self.answers: dict[Any, Any] = {}
        self.types: dict[Any, Type] = {}
        self.values: dict[Type, tuple[Any, bool]] = {}
        """The values of types, and whether their sizes have names."""
        self._numbers: dict[Any, int] = {}
        self._of_known: dict[int, tuple[Any, int]] = {}
        """By their ids the values of types, which are kept here, and their numbers."""

    def number(self, value: Any) -> int:
        """A number that all values have that are the same argument.

        Raises:
            TypeError: if something in it cannot be hashed.
        """
        known = self._of_known.get(id(value))
        return self._number(value) if known is None else known[1]

    def keep(self, value: Any) -> None:
        """Find the number of this very object, the value of a type, without comparing it with others."""
        self._of_known[id(value)] = value, self._number(value)

    def _number(self, value: Any) -> int:
        return self._numbers.setdefault(_key(value), len(self._numbers))

    def trim(self) -> None:
        """Empty the tables if they have grown past the limit."""
        if max(map(len, (self.answers, self.values, self.types, self._numbers))) > LIMIT:
            self.answers.clear()
            self.types.clear()
            self.values.clear()
            self._of_known.clear()
            self._numbers.clear()


def _key(value: Any) -> Any:
    """What tells arguments apart: 1, 1.0 and True are equal, but are different ones; a list is not a tuple."""
    if isinstance(value, ShapedArray):
        return (value, type(value.value))
    if isinstance(value, tuple | list):
        return (type(value), *map(_key, value))
    if isinstance(value, slice):
        return (slice, _key(value.start), _key(value.stop), _key(value.step))
    return (type(value), value)


_memos: Final[list[Memo]] = []


def memo_for(*key: object) -> Memo:
    """The memo of these classes and systems; the daemon may replace a class, and then nothing old may be used."""
    for memo in _memos:
        if len(memo.key) == len(key) and all(a is b or a == b for a, b in zip(memo.key, key)):
            memo.trim()
            return memo
    if len(_memos) > 8:
        del _memos[:]
    _memos.append(memo := Memo(key))
    return memo
