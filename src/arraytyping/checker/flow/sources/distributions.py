"""Whether a project is one that others install and import: then its functions are called from elsewhere, too.

Source: https://packaging.python.org/en/latest/guides/writing-pyproject-toml/.
"""

from __future__ import annotations

import configparser
import tomllib
from pathlib import Path

from arraytyping.regular_files import read_regular_text

__all__ = ["is_distributed"]


def is_distributed(folder: Path) -> bool:
    """Whether a folder, or one that it is in as far as its repository goes, says how it is built or what it is called.

    A file that cannot be read counts as if it did.
    """
    for root in (folder, *folder.parents):
        if (root / "setup.py").exists() or _has_project(root / "pyproject.toml") or _has_metadata(root / "setup.cfg"):
            return True
        if (root / ".git").exists():
            return False
    return False


def _has_project(path: Path) -> bool:
    if not path.exists():
        return False
    try:
        document = tomllib.loads(read_regular_text(path))
    except (OSError, ValueError):
        return True
    tool = document.get("tool")
    return "project" in document or "build-system" in document or (isinstance(tool, dict) and "poetry" in tool)


def _has_metadata(path: Path) -> bool:
    if not path.exists():
        return False
    read = configparser.ConfigParser(interpolation=None)
    try:
        read.read_string(read_regular_text(path))
    except (OSError, ValueError, configparser.Error):
        return True
    return read.has_section("metadata")
