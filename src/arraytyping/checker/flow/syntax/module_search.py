"""Where the program's own modules are: under its roots, by their paths; nothing of them is read."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

import arraytyping
from arraytyping.checker.flow.real_calls.library_imports import LIBRARIES
from arraytyping.checker.flow.sources.installed_sources import LibrarySource, find_library, module_at
from arraytyping.checker.flow.sources.own_folders import imports_itself

__all__ = ["ModuleSearch"]

_OURS: Final = Path(arraytyping.__file__).resolve().parent
_DEPTH: Final = 3
"""How far below a folder the modules may lie that make it a namespace package."""


class ModuleSearch:
    """The files of modules, by name; `roots` are the directories under which they are looked for."""

    def __init__(self, roots: tuple[Path, ...]) -> None:
        self.roots = roots
        self._found: dict[str, tuple[Path, bool] | None] = {}

    def find(self, name: str) -> tuple[Path, bool] | None:
        """The file of a module of the program, and whether it is a package's; None if it has none."""
        if name not in self._found:
            self._found[name] = self._find(name)
        return self._found[name]

    @property
    def searched(self) -> dict[str, str | None]:
        """Where each module that was looked for was found."""
        return {name: None if found is None else str(found[0].resolve()) for name, found in self._found.items()}

    def _find(self, name: str) -> LibrarySource | None:
        parts = name.split(".")
        if not all(parts) or parts[0] in sys.builtin_module_names:
            return None
        # Only the first root comes before Python's own library in the search path.
        roots = self.roots[:1] if parts[0] in sys.stdlib_module_names else self.roots
        for root in roots:
            if (found := module_at(root.joinpath(*parts))) is not None:
                # What is running here is a library to every program, also to those in our own repository.
                return None if found.path.resolve().is_relative_to(_OURS) else found
        # The program's own sources of a library may have parts without an `__init__.py`.
        is_own = len(parts) > 1 and self.find(parts[0]) is not None
        if not is_own and (parts[0] in LIBRARIES or parts[0] in sys.stdlib_module_names):
            return None
        is_installed = find_library(parts[0]) is not None
        for root in roots:  # a namespace package comes after all others
            base = root.joinpath(*parts)
            if base.is_dir() and _has_modules(base, _DEPTH if is_own or not is_installed else 0):
                return LibrarySource(base, True)
        return None if is_installed else self._find_by_folder(parts)

    def _find_by_folder(self, parts: list[str]) -> LibrarySource | None:
        """A module by the name of a root itself: its modules import one another so if it is run from the folder above.

        Nothing else is looked for there: what lies beside a repository is no part of it.
        """
        for root in self.roots:
            folder = root.resolve()
            if folder.name != parts[0] or not imports_itself(folder):
                continue
            place = folder.parent.joinpath(*parts)
            if (found := module_at(place)) is not None:
                return found
            if place.is_dir() and _has_modules(place, _DEPTH):
                return LibrarySource(place, True)
        return None


def _has_modules(folder: Path, depth: int) -> bool:
    """Whether there is a module in a folder, or so many folders below it."""
    return any(any(folder.glob("*/" * below + "*.py")) for below in range(depth + 1))
