"""The formats in which messages are written, by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from arraytyping.checker.messages.ci_formats import as_github, as_gitlab, as_junit
from arraytyping.checker.messages.line_formats import as_concise, as_json, as_text
from arraytyping.checker.messages.message import Message, Totals
from arraytyping.checker.messages.sarif import as_sarif

__all__ = ["FORMATS", "READ_BY_PEOPLE", "Format"]

Format = Callable[[Sequence[Message], Totals], Iterator[str]]
"""The lines in which the messages and totals of a run are written."""

FORMATS: Final[dict[str, Format]] = {
    "text": as_text,
    "concise": as_concise,
    "json": as_json,
    "github": as_github,
    "gitlab": as_gitlab,
    "sarif": as_sarif,
    "junit": as_junit,
}

READ_BY_PEOPLE: Final = frozenset({"text", "concise"})
"""The formats after which the command says more."""
