"""Messages of mypy's own about what flow has reported at the same place, with the way to it: they are left out.

Such as `arg-type` for an array that contradicts a parameter's annotation, `array-annotation` to flow.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from arraytyping.checker.flow.state.diagnostics import Diagnostic

__all__ = ["untold", "without_duplicates"]

_SAME: Final = {
    "array-annotation": frozenset({"arg-type", "return-value", "assignment"}),
    "array-call": frozenset({"call-arg", "attr-defined", "call-overload", "operator", "index"}),
}
"""The codes by which mypy reports what flow reports by one of its own."""
_LINE: Final = re.compile(
    r"(?P<file>.+?):(?P<line>\d+):(?:(?P<column>\d+):)?(?:\d+:\d+:)? "
    r"(?P<kind>error|note): .*?(?:  \[(?P<code>[\w-]+)\])?"
)
_MESSAGE: Final = re.compile(r".+?:\d+:(?:\d+:)* (?:error|note): ")


def without_duplicates(messages: Iterable[str], diagnostics: Sequence[Diagnostic]) -> list[str]:
    """The messages that say something else than these mistakes; what belongs to one that is left out goes with it."""
    same = [m for m in diagnostics if m.code in _SAME]
    return list(_kept(messages, same)) if same else list(messages)


def untold(warnings: Sequence[Diagnostic], messages: Iterable[str]) -> list[Diagnostic]:
    """The warnings about places of which mypy itself reports no error of the same."""
    left = list(warnings)
    for message in messages if left else ():
        if message.startswith("{"):
            left = [m for m in left if not _is_told_json(message, [m])]
        elif (match := _LINE.fullmatch(message)) is not None and match["kind"] == "error":
            column = None if match["column"] is None else int(match["column"]) - 1
            place = match["file"], int(match["line"]), column, match["code"]
            left = [m for m in left if not _is_told(*place, [m])]
    return left


def _kept(messages: Iterable[str], diagnostics: Sequence[Diagnostic]) -> Iterator[str]:
    notes = {note for m in diagnostics for note in m.notes}
    drops = False
    for message in messages:
        if message.startswith("{"):
            if not _is_told_json(message, diagnostics):
                yield message
            continue
        match = _LINE.fullmatch(message)
        if match is not None and match["kind"] == "error":
            column = None if match["column"] is None else int(match["column"]) - 1
            drops = _is_told(match["file"], int(match["line"]), column, match["code"], diagnostics)
        elif match is not None and _MESSAGE.sub("", message, count=1) in notes:
            drops = False
        if not drops:
            yield message


def _is_told_json(message: str, diagnostics: Sequence[Diagnostic]) -> bool:
    data = json.loads(message)
    return _is_told(data["file"], data["line"], data["column"], data["code"], diagnostics)


def _is_told(file: str, line: int, column: int | None, code: str | None, diagnostics: Sequence[Diagnostic]) -> bool:
    return any(
        code in _SAME[m.code]
        and m.line <= line <= m.end_line
        and (column is None or (m.line, m.column) <= (line, column) <= (m.end_line, m.end_column))
        and Path(m.path).resolve() == Path(file).resolve()
        for m in diagnostics
    )
