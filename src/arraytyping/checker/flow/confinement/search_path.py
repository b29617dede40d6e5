"""Where packages are imported from: where they are installed, and never from the program that is followed."""

from __future__ import annotations

import os
import sys
import sysconfig
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import arraytyping
from arraytyping.checker.flow.sources.project_roots import project_root

__all__ = ["import_installed_only", "is_of_program"]

_INSTALLED: Final = frozenset({"site-packages", "dist-packages"})
"""Where packages are installed, also those of other environments, to which `.pth` files lead."""
_projects: Final[set[Path]] = set()


def import_installed_only(paths: Iterable[Path]) -> None:
    """Take from the search path what lies in the projects of these paths, as `PYTHONPATH` may have put it there."""
    projects = {Path.cwd().resolve()}
    for path in paths:
        at = Path(os.path.realpath(path))
        projects |= {project_root(at), at if at.is_dir() else at.parent}
    _projects.clear()
    _projects.update(projects)
    own = Path(arraytyping.__path__[0]).resolve().parent
    names = ("stdlib", "platstdlib", "purelib", "platlib")
    kept = {own, *(Path(sysconfig.get_path(name)).resolve() for name in names)}

    def is_installed(entry: str) -> bool:
        at = Path(entry or ".").resolve()
        inside = at in projects or any(project in at.parents for project in projects)
        installed = at in kept or not _INSTALLED.isdisjoint(at.parts) or any(place in at.parents for place in kept)
        return not inside or installed

    sys.path[:] = [entry for entry in sys.path if is_installed(entry)]


def is_of_program(file: str) -> bool:
    """Whether a file, without links on the way to it, lies in the projects of what is followed.

    Hidden folders are no part of them: where nothing marks a project it may be all of a home, with the caches there.
    """
    at = Path(file)
    inside = (at.relative_to(project).parts for project in _projects if project in at.parents)
    return any(not any(part.startswith(".") for part in parts) for parts in inside)
