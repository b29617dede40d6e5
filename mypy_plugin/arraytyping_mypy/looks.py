"""What files and folders look like, so that it is seen later whether they are what they were.

A file is what it was if its size and times are.  A folder is if there are the same modules and folders in it, whatever
else is put there.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from typing import Final

from arraytyping_mypy.own_sources import settled_at

__all__ = ["Looks", "look_of"]

_DESCRIBING: Final = ("pyproject.toml", "setup.cfg", "setup.py")
_MARKING: Final = ("__init__.py", ".git", ".hg")
"""What says where a project begins and what it is: by its text, and by being there."""


class Looks:
    """What is looked at, and from when on that tells what is there."""

    def __init__(self) -> None:
        self._above: dict[str, str] = {}
        self._folders: dict[str, str] = {}
        self.settled = 0
        """From when on nothing of it can be written again without looking different, in nanoseconds."""

    def at(self, path: str) -> str:
        """The look of a file or folder; empty where nothing is there."""
        try:
            found = os.stat(path)  # noqa: PTH116  (paths are slow to make)
        except OSError:
            return ""
        self.settled = max(self.settled, settled_at(found))
        if found.st_mode & 0o170000 == 0o040000:
            return _modules_in(path)
        return f"{found.st_ino} {found.st_size} {found.st_mtime_ns} {found.st_ctime_ns}"

    def around(self, path: str) -> str:
        """What lies in the folder of a module and in those above that says of which project it is one."""
        folder = os.path.dirname(path)  # noqa: PTH120
        if folder not in self._folders:
            self._folders[folder] = self._in_and_above(os.path.realpath(folder or "."))
        return self._folders[folder]

    def _in_and_above(self, folder: str) -> str:
        known = self._above.get(folder)
        if known is None:
            parent = os.path.dirname(folder)  # noqa: PTH120
            said = [folder, "" if parent == folder else self._in_and_above(parent)]
            said += (self.at(f"{folder}{os.sep}{name}") for name in _DESCRIBING)
            said += (str(os.path.exists(f"{folder}{os.sep}{name}")) for name in _MARKING)  # noqa: PTH110
            known = self._above[folder] = look_of(said)
        return known


def look_of(said: Iterable[str]) -> str:
    """A digest of all that is said."""
    return hashlib.sha256("\n".join(said).encode(errors="replace")).hexdigest()


def _modules_in(folder: str) -> str:
    """What Python may find in a folder; where a link leads may change while the folder does not."""
    found = []
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                name = entry.name
                if name.endswith(".py") or "." not in name:
                    is_there = not entry.is_symlink() or os.path.exists(entry.path)  # noqa: PTH110
                    found.append(f"{name}{os.sep if entry.is_dir() else ''}{'' if is_there else '?'}")
    except OSError:
        return "unreadable"
    return f"folder {look_of(sorted(found))}"
