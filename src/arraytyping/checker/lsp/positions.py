"""Places in a text: lines from 1 and columns in bytes of UTF-8, as in `ast`, against those of an editor.

An editor counts lines from 0 and columns in units of UTF-16.  Where the text has changed since it was followed, lines
that are still there have moved.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from lsprotocol.types import Position, Range

from arraytyping.checker.reparsing import common_ends

__all__ = ["Text"]


@dataclass
class Text:
    """A text that was followed, and what has become of it."""

    followed: str
    now: str

    @cached_property
    def _lines(self) -> Sequence[str]:
        return self.followed.splitlines()

    @cached_property
    def _moved(self) -> dict[int, int]:
        """By the number of a line, from 0, that of the same one now."""
        if self.followed == self.now:
            return {n: n for n in range(len(self._lines) + 1)}
        lines, others = self._lines, self.now.splitlines()
        first, behind = common_ends(lines, others)
        last, other_last = len(lines) - behind, len(others) - behind
        matcher = difflib.SequenceMatcher(None, lines[first:last], others[first:other_last], autojunk=False)
        moved = {first + a + i: first + b + i for a, b, size in matcher.get_matching_blocks() for i in range(size)}
        return {n: n for n in range(first)} | moved | {last + n: other_last + n for n in range(behind)}

    def position(self, line: int, column: int) -> Position | None:
        """A place as an editor counts it now; None if its line is gone."""
        now = self._moved.get(line - 1)
        if now is None:
            return None
        text = self._lines[line - 1] if line <= len(self._lines) else ""
        before = text.encode()[:column].decode(errors="replace")
        return Position(now, len(before.encode("utf-16-le")) // 2)

    def range(self, line: int, column: int, end_line: int, end_column: int) -> Range | None:
        """From a place to another one; None if one of their lines is gone."""
        start, end = self.position(line, column), self.position(end_line, end_column)
        return None if start is None or end is None else Range(start, end)

    def place(self, position: Position) -> tuple[int, int] | None:
        """A place of the editor in the text that was followed; None if its line is new."""
        for then, now in self._moved.items():
            if now == position.line and then < len(self._lines):
                text = self._lines[then]
                before = text.encode("utf-16-le")[: 2 * position.character].decode("utf-16-le", errors="replace")
                return then + 1, len(before.encode())
        return None
