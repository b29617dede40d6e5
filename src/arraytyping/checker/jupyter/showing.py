"""How a front end shows what was found of a cell: as HTML, and as plain text for terminals."""

from __future__ import annotations

import html
import io
from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.text import Text

from arraytyping.checker.jupyter.findings import Findings, Row
from arraytyping.checker.messages.frames import as_frames
from arraytyping.checker.messages.message import Totals
from arraytyping.checker.notebooks.cells import give_cells
from arraytyping.regular_files import give_contents

__all__ = ["annotated", "shown"]

_WIDTH = 100
_STYLE = "font-family: monospace; font-size: 90%; line-height: 1.3"
_HEADS = ("name", "dtype", "weak type", "shape")


def shown(findings: Findings, *, table: bool = True) -> dict[str, str] | None:
    """The mistakes and the table, by MIME type; None if there is nothing to show."""
    frames = _frames(findings)
    rows = [*findings.rows()] if table else []
    if not frames and not rows:
        return None
    plain = "\n".join([*(Text.from_ansi(line).plain for line in frames), *_plain_table(rows)]).strip("\n")
    return {"text/plain": plain, "text/html": _html(frames) + _html_table(rows)}


def annotated(findings: Findings) -> dict[str, str]:
    """The mistakes, and the cell with what is known of each array in it."""
    frames = _frames(findings)
    pairs = [*findings.lines()]
    margin = min(60, max((len(line) for line, said in pairs if said), default=0))
    lines = [f"{line:{margin}}  # {said}" if said else line for line, said in pairs]
    if not any(said for _, said in pairs):
        lines.append("# nothing is known of arrays here")
    plain = "\n".join([*(Text.from_ansi(line).plain for line in frames), *lines])
    listing = f'<pre style="{_STYLE}">{html.escape(chr(10).join(lines))}</pre>'
    return {"text/plain": plain, "text/html": _html(frames) + listing}


def _frames(findings: Findings) -> list[str]:
    path = str(findings.program.path)
    give_contents({path: findings.program.text.encode()})
    give_cells(path, findings.program.cells)
    totals = Totals(1, wants_summary=False)
    return list(as_frames(findings.messages, totals, _WIDTH)) if findings.messages else []


def _html(frames: Sequence[str]) -> str:
    """Frames with the colours of the terminal, which can be read on light and on dark ground."""
    if not frames:
        return ""
    console = Console(file=io.StringIO(), record=True, width=_WIDTH + 20, force_terminal=True, legacy_windows=False)
    for line in frames:
        console.print(Text.from_ansi(line), overflow="ignore", no_wrap=True, crop=False)
    code = console.export_html(inline_styles=True, code_format="{code}")
    return f'<pre style="{_STYLE}; border-left: 3px solid #c33; padding-left: 8px">{code.strip()}</pre>'


def _html_table(rows: Sequence[Row]) -> str:
    if not rows:
        return ""
    heads = "".join(f'<th style="text-align: left">{head}</th>' for head in _HEADS)
    body = "".join(
        "<tr>" + "".join(f'<td style="text-align: left">{html.escape(cell)}</td>' for cell in _cells(row)) + "</tr>"
        for row in rows
    )
    return f'<table style="{_STYLE}"><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>'


def _plain_table(rows: Sequence[Row]) -> Iterable[str]:
    width = max((len(row.name) for row in rows), default=0)
    for row in rows:
        weak = f" ({row.weak_type})" if row.weak_type else ""
        yield f"{row.name:{width}}  {row.dtype}{weak} {row.shape}"


def _cells(row: Row) -> tuple[str, str, str, str]:
    return row.name, row.dtype, row.weak_type, row.shape
