"""Whether the programs enable x64, kept in mypy's cache for as long as no file or folder of the project changes.

To find it out each program is followed through what it imports, which takes seconds where many tests import one
package.  What it hangs on is looked at instead: the files of the project, as `own_sources` looks at ours.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from arraytyping.checker.flow.sources.project_roots import above_packages, root_above
from arraytyping.checker.flow.sources.x64_switches import ProgramsX64
from arraytyping.checker.x64 import Evidence, X64Decision
from arraytyping_mypy.own_sources import FRESH, keep

__all__ = ["Look", "kept_decision"]

_KEPT: Final = "arraytyping-x64"
_NEVER: Final = frozenset({"__pycache__", "node_modules"})
_CONFIGURED: Final = frozenset({"pyproject.toml", "setup.cfg"})
_MOST: Final = 20_000
"""A project of more files and folders is not looked at."""


class _NotKept(Exception):
    """What the decision hangs on is too much, or lies elsewhere."""


class Look:
    """What a project looks like: its files, where it is, and where modules are found.

    `roots` are the files and folders of the programs, `root` is the folder of the configuration, and `more` is what
    the decision hangs on besides.
    """

    def __init__(self, roots: Sequence[Path], root: Path | None, more: Iterable[object]) -> None:
        self._count = 0
        self._newest = 0
        here = Path.cwd()
        around = [root or here]
        for given in roots:
            folder = given.resolve() if given.is_dir() else given.resolve().parent
            around += (folder, root_above(folder), above_packages(folder))
        trees = {path.resolve() for path in around}
        said = [str(here), *map(str, roots), *map(str, sorted(trees)), sys.version, *map(repr, more)]
        # Of what lies in the project itself the files are looked at.
        said += (f"{p} {_written(Path(p))}" for p in sys.path if not trees & {*(q := Path(p).resolve()).parents, q})
        try:
            for tree in sorted(trees):
                if not any(other in trees for other in tree.parents):
                    said += self._files(str(tree))
        except (_NotKept, OSError):
            self.digest: str = ""
            """Empty where it is not kept."""
        else:
            self.digest = hashlib.sha256("\n".join(said).encode(errors="replace")).hexdigest()

    @property
    def is_settled(self) -> bool:
        """Whether what was written last was written so long ago that it would look different if it were again."""
        return self._newest < time.time_ns() - FRESH

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
                    self._newest = max(self._newest, s.st_mtime_ns, s.st_ctime_ns)
                    yield f"{name} {s.st_size} {s.st_mtime_ns} {s.st_ctime_ns}"


def _written(path: Path) -> int:
    """When something was put into a folder where modules are found, or taken out of it."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def kept_decision(cache_dir: str, look: Look, decide: Callable[[], ProgramsX64]) -> ProgramsX64:
    """The decision that is kept for a project that looks like this, else what it is decided to be."""
    file = Path(cache_dir, _KEPT)
    try:
        kept = json.loads(file.read_text("utf-8"))
        if look.digest and kept["look"] == look.digest:
            return _read(kept)
    except (OSError, ValueError, LookupError, TypeError):
        pass  # none is kept, or not by this release
    decided = decide()
    if look.digest and look.is_settled:
        keep(file, json.dumps({"look": look.digest, **_written_out(decided)}))
    return decided


def _written_out(programs: ProgramsX64) -> dict[str, Any]:
    """A decision for JSON: many files share few decisions, each of which is written once."""
    numbers: dict[X64Decision, int] = {}

    def number(decision: X64Decision) -> int:
        return numbers.setdefault(decision, len(numbers))

    return {
        "everywhere": None if programs.everywhere is None else number(programs.everywhere),
        "files": {str(file): number(decision) for file, decision in programs.by_file.items()},
        "programs": {name: number(decision) for name, decision in programs.by_program.items()},
        "decisions": list(numbers),
    }


def _read(kept: dict[str, Any]) -> ProgramsX64:
    decisions = [
        X64Decision(value, reason, tuple(Evidence(*one) for one in evidence), is_default)
        for value, reason, evidence, is_default in kept["decisions"]
    ]
    everywhere = kept["everywhere"]
    return ProgramsX64(
        None if everywhere is None else decisions[everywhere],
        {Path(file): decisions[number] for file, number in kept["files"].items()},
        {name: decisions[number] for name, number in kept["programs"].items()},
    )
