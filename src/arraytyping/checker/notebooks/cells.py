"""Which cell of a notebook a line of its program is, for messages."""

from __future__ import annotations

import bisect
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from typing_extensions import override

__all__ = [
    "Cells", "SessionCells", "cells_of", "forget_cells", "give_cells", "has_notebooks", "in_cells",
    "is_notebook", "line_text", "place_text",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Cells:
    """The cells of a program: their numbers among all of the notebook, from 1, and the line before each."""

    numbers: tuple[int, ...]
    before: tuple[int, ...]

    def of(self, line: int) -> tuple[int, int]:
        """The cell of a line of the program, and the line in it; both from 1."""
        at = bisect.bisect_left(self.before, line) - 1
        return (self.numbers[at], line - self.before[at]) if at >= 0 else (1, 1)

    def place(self, path: str, line: int) -> str:
        """A line of the program as messages show it."""
        cell, inside = self.of(line)
        return f"{path}:cell {cell}:{inside}"

    def line_text(self, line: int) -> str:
        """A line of the program as sentences name it."""
        cell, inside = self.of(line)
        return f"line {inside} of cell {cell}"


@dataclass(frozen=True, slots=True)
class SessionCells(Cells):
    """The cells of a session, of which a program has parts: those lines that are in no part are of its variables."""

    parts: tuple[tuple[int, int, int, int], ...] = ()
    """The first and the last line of each, the number of its cell, and the line in it."""

    @override
    def of(self, line: int) -> tuple[int, int]:
        """The cell of a line of the program, and the line in it; (0, 0) for one of the variables."""
        for first, last, cell, inside in self.parts:
            if first <= line <= last:
                return cell, line - first + inside
        return 0, 0

    @override
    def place(self, path: str, line: int) -> str:
        cell, inside = self.of(line)
        return f"In [{cell}]:{inside}" if cell else "the session"

    @override
    def line_text(self, line: int) -> str:
        cell, inside = self.of(line)
        return f"line {inside} of In [{cell}]" if cell else "the session"


_LINE: Final = re.compile(r"(\bin |\()line (\d+)\b")
_known: Final[dict[str, Cells]] = {}


def is_notebook(path: str | Path) -> bool:
    """Whether a file is a notebook by its name: one of Jupyter, or one that jupytext writes as Markdown."""
    return Path(path).suffix in (".ipynb", ".md")


def give_cells(path: str, cells: Cells) -> None:
    """Say what the cells of the notebook at a path are."""
    _known[os.path.realpath(path)] = cells


def forget_cells(path: str) -> None:
    """Say that there is no notebook at a path any more."""
    _known.pop(os.path.realpath(path), None)


def cells_of(path: str) -> Cells | None:
    """The cells of the notebook at a path; None if it is none."""
    return _known.get(os.path.realpath(path)) if _known else None


def has_notebooks() -> bool:
    """Whether any cells are known."""
    return bool(_known)


def place_text(path: str, line: int, column: int | None = None) -> str:
    """A place as messages show it: `train.py:6:21`, `train.ipynb:cell 3:6:21`; columns from 1."""
    cells = cells_of(path)
    place = f"{path}:{line}" if cells is None else cells.place(path, line)
    return place if column is None else f"{place}:{column}"


def line_text(path: str, line: int) -> str:
    """A line as sentences name it: `line 6`, `line 6 of cell 3`."""
    cells = cells_of(path)
    return f"line {line}" if cells is None else cells.line_text(line)


def in_cells(path: str, sentence: str) -> str:
    """A sentence about a file, with the lines of cells in the place of those of the program that a notebook is."""
    cells = cells_of(path)
    return sentence if cells is None else _LINE.sub(lambda m: m[1] + cells.line_text(int(m[2])), sentence)
