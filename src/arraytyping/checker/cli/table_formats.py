"""A promotion table as text, Markdown, HTML, JSON and CSV, with marks where another system differs."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from html import escape
from typing import Final

from arraytyping.semantics.promotion.dtype_names import short_name
from arraytyping.semantics.promotion.system import System

__all__ = ["FORMATS", "Table"]

Cells = Mapping[str, Mapping[str, str | None]]


@dataclass(frozen=True)
class Table:
    """The table of the system `name`, and that of `other_name` over the same rows, if there is one to compare."""

    name: str
    cells: Cells
    other_name: str | None = None
    other: Cells | None = None

    @staticmethod
    def of(system: System, other: System | None = None) -> Table:
        """The table of a system, compared with another one's."""
        cells = system.table()
        return Table(system.name, cells) if other is None else Table(system.name, cells, other.name, other.table(cells))

    def differs(self, row: str, column: str) -> bool:
        """Whether the other system has something else there."""
        return self.other is not None and self.cells[row][column] != self.other[row][column]

    @property
    def differences(self) -> list[tuple[str, str]]:
        """Row and column of every cell that differs."""
        return [(row, column) for row, cells in self.cells.items() for column in cells if self.differs(row, column)]

    @property
    def caption(self) -> str:
        """How many cells differ; empty where nothing is compared."""
        if self.other is None:
            return ""
        return f"{len(self.differences)} of {len(self.cells) ** 2} cells differ from {self.other_name}"


def _short(dtype: str | None) -> str:
    return "-" if dtype is None else short_name(dtype)


def _as_text(table: Table) -> str:
    def cell(row: str, column: str) -> str:
        text = _short(table.cells[row][column])
        return f"[{text}]" if table.differs(row, column) else text

    names = list(table.cells)
    rows = [["", *map(short_name, names)], *([short_name(r), *(cell(r, c) for c in names)] for r in names)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = ["  ".join(text.ljust(width) for text, width in zip(row, widths)).rstrip() for row in rows]
    rule = "  ".join("-" * width for width in widths)
    caption = ["", f"{table.caption}, in [brackets]"] if table.caption else []
    return "\n".join([lines[0], rule, *lines[1:], *caption]) + "\n"


def _as_markdown(table: Table) -> str:
    def cell(row: str, column: str) -> str:
        text = _escaped(_short(table.cells[row][column]))
        return f"**{text}**" if table.differs(row, column) else text

    names = list(table.cells)
    lines = ["| | " + " | ".join(_escaped(short_name(n)) for n in names) + " |", "|---" * (len(names) + 1) + "|"]
    lines += [f"| {_escaped(short_name(r))} | " + " | ".join(cell(r, c) for c in names) + " |" for r in names]
    caption = ["", f"{table.caption}, in bold."] if table.caption else []
    return "\n".join([*lines, *caption]) + "\n"


def _escaped(text: str) -> str:
    return text.replace("*", r"\*").replace("_", r"\_").replace("|", r"\|")


_STYLE: Final = (
    "<style>\n"
    ".promotion { border-collapse: collapse; font: 13px monospace; }\n"
    ".promotion th, .promotion td { border: 1px solid #cccccc; padding: 3px 6px; text-align: center; }\n"
    ".promotion th { background: #eeeeee; }\n"
    ".promotion .differs { background: #ccebc5; }\n"
    "</style>\n"
)


def _as_html(table: Table) -> str:
    def cell(row: str, column: str) -> str:
        result = table.cells[row][column]
        title = "undefined" if result is None else result
        marks = ""
        if table.differs(row, column) and table.other is not None:
            marks = ' class="differs"'
            title += f" ({table.other_name}: {table.other[row][column] or 'undefined'})"
        return f'<td{marks} title="{escape(title)}">{escape(_short(result))}</td>'

    names = list(table.cells)
    caption = escape(f"{table.name}: {table.caption}" if table.caption else table.name)
    head = "".join(f'<th scope="col">{escape(short_name(n))}</th>' for n in names)
    rows = "".join(
        f'<tr><th scope="row">{escape(short_name(r))}</th>{"".join(cell(r, c) for c in names)}</tr>\n' for r in names
    )
    return (
        f'{_STYLE}<table class="promotion">\n<caption>{caption}</caption>\n'
        f"<thead><tr><th></th>{head}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n"
    )


def _as_json(table: Table) -> str:
    data: object = table.cells
    if table.other is not None:
        own, other = table.name, table.other_name
        if own == other:  # a name may be that of two files
            own, other = f"{own} (1)", f"{other} (2)"
        data = {own: table.cells, other: table.other, "differs": table.differences}
    rows = json.dumps(data, indent=1)
    return f"{rows}\n"


def _as_csv(table: Table) -> str:
    def cell(row: str, column: str) -> str:
        text = table.cells[row][column] or ""
        if table.differs(row, column) and table.other is not None:
            return f"{text or 'undefined'} ({table.other_name}: {table.other[row][column] or 'undefined'})"
        return text

    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["", *table.cells])
    writer.writerows([row, *(cell(row, column) for column in table.cells)] for row in table.cells)
    return out.getvalue()


FORMATS: Final[Mapping[str, Callable[[Table], str]]] = {
    "text": _as_text,
    "markdown": _as_markdown,
    "html": _as_html,
    "json": _as_json,
    "csv": _as_csv,
}
"""What writes a table, by the name of the format."""
