"""Folders whose modules import one another by the folder's own name, as they do where it is run from the one above.

So are the projects of google-research written, and repositories that are a package by themselves.
"""

from __future__ import annotations

import functools
import itertools
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from arraytyping.checker.file_selection import DEFAULT_EXCLUDE
from arraytyping.checker.imported_files import imported_names
from arraytyping.regular_files import is_file, read_regular

__all__ = ["imports_itself"]

_FILES: Final = 200
"""How many files of a folder are read to find out."""


@functools.cache
def imports_itself(folder: Path) -> bool:
    """Whether the files in a folder import modules by its name, all of which lie in it.

    `torch/bench.py`, which imports `torch.nn`, is none: there is no `torch/nn.py`.
    """
    start = f"{folder.name}."
    found = {
        name.split(".")[1]
        for file in itertools.islice(_files(folder), _FILES)
        for name in imported_names(_read(file))
        if name.startswith(start)
    }
    return bool(found) and all((folder / name).is_dir() or is_file(str(folder / f"{name}.py")) for name in found)


def _files(folder: Path) -> Iterator[Path]:
    for directory, inner, names in os.walk(folder):
        inner[:] = sorted(name for name in inner if name not in DEFAULT_EXCLUDE and not name.startswith("."))
        yield from (Path(directory, name) for name in sorted(names) if name.endswith(".py"))


def _read(file: Path) -> bytes:
    try:
        return read_regular(file)
    except OSError:
        return b""
