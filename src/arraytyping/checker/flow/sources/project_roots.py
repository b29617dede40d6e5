"""The directory of the project that a file belongs to."""

from __future__ import annotations

from pathlib import Path
from typing import Final

__all__ = ["above_packages", "has_marker", "project_root", "root_above"]

_MARKERS: Final = ("pyproject.toml", "setup.py", "setup.cfg", ".git", ".hg")


def project_root(path: Path) -> Path:
    """The directory of the project around a file; without any sign of one its own, above its package."""
    return root_above(path.parent)


def root_above(first: Path) -> Path:
    """The directory of the project around a directory."""
    for directory in (first, *first.parents):
        if has_marker(directory):
            return directory
    return above_packages(first)


def has_marker(directory: Path) -> bool:
    """Whether something says that a directory is that of a project."""
    return any((directory / marker).exists() for marker in _MARKERS)


def above_packages(folder: Path) -> Path:
    """The directory around the packages that one lies in."""
    while (folder / "__init__.py").is_file() and folder != folder.parent:
        folder = folder.parent
    return folder
