"""Programs that are cells, as notebooks are: their text says so."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["has_cells"]

_CELLS: Final = re.compile(r"^# ?(%%|In ?\[|\+$|COMMAND -)|get_ipython\(|^# jupy?text", re.M)


def has_cells(source: str) -> bool:
    """Whether a program is one of cells, at whose end an expression is shown."""
    return _CELLS.search(source) is not None
