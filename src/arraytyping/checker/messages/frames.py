"""Messages as a terminal shows them: with the line of the source, and marks under the values that met.

```text
error[array-shape]: matmul: contracted dimensions differ: ...
  --> train.py:6:21
   |
 6 |     return jnp.mean(x @ w)
   |                     ^   ^ float32[128, 784], made in line 11
   |                     |
   |                     float32[128, 784], made in line 10
   = way: main -> loss
   = help: did you mean x @ w.T?
```
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from arraytyping.checker.messages.error_pages import page_uri
from arraytyping.checker.messages.helping import help_for
from arraytyping.checker.messages.line_formats import summary
from arraytyping.checker.messages.message import Message, Totals, source_lines
from arraytyping.checker.messages.operand_places import operand_places
from arraytyping.checker.notebooks.cells import cells_of, line_text, place_text

__all__ = ["as_frames"]

_STYLES: Final = {"error": "bold red", "warning": "bold yellow", "note": "bold cyan"}
_TAB: Final = 4
_MOST_LINES: Final = 3
"""The most lines of one expression that are shown."""


@dataclass(frozen=True, slots=True)
class _Mark:
    """A mark under a line, in cells from its beginning, and what stands beside it."""

    column: int
    width: int
    label: str


def as_frames(messages: Sequence[Message], totals: Totals, width: int, *, color: bool = True) -> Iterator[str]:
    """The lines for a terminal so many cells wide."""
    for message in messages:
        for text in _frame(message):
            yield from _rendered(text, width, color)
        yield ""
    for line in summary(messages, totals):
        style = (
            "bold green" if line.startswith("Success") else "bold red" if line.startswith("Found") else "bold yellow"
        )
        yield from _rendered(Text(line, style), width, color)


def _rendered(text: Text, width: int, color: bool) -> list[str]:
    file = io.StringIO()
    console = Console(
        file=file, width=max(width, 20), force_terminal=color, color_system="standard" if color else None,
        highlight=False, soft_wrap=False, legacy_windows=False, no_color=not color,
    )  # fmt: skip
    console.print(text, overflow="fold", no_wrap=False)
    return [line.rstrip() for line in file.getvalue().rstrip("\n").split("\n")]


def _frame(m: Message) -> Iterator[Text]:
    style = _STYLES[m.severity]
    code = f"[{m.code}]" if m.code else ""
    page = page_uri(m.code) if m.code is not None and _takes_links() else None
    link = "" if page is None else f" link {page}"
    yield Text.assemble((f"{m.severity}{code}", f"{style}{link}"), (f": {m.text}", "bold"))
    if not m.path:
        return
    lines = source_lines(m.path)
    last = min(m.end_line, m.line + _MOST_LINES - 1, len(lines))
    shown = [str(_number(m.path, number)) for number in range(m.line, max(last, m.line) + 1)]
    margin = max(map(len, shown))
    yield Text.assemble((f"{' ' * margin} --> ", "blue"), m.place)
    if m.line <= len(lines):
        yield Text(f"{' ' * margin}  |", "blue")
        for number, counted in zip(range(m.line, last + 1), shown):
            yield Text.assemble((f"{counted:>{margin}}  | ", "blue"), lines[number - 1].expandtabs(_TAB))
            for under in _under(_marks(m, number, lines[number - 1])):
                yield Text.assemble((f"{' ' * margin}  | ", "blue"), (under, style))
    for title, what in _notes(m):
        yield Text.assemble((f"{' ' * margin}  = ", "blue"), (f"{title}: ", "bold"), what)


def _takes_links() -> bool:
    """Whether the terminal shows links, or at least passes them by."""
    return "WT_SESSION" in os.environ or os.environ.get("TERM", "") not in ("", "dumb", "linux")


def _notes(m: Message) -> Iterator[tuple[str, str]]:
    placed = {place.operand.text for place in operand_places(m)}
    if m.diagnostic is None:
        for line in (m.hint or "").splitlines():
            yield "note", line
    else:
        if m.diagnostic.chain:
            yield "way", " -> ".join(call.function for call in m.diagnostic.chain)
        for operand in m.diagnostic.operands:
            if operand.text not in placed:
                yield "note", f"{operand.text} is {operand.type}{_made(m, operand.path, operand.line)}"
        if m.diagnostic.conditions and m.diagnostic.note:
            yield "note", m.diagnostic.note.rpartition("; ")[2]
        if m.diagnostic.more_ways is not None:
            yield "note", m.diagnostic.more_ways
    if (help_ := help_for(m)) is not None:
        yield "help", help_
    if m.code is not None and m.code.startswith("array-"):
        yield "explain", f"arraytyping explain {m.code}"


def _made(message: Message, path: str, line: int) -> str:
    if not line or (path == message.path and line == message.line):
        return ""
    return f", made in {line_text(path, line)}" if path == message.path else f", made at {place_text(path, line)}"


def _number(path: str, line: int) -> int:
    cells = cells_of(path)
    return line if cells is None else cells.of(line)[1]


def _marks(message: Message, number: int, text: str) -> list[_Mark]:
    """What is marked in a line: the values that met, or the whole expression."""
    places = operand_places(message)
    marks = [
        _mark(text, p.column, p.end_column, f"{p.operand.type}{_made(message, p.operand.path, p.operand.line)}")
        for p in places
        if p.line == p.end_line == number
    ]
    if places:
        return marks
    begin = message.column if number == message.line else len(text.encode()) - len(text.lstrip().encode())
    end = message.end_column if number == message.end_line else len(text.encode())
    return [_mark(text, begin, max(end, begin + 1), "")]


def _mark(text: str, begin: int, end: int, label: str) -> _Mark:
    data = text.encode()
    before = cell_len(data[:begin].decode(errors="replace").expandtabs(_TAB))
    width = cell_len(data[:end].decode(errors="replace").expandtabs(_TAB)) - before
    return _Mark(before, max(1, width), label)


def _under(marks: Sequence[_Mark]) -> Iterator[str]:
    """The lines under a line of the source: marks, and their labels from the right to the left."""
    if not marks:
        return
    ordered = sorted(marks, key=lambda mark: mark.column)
    line = ""
    for mark in ordered:
        line = f"{line:<{mark.column}}{'^' * mark.width}"
    last = ordered[-1]
    yield f"{line} {last.label}".rstrip()
    for at in range(len(ordered) - 2, -1, -1):
        bars = ""
        for mark in ordered[: at + 1]:
            bars = f"{bars:<{mark.column}}|"
        yield bars
        yield f"{bars[:-1]}{ordered[at].label}"
