"""Folders whose modules import one another by the folder's own name, as they do where it is run from the one above.

So are the projects of google-research written, and repositories that are a package by themselves.
"""

from __future__ import annotations

import functools
import itertools
from pathlib import Path
from typing import Final

from arraytyping.checker.flow.sources.project import files_under
from arraytyping.checker.imported_files import imported_names, read_or_nothing
from arraytyping.regular_files import is_file

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
        for file in itertools.islice(files_under(folder), _FILES)
        for name in imported_names(read_or_nothing(file))
        if name.startswith(start)
    }
    return bool(found) and all((folder / name).is_dir() or is_file(str(folder / f"{name}.py")) for name in found)
