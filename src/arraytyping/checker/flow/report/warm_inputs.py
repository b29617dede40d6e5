"""What an answer about a program was found from, other than its texts, and whether that is as it was."""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from arraytyping.checker.flow.libraries.project_files import folders_below
from arraytyping.checker.flow.report.warm_process import Asked
from arraytyping.checker.flow.sources.entry_points import EntryPoint
from arraytyping.checker.flow.syntax.module_search import ModuleSearch
from arraytyping.regular_files import given_contents, names_in, read_regular

__all__ = ["Inputs", "installed", "state_of"]

_LONG: Final = 1 << 20
"""A file of more bytes is not read for its state."""
_YOUNG: Final = 2.0
"""A file that was changed less than so many seconds before it was read may change without its time telling."""


@dataclass
class Inputs:
    """What an answer was found from, other than the texts of the program."""

    reached: frozenset[tuple[str, int]]
    files: dict[str, Any]
    modules: dict[str, str | None]

    def hold(self, entry: EntryPoint, reached: frozenset[tuple[str, int]]) -> bool:
        """Whether all is as it was."""
        if reached != self.reached or any(state_of(file, None) != known for file, known in self.files.items()):
            return False
        search = ModuleSearch(entry.roots)
        for name in self.modules:
            search.find(name)
        return search.searched == self.modules


def state_of(file: str, read: float | None) -> Any:
    """The content of a file, as something that differs where it does; of a long one its size and time.

    One that was read from this time on may have been another one then, if it is not older.
    """
    try:
        if file not in given_contents():
            found = os.stat(file)  # noqa: PTH116
            if read is not None and found.st_mtime > read - _YOUNG:
                return object()  # which is like nothing else
            if found.st_size > _LONG:
                return found.st_size, found.st_mtime_ns, found.st_ino
        return hashlib.sha256(read_regular(Path(file))).hexdigest()
    except OSError as error:
        return type(error).__name__, names_in(Path(file))


def installed(asked: Asked) -> list[tuple[str, int]]:
    """The directories from which packages are imported or stand-ins taken, and when something was put into them."""
    found = []
    for place in (*sys.path, *(str(f) for folder in asked.settings.stand_ins for f in folders_below(folder))):
        with contextlib.suppress(OSError):
            found.append((place, os.stat(place or ".").st_mtime_ns))  # noqa: PTH116
    return found
