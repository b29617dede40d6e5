"""The Python files of a project that lie beside those that are checked, as its tests do where a package is.

They are looked for at each start of mypy, so that this imports next to nothing.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from arraytyping.checker.flow.sources.project_roots import has_marker, root_above
from arraytyping.checker.imported_files import folders_of_files

__all__ = ["files_beside"]

_MOST_FOLDERS: Final = 2000
_MOST_UNMARKED: Final = 64
"""So many folders are looked through where nothing says that they are a project: it may be somebody's home."""
_MOST_FILES: Final = 5000


def files_beside(roots: Iterable[Path], looked_in: set[str]) -> list[Path]:
    """The other files of the projects in which these files and folders lie; none where they are too many.

    The folders in which they were looked for are put into `looked_in`.
    """
    given = [Path(os.path.realpath(root)) for root in roots]
    folders = [path if path.is_dir() else path.parent for path in given]
    tops = {root_above(folder) for folder in folders}
    whole = {path for path in given if path.is_dir()}
    found: list[Path] = []
    for top in sorted(tops):
        if any(path in whole for path in (top, *top.parents)) or any(path in tops for path in top.parents):
            continue
        more = _files_below(top, whole, looked_in)
        if more is not None and len(found) + len(more) <= _MOST_FILES:
            found += more
    return [file for file in found if file not in given]


def _files_below(top: Path, without: set[Path], looked_in: set[str]) -> list[Path] | None:
    """The files in a folder and below, but for some folders; None where there are too many folders."""
    most = _MOST_FOLDERS if has_marker(top) else _MOST_UNMARKED
    seen: set[str] = set()
    found: list[Path] = []
    for number, (folder, names) in enumerate(_folders(top, without, seen)):
        if number >= most:
            return None
        found += (Path(folder, name) for name in names)
    looked_in |= seen
    return found


def _folders(top: Path, without: set[Path], looked_in: set[str]) -> Iterator[tuple[str, list[str]]]:
    for folder, inner, names in folders_of_files(top, looked_in):
        inner[:] = [name for name in inner if Path(folder, name) not in without]
        yield folder, names
