"""Which cell of a notebook a line of its program is, for messages."""

from __future__ import annotations

import bisect
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

__all__ = ["Cells", "cells_of", "give_cells", "has_notebooks", "line_text", "place_text"]


@dataclass(frozen=True, slots=True)
class Cells:
    """The cells of a program: their numbers among all of the notebook, from 1, and the line before each."""

    numbers: tuple[int, ...]
    before: tuple[int, ...]

    def of(self, line: int) -> tuple[int, int]:
        """The cell of a line of the program, and the line in it; both from 1."""
        at = bisect.bisect_left(self.before, line) - 1
        return (self.numbers[at], line - self.before[at]) if at >= 0 else (1, 1)


_known: Final[dict[str, Cells]] = {}


def give_cells(path: str, cells: Cells) -> None:
    """Say what the cells of the notebook at a path are."""
    _known[os.path.realpath(path)] = cells


def cells_of(path: str) -> Cells | None:
    """The cells of the notebook at a path; None if it is none."""
    return _known.get(os.path.realpath(path)) if _known else None


def has_notebooks() -> bool:
    """Whether any cells are known."""
    return bool(_known)


def place_text(path: str, line: int, column: int | None = None) -> str:
    """A place as messages show it: `train.py:6:21`, `train.ipynb:cell 3:6:21`; columns from 1."""
    cells = cells_of(path)
    parts: Sequence[object] = (path, line) if cells is None else (path, f"cell {cells.of(line)[0]}", cells.of(line)[1])
    return ":".join(map(str, parts if column is None else (*parts, column)))


def line_text(path: str, line: int) -> str:
    """A line as sentences name it: `line 6`, `line 6 of cell 3`."""
    cells = cells_of(path)
    return f"line {line}" if cells is None else "line {1} of cell {0}".format(*cells.of(line))
