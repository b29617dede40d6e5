"""The formats that people and simple programs read: lines of text, and lines of JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from arraytyping.checker.messages.message import Message, Totals

__all__ = ["as_concise", "as_json", "as_text", "summary"]


def as_text(messages: Sequence[Message], totals: Totals) -> Iterator[str]:
    """A line for each message, one more for each of its notes, and a summary."""
    for m in messages:
        yield _line(m)
        for note in (m.hint or "").splitlines():
            yield f"{m.place}: note: {note}"
    yield from summary(messages, totals)


def as_concise(messages: Sequence[Message], totals: Totals) -> Iterator[str]:
    """A line for each message, and a summary."""
    yield from map(_counting_line, messages)
    yield from summary(messages, totals)


def as_json(messages: Sequence[Message], totals: Totals) -> Iterator[str]:
    """An object of JSON in a line for each message, with the keys of mypy's `-O json`."""
    yield from (json.dumps(m.to_json()) for m in messages)


def _line(message: Message, ways: str = "") -> str:
    code = f"  [{message.code}]" if message.code else ""
    return f"{message.place}: {message.severity}: {message.text}{ways}{code}"


def _counting_line(message: Message) -> str:
    return _line(message, f" (in {message.ways} ways)" if message.ways > 1 else "")


def summary(messages: Sequence[Message], totals: Totals) -> Iterator[str]:
    """The line that ends a text: how many errors there are, or that there are none."""
    if not totals.wants_summary:
        return
    if totals.reservation is not None and not totals.is_blocked:
        yield totals.reservation
    errors = [m for m in messages if m.severity == "error"]
    warnings = sum(m.severity == "warning" for m in messages)
    if errors:
        files = len({m.path for m in errors})
        checked = "errors prevented further checking" if totals.is_blocked else f"checked {_files(totals.sources)}"
        yield f"Found {_counted(len(errors), 'error')} in {_counted(files, 'file')} ({checked})"
    elif warnings:
        yield f"Found no errors, and {_counted(warnings, 'warning')}"
    elif totals.reservation is None and not totals.is_partial:
        yield f"Success: no issues found in {_files(totals.sources)}"


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _files(count: int) -> str:
    return _counted(count, "source file")
