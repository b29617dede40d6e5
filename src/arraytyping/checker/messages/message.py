"""A message about a place in a file, whichever layer has found it, and the totals of a run."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, Literal

from arraytyping.checker.flow.state.diagnostics import Diagnostic
from arraytyping.checker.notebooks.cells import cells_of, place_text
from arraytyping.regular_files import content_of, read_regular

__all__ = ["Message", "Totals", "read_messages", "source_lines"]

Severity = Literal["error", "warning", "note"]
_LINE: Final = re.compile(
    r"(?P<file>.+?):(?P<line>\d+):(?:(?P<column>\d+):)? (?P<kind>error|warning|note): (?P<text>.*)"
)


@dataclass(frozen=True, slots=True)
class Message:
    """What is said of a place; lines count from 1 and columns from 0, in UTF-8 bytes, as in `ast`."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    severity: Severity
    text: str
    code: str | None = None
    hint: str | None = None
    """How the program comes there, and the values that met."""
    diagnostic: Diagnostic | None = None
    """The mistake of flow that is told."""

    @property
    def ways(self) -> int:
        """In how many ways the program comes there with such a mistake."""
        return 1 if self.diagnostic is None else 1 + len(self.diagnostic.others)

    @property
    def lines(self) -> range:
        """The lines of the expression."""
        return range(self.line, max(self.line, self.end_line) + 1)

    @property
    def place(self) -> str:
        """As messages show it: `train.py:6:21`; a file alone where no line is meant."""
        return place_text(self.path, self.line, self.column + 1) if self.path else "arraytyping"

    @property
    def source(self) -> str:
        """The text of its lines, without what only sets it apart: it stays as it is where the lines are moved."""
        lines = source_lines(self.path)
        return " ".join(" ".join(lines[n - 1].split()) for n in self.lines if n <= len(lines))

    def to_json(self) -> dict[str, Any]:
        """The message as mypy writes it with `-O json`; in a notebook with the cell, in which lines are counted."""
        cells = cells_of(self.path)
        (cell, line), end = (None, self.line) if cells is None else cells.of(self.line), self.end_line
        return {
            "file": self.path,
            **({} if cell is None else {"cell": cell}),
            "line": line,
            "column": self.column,
            "end_line": end - self.line + line,
            "end_column": self.end_column,
            "message": self.text,
            "hint": self.hint,
            "code": self.code,
            "severity": self.severity,
            **({"ways": self.ways} if self.ways > 1 else {}),
        }


@dataclass(frozen=True, slots=True)
class Totals:
    """What is counted in a run besides its messages."""

    sources: int
    """The files that were checked."""
    is_blocked: bool = False
    """Whether the program could not be checked."""
    is_partial: bool = False
    """Whether a part of it could not be."""
    reservation: str | None = None
    """What stands in the place of a success."""
    wants_summary: bool = True


def read_messages(lines: Iterable[str], diagnostics: Sequence[Diagnostic]) -> list[Message]:
    """The messages in lines as mypy writes them with `-O json`; what is no JSON is said of no file, or of its line."""
    by_place = {(m.path, m.line, m.column, m.text): m for m in diagnostics}
    found = []
    for line in lines:
        message = _of_json(json.loads(line)) if line.startswith("{") else _of_text(line)
        known = by_place.get((message.path, message.line, message.column, message.text))
        found.append(message if known is None else replace(message, diagnostic=known))
    return found


def _of_json(data: dict[str, Any]) -> Message:
    line, column = int(data["line"]), max(0, int(data["column"]))
    end_line, end_column = data.get("end_line") or line, data.get("end_column") or column
    return Message(
        data["file"], max(1, line), column, max(line, int(end_line), 1), max(0, int(end_column)),
        data["severity"], data["message"].rstrip("\n"), data["code"], data["hint"] or None,
    )  # fmt: skip


def _of_text(line: str) -> Message:
    match = _LINE.fullmatch(line)
    if match is None:
        return Message("", 1, 0, 1, 0, "error", line)
    kind: Severity = "error" if match["kind"] == "error" else "warning" if match["kind"] == "warning" else "note"
    at, column = int(match["line"]), int(match["column"] or 1) - 1
    return Message(match["file"], at, column, at, column, kind, match["text"])


def source_lines(path: str) -> Sequence[str]:
    """The lines of a file; none where it cannot be read."""
    if (given := content_of(path)) is not None:
        return given.decode("utf-8-sig", errors="replace").splitlines()
    try:
        stat = Path(path).stat()
    except OSError:
        return ()
    return _lines(os.path.realpath(path), stat.st_mtime_ns, stat.st_size)


@lru_cache(maxsize=64)
def _lines(path: str, _time: int, _size: int) -> Sequence[str]:
    try:
        return read_regular(Path(path)).decode("utf-8-sig", errors="replace").splitlines()
    except OSError:
        return ()
