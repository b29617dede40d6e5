"""What the plugin remembers from one expression to the next: answers, types by abstract values, and the reverse."""

from __future__ import annotations

from typing import Any, Final

from mypy.types import Type

__all__ = ["Memo", "memo_for"]

LIMIT: Final = 20_000
"""Entries past which a table is emptied: a long-lived daemon must not grow without bound."""


class Memo:
    """The tables for one set of classes and promotion systems."""

    def __init__(self, key: tuple[object, ...]) -> None:
        self.key = key
        self.answers: dict[Any, Any] = {}
        self.types: dict[Any, Type] = {}
        self.values: dict[Type, Any] = {}

    def trim(self) -> None:
        """Empty the tables if they have grown past the limit."""
        if len(self.answers) > LIMIT or len(self.values) > LIMIT or len(self.types) > LIMIT:
            self.answers.clear()
            self.types.clear()
            self.values.clear()


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
