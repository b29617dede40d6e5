"""Notebooks that an editor has open: their cells as one program, and its places in them.

An editor names each cell by an address of its own, and counts lines in it.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from lsprotocol.types import Diagnostic, DiagnosticRelatedInformation, Location, Position, Range

from arraytyping.checker.notebooks.cells import Cells, give_cells
from arraytyping.checker.notebooks.magics import as_python, parses, unknown_cell
from arraytyping.checker.notebooks.reading import program_of_cells

__all__ = ["Notebook", "OpenCell", "OpenNotebooks", "notebook_file"]


class OpenCell(NamedTuple):
    """A cell of code: its address, its number among all cells, and its text."""

    uri: str
    number: int
    text: str


@dataclass
class Notebook:
    """The cells of an open notebook."""

    cells: Sequence[OpenCell] = ()
    program: str = ""
    _lines: Sequence[str] = ()
    """Of the program."""
    _before: Sequence[int] = ()
    """For each cell the number of lines before it."""
    _places: dict[str, Cells] = field(default_factory=dict)
    """By program, the one that is shown and the one before, where its lines are."""

    def change(self, cells: Iterable[OpenCell], edited: Collection[str]) -> None:
        """Take new cells, of which these are being written.

        One that is no Python otherwise may do anything, so that the others are followed all the same.
        """
        self.cells = [cell._replace(text=cell.text.replace("\r\n", "\n").replace("\r", "\n")) for cell in cells]
        given = [
            (c.number, c.text if c.uri in edited or parses(as_python(c.text)) else unknown_cell(c.text))
            for c in self.cells
        ]
        self.program, places = program_of_cells(given)
        self._lines, self._before = self.program.split("\n"), places.before
        self._places[self.program] = places

    def give_cells(self, followed: str, *paths: str) -> None:
        """Have the lines of the program that was followed named by their cells."""
        self._places = {text: cells for text, cells in self._places.items() if text in (followed, self.program)}
        for path in paths:
            give_cells(path, self._places.get(followed) or self._places[self.program])

    def inner(self, uri: str, position: Position) -> Position | None:
        """The place in the program of one in a cell; None where the line is no Python."""
        for cell, before in zip(self.cells, self._before):
            if cell.uri == uri:
                line = before + position.line
                shift = self._shift(cell, before, line)
                return None if shift is None else Position(line, max(position.character - shift, 0))
        return None

    def outer(self, place: Range) -> Location | None:
        """The place in its cell of one in the program; None where there is none in the text of the cell."""
        found = self._cell(place.start.line)
        if found is None:
            return None
        cell, before = found
        ends = [self._outer(cell, before, end) for end in (place.start, place.end)]
        start, end = ends
        return None if start is None or end is None else Location(cell.uri, Range(start, end))

    def around(self, place: Range) -> Location | None:
        """The same, or the whole line of the cell that became something else in the program."""
        found = self.outer(place) or self._cell(place.start.line)
        if found is None or isinstance(found, Location):
            return found
        cell, before = found
        lines = cell.text.split("\n")
        line = min(place.start.line - before, len(lines) - 1)
        return Location(cell.uri, Range(Position(line, 0), Position(line, _length(lines[line]))))

    def diagnostics(self, found: Iterable[Diagnostic], uri: str) -> dict[str, list[Diagnostic]]:
        """Those of the program, by the cells in which they are; of all cells."""
        by_cell: dict[str, list[Diagnostic]] = {cell.uri: [] for cell in self.cells}
        for d in found:
            where = self.around(d.range)
            if where is not None:
                d.range, d.related_information = where.range, [*self._related(d.related_information or (), uri)]
                by_cell[where.uri].append(d)
        return by_cell

    def _related(
        self, found: Iterable[DiagnosticRelatedInformation], uri: str
    ) -> Iterator[DiagnosticRelatedInformation]:
        for related in found:
            where = self.around(related.location.range) if related.location.uri == uri else related.location
            if where is not None:
                yield DiagnosticRelatedInformation(where, related.message)

    def _cell(self, line: int) -> tuple[OpenCell, int] | None:
        """The cell of a line of the program, and the number of lines before it."""
        return next((b for b in reversed([*zip(self.cells, self._before)]) if b[1] <= line), None)

    def _outer(self, cell: OpenCell, before: int, position: Position) -> Position | None:
        shift = self._shift(cell, before, position.line)
        return None if shift is None else Position(position.line - before, position.character + shift)

    def _shift(self, cell: OpenCell, before: int, line: int) -> int | None:
        """By how much a line of the program begins further to the left than in its cell; None if it is another one."""
        lines = cell.text.split("\n")
        if not 0 <= line - before < len(lines) or line >= len(self._lines):
            return None
        written, followed = lines[line - before], self._lines[line]
        if written == followed:
            return 0
        code = followed.strip()
        if code in ("", "pass") or code not in written:
            return None
        return _length(written[: written.index(code)]) - _length(followed[: followed.index(code)])


class OpenNotebooks:
    """The notebooks that an editor has open, by their addresses."""

    def __init__(self) -> None:
        self.by_uri: dict[str, Notebook] = {}
        self._of_cells: dict[str, str] = {}

    def change(self, uri: str, cells: Sequence[OpenCell], edited: Collection[str]) -> tuple[Notebook, set[str]]:
        """A notebook with new cells, of which these are being written, and the addresses of those that are gone."""
        notebook = self.by_uri.setdefault(uri, Notebook())
        gone = {cell.uri for cell in notebook.cells} - {cell.uri for cell in cells}
        for one in gone:
            self._of_cells.pop(one, None)
        self._of_cells.update({cell.uri: uri for cell in cells})
        notebook.change(cells, edited)
        return notebook, gone

    def close(self, uri: str) -> set[str]:
        """Forget a notebook; the addresses of its cells."""
        _, gone = self.change(uri, (), ())
        del self.by_uri[uri]
        return gone

    def of(self, uri: str) -> str:
        """The address of the notebook of a cell, or of a file itself."""
        return self._of_cells.get(uri, uri)


def _length(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def notebook_file(program: str) -> bytes:
    """A notebook with this program, whose first line is that of no cell, as the content of a file."""
    code = program.partition("\n")[2].removesuffix("\n")
    cell: dict[str, Any] = {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": code}
    return json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 4}).encode()
