"""What a project looks like: its files, where it is, and where modules are found."""

from __future__ import annotations

import hashlib
import os
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from arraytyping.checker.flow.sources.project_roots import above_packages, root_above
from arraytyping_mypy.own_sources import settled_at

__all__ = ["ProjectLook"]

_NEVER: Final = frozenset({"__pycache__", "node_modules"})
_CONFIGURED: Final = frozenset({"pyproject.toml", "setup.cfg"})
_MOST: Final = 20_000
"""A project of more files and folders is not looked at."""


class _NotKept(Exception):
    """What the decision hangs on is too much, or lies elsewhere."""


class ProjectLook:
    """What a project looks like: its files, where it is, and where modules are found.

    `roots` are the files and folders of the programs, `root` is the folder of the configuration, and `more` is what
    the decision hangs on besides.
    """

    def __init__(self, roots: Sequence[Path], root: Path | None, more: Iterable[object] = ()) -> None:
        self._count = 0
        self._settled = 0
        here = Path.cwd()
        around = [root or here]
        for given in roots:
            folder = given.resolve() if given.is_dir() else given.resolve().parent
            around += (folder, root_above(folder), above_packages(folder))
        trees = {path.resolve() for path in around}
        said = [str(here), *map(str, roots), *map(str, sorted(trees)), sys.version]
        # Of what lies in the project itself the files are looked at.
        said += (f"{p} {_written(Path(p))}" for p in sys.path if not trees & {*(q := Path(p).resolve()).parents, q})
        try:
            for tree in sorted(trees):
                if not any(other in trees for other in tree.parents):
                    said += self._files(str(tree))
        except (_NotKept, OSError):
            self.files: str = ""
            """What all files look like; empty where that is not known."""
        else:
            self.files = hashlib.sha256("\n".join(said).encode(errors="replace")).hexdigest()
        hung_on = "\n".join((self.files, *map(repr, more)))
        self.digest: Final = hashlib.sha256(hung_on.encode(errors="replace")).hexdigest() if self.files else ""
        """That and what else is given; empty where it is not kept."""

    @property
    def is_settled(self) -> bool:
        """Whether what was written last was written so long ago that it would look different if it were again."""
        return self._settled < time.time_ns()

    def _files(self, top: str) -> Iterator[str]:
        waiting = [top]
        while waiting:
            folder = waiting.pop()
            yield folder
            with os.scandir(folder) as found:
                entries = sorted(found, key=lambda entry: entry.name)
            if any(entry.name == "pyvenv.cfg" for entry in entries):
                continue
            self._count += len(entries)
            if self._count > _MOST:
                raise _NotKept
            for entry in entries:
                name = entry.name
                if entry.is_dir():
                    if name.startswith(".") or name in _NEVER:
                        continue
                    if entry.is_symlink():
                        raise _NotKept
                    waiting.append(entry.path)
                elif name.endswith(".py") or name in _CONFIGURED:
                    s = entry.stat()
                    self._settled = max(self._settled, settled_at(s))
                    yield f"{name} {s.st_size} {s.st_mtime_ns} {s.st_ctime_ns}"


def _written(path: Path) -> int:
    """When something was put into a folder where modules are found, or taken out of it."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0
