"""The files that import one: a program that calls its functions knows what their parameters are."""

from __future__ import annotations

import re
from itertools import islice
from pathlib import Path
from typing import Final

from arraytyping.checker.file_selection import Selection
from arraytyping.regular_files import read_regular

__all__ = ["importers_of"]

_MOST_FILES: Final = 300
"""So many files of a folder are looked at."""
_MOST: Final = 3


def importers_of(path: Path, folder: Path) -> list[Path]:
    """Some files under a folder that may import the one at a path, the nearest first."""
    name = path.parent.name if path.name == "__init__.py" else path.stem
    if not name.isidentifier() or name == "__main__":
        return []
    pattern = re.compile(rb"^\s*(?:from|import)\b[^\n]*\b" + name.encode() + rb"\b", re.MULTILINE)
    found = []
    for file in islice(Selection(include=("*.py",)).files(folder), _MOST_FILES):
        try:
            if file != path and pattern.search(read_regular(file)):
                found.append(file)
        except OSError:
            continue
    return sorted(found, key=lambda f: (f.parent != path.parent, f))[:_MOST]
