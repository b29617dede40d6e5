"""How an array came to its dtype, as processes and commands tell each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

__all__ = ["DtypeTrace"]


class DtypeTrace(NamedTuple):
    """An expression, what it is, and the lines (path, line, text) by which it came to its dtype, the last one first.

    `origin` is the place (path, line) where the array was made, if that is known.
    """

    path: str
    line: int
    column: int
    text: str
    type: str
    steps: tuple[tuple[str, int, str], ...]
    origin: tuple[str, int] | None = None

    @staticmethod
    def from_json(data: Sequence[Any]) -> DtypeTrace:
        """A trace that was written as JSON."""
        path, line, column, text, kind, steps, made = data
        told = tuple((p, number, said) for p, number, said in steps)
        return DtypeTrace(path, line, column, text, kind, told, None if made is None else (made[0], made[1]))
