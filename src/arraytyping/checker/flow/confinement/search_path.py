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

__all__ = ["import_installed_only"]

_INSTALLED: Final = frozenset({"site-packages", "dist-packages"})
"""Where packages are installed, also those of other environments, to which `.pth` files lead."""


def import_installed_only(paths: Iterable[Path]) -> None:
    """Take from the search path what lies in the projects of these paths, as `PYTHONPATH` may have put it there."""
    projects = {Path.cwd().resolve()}
    for path in paths:
        at = Path(os.path.realpath(path))
        projects |= {project_root(at), at if at.is_dir() else at.parent}
    own = Path(arraytyping.__path__[0]).resolve().parent
    names = ("stdlib", "platstdlib", "purelib", "platlib")
    kept = {own, *(Path(sysconfig.get_path(name)).resolve() for name in names)}

    def is_installed(entry: str) -> bool:
        at = Path(entry or ".").resolve()
        inside = at in projects or any(project in at.parents for project in projects)
        installed = at in kept or not _INSTALLED.isdisjoint(at.parts) or any(place in at.parents for place in kept)
        return not inside or installed

    sys.path[:] = [entry for entry in sys.path if is_installed(entry)]
