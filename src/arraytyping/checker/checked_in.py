"""Whether an environment is part of a repository: what somebody has checked in is not run unasked."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from arraytyping.regular_files import read_regular

__all__ = ["holds_environment"]

_MOST_BYTES: Final = 200_000_000


def holds_environment(folder: Path) -> bool:
    """Whether the git repository around a folder tracks an environment (`pyvenv.cfg`)."""
    for directory in folder.absolute().parents:
        git = directory / ".git"
        try:
            if git.is_file():  # a worktree or a submodule
                git = directory / read_regular(git).decode("utf-8", "replace").removeprefix("gitdir:").strip()
            index = read_regular(git / "index", _MOST_BYTES)
        except (OSError, ValueError):
            continue
        # Version 4 leaves out what a path has in common with the one before.
        return (b"env.cfg" if index[4:8] == b"\0\0\0\4" else b"pyvenv.cfg") in index
    return False
