"""What the files of programs switch of JAX's configuration, and what is said of x64 for each file.

Most programs switch nothing.  They are asked at each start of mypy, so what follows the switches of others through
their imports, `x64_programs`, is not imported here.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cached_property
from pathlib import Path
from typing import Any, Final, NamedTuple

from arraytyping.checker.default_keys import environment_says_keys, mentions_keys
from arraytyping.checker.flow.sources.files_beside import files_beside
from arraytyping.checker.flow.sources.project_roots import above_packages, project_root
from arraytyping.checker.imported_files import imported_names, python_files, read_or_nothing
from arraytyping.checker.x64 import Evidence, X64Decision, differing, evidence_in, word

__all__ = ["ProgramsX64", "Switches", "is_loaded_with", "program_files", "switches_in"]

_NONE: Final[Mapping[Any, X64Decision]] = {}


class ProgramsX64:
    """What the programs of a build say of x64, by module and all together.

    `everywhere` is the decision where all programs say the same.
    """

    def __init__(
        self,
        everywhere: X64Decision | None = None,
        by_file: Mapping[Path, X64Decision] = _NONE,
        by_program: Mapping[str, X64Decision] = _NONE,
    ) -> None:
        self.everywhere: Final = everywhere
        self.by_file: Final = by_file
        self.by_program: Final = by_program
        self._by_text: dict[str, X64Decision] = {}

    def of(self, path: str) -> X64Decision:
        """The decision for the module in a file; a module that no program is known to reach may belong to any."""
        if self.everywhere is not None:
            return self.everywhere
        if path not in self._by_text:
            self._by_text[path] = self.by_file.get(Path(path).resolve()) or self._anywhere
        return self._by_text[path]

    @property
    def fingerprint(self) -> str:
        """What changes if the decision for a module does."""
        if self.everywhere is not None:
            return str(self.everywhere.value)
        switched = {str(file): str(d.value) for file, d in sorted(self.by_file.items()) if d.evidence}
        return hashlib.sha256(json.dumps(switched).encode()).hexdigest()

    @cached_property
    def _anywhere(self) -> X64Decision:
        return differing(list(self.by_program.values()))

    def __str__(self) -> str:
        """One sentence, by program only where they differ."""
        if self.everywhere is not None:
            return str(self.everywhere)
        said = []
        for value in (True, False, None):
            of_value = {n: d for n, d in self.by_program.items() if d.value is value}
            if of_value:
                reasons = list(dict.fromkeys(d.reason for d in of_value.values()))
                more = f", and {len(reasons) - 1} more" if len(reasons) > 1 else ""
                said.append(f"{word(value)} in {_listed(list(of_value))} ({reasons[0]}{more})")
        return f"x64: {'; '.join(said)}"


def _listed(names: Sequence[str]) -> str:
    """The names of programs, or how many there are."""
    return ", ".join(names) if len(names) <= 3 else f"{len(names)} programs"


class Switches(NamedTuple):
    """What the files of programs, and the environment, switch of JAX's configuration."""

    x64: Mapping[Path, list[Evidence]]
    """Where 64-bit types are switched, by file."""
    has_default_keys: bool
    """Whether nothing switches the implementation of random keys."""
    looked_at: frozenset[str] = frozenset()
    """The files that were read, and the folders in which they were looked for."""
    own: frozenset[Path] = frozenset()
    """The files that were given, and those that they import."""
    beside: Sequence[Path] = ()
    """The other files of the project: a program there may import what is checked."""


def switches_in(roots: Sequence[Path], environ: Mapping[str, str] | None = None) -> Switches:
    """What the programs in files and directories switch, and those beside them; each file is read once."""
    x64: dict[Path, list[Evidence]] = {}
    looked_at: set[str] = set()

    def mentions(file: Path, source: bytes) -> bool:
        """Note what a file switches; whether it mentions what switches keys."""
        looked_at.add(str(file))
        if found := evidence_in(file, source, environ):
            x64[file.resolve()] = found
        return mentions_keys(source)

    has_default_keys = not environment_says_keys(environ)
    own = set()
    for file, source in program_files(roots, looked_at):
        own.add(file.resolve())
        has_default_keys = not mentions(file, source) and has_default_keys
    beside = [file for file in files_beside(roots, looked_at) if file not in own]
    mentioning = [file for file in beside if mentions(file, read_or_nothing(file))]
    if has_default_keys and mentioning:
        has_default_keys = not _may_run(mentioning, beside, own)
    return Switches(x64, has_default_keys, frozenset(looked_at), frozenset(own), beside)


def _may_run(some: Sequence[Path], beside: Sequence[Path], own: Set[Path]) -> bool:
    """Whether some files that are not checked import what is, or the tests do for which they are a `conftest.py`."""
    if any(is_loaded_with(file, {folder for one in own for folder in one.parents}) for file in some):
        return True
    tests = {file.parent for file in some if file.name == "conftest.py"}
    users = {*some, *(file for file in beside if not tests.isdisjoint(file.parents))}
    names = set(map(_first_name, own))
    for file in users:
        for name in imported_names(read_or_nothing(file)):
            if (_first_name(file) if name.startswith(".") else name.partition(".")[0]) in names:
                return True
    return False


def _first_name(file: Path) -> str:
    """The first part of the name of a module."""
    parts = file.relative_to(above_packages(file.parent)).parts
    return parts[0].removesuffix(".py")


def is_loaded_with(file: Path, folders: Set[Path]) -> bool:
    """Whether a file is loaded though nothing imports it, with what lies in these folders."""
    return file.name in ("__init__.py", "conftest.py") and file.parent in folders


def program_files(roots: Sequence[Path], looked_in: set[str] | None = None) -> Iterator[tuple[Path, bytes]]:
    """The files of the programs in files and directories, with those that they import, and what is in each."""
    return python_files(roots, _places, looked_in)


def _places(file: Path) -> Iterator[Path]:
    """Where a file's imports may lie, besides beside it."""
    around = project_root(file.resolve())
    yield from (around / "src", around)
