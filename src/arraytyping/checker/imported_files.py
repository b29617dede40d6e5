"""The Python files of programs: those that a file or folder stands for, and those that they import.

What is imported is read off the text of a line, without parsing and without the rules by which Python chooses one of
several files: none may be missing, and one too many does no harm.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Final

from arraytyping.regular_files import read_regular

__all__ = ["folders_of_files", "imported_names", "python_files", "read_or_nothing"]

_IMPORT: Final = re.compile(
    rb"^[ \t]*(?:from[ \t]+([.\w]+)[ \t]+import[ \t]+(\([^)]*\)|[^#\n]*)|import[ \t]+([^#\n]+))", re.M
)
_OWN: Final = f"{os.sep}__init__.py"
_SKIPPED: Final = frozenset(
    {"__pycache__", "build", "dist", "dist-packages", "env", "node_modules", "site-packages", "venv"}
)


def python_files(
    roots: Iterable[Path],
    places: Callable[[Path], Iterable[Path]] = lambda file: (),
    looked_in: set[str] | None = None,
) -> Iterator[tuple[Path, bytes]]:
    """The Python files that these roots stand for and those that they import, each once, in a fixed order.

    With each comes what is in it, read once; nothing where it cannot be read.

    What a file imports is looked for beside it, around its package, and in the `places` of that file.  The folders in
    which anything was looked for, be they there or not, are put into `looked_in`: nothing else can be found while there
    are the same names in them and the files are the same.
    """
    seen: set[str] = set()
    looked_in = set() if looked_in is None else looked_in
    search = _Search(looked_in)
    to_follow: list[Path] = []
    for root in roots:
        if root.is_dir():
            for directory, _, names in folders_of_files(root, looked_in):
                to_follow += (file for name in names if (file := Path(directory, name)).is_file())
        elif root.is_file():
            to_follow.append(root)
    while to_follow:
        file = to_follow.pop(0)
        if _new(str(file.parent), file.name, seen):
            source = read_or_nothing(file)
            yield file, source
            to_follow.extend(search.imported(file, source, places(file)))


def folders_of_files(top: Path, looked_in: set[str]) -> Iterator[tuple[str, list[str], list[str]]]:
    """The folders below one with the names of their folders, some of which may be taken away, and of their files.

    Those that hold no program are passed by; all others are put into `looked_in`.
    """
    for directory, inner, names in os.walk(top):
        looked_in.add(directory)
        inner[:] = sorted(n for n in inner if n not in _SKIPPED and not n.startswith("."))
        looked_in.update(os.path.join(directory, n) for n in inner)  # noqa: PTH118
        inner[:] = [n for n in inner if not Path(directory, n, "pyvenv.cfg").exists()]
        yield directory, inner, sorted(name for name in names if name.endswith(".py"))


def imported_names(source: bytes) -> Iterator[str]:
    """The dotted names by which a file may import modules, and what is in them; relative ones begin with dots."""
    for module, names, plain in _imports(source):
        yield from _modules(module.decode(), names.decode(errors="replace"), plain.decode(errors="replace"))


def _new(directory: str, name: str, seen: set[str]) -> bool:
    """Whether a file is met for the first time."""
    path = os.path.abspath(os.path.join(directory, name))  # noqa: PTH100, PTH118
    if path in seen:
        return False
    seen.add(path)
    return True


class _Search:
    """What was looked for so far: on texts, since paths are slow to join and to hash."""

    def __init__(self, looked_in: set[str]) -> None:
        self._looked_in = looked_in
        self._is_file = cache(os.path.isfile)
        self._is_folder = cache(os.path.isdir)
        self._met: set[tuple[str, str]] = set()
        """The dotted names that were looked for, with the places."""

    def imported(self, file: Path, source: bytes, more: Iterable[Path]) -> Iterator[Path]:
        """The files that a file's imports name, where they lie in a place in which they were not looked for before."""
        package = file.parent
        self._looked_in.add(str(package))
        while (package / "__init__.py").exists() and package != package.parent:
            package = package.parent
            self._looked_in.add(str(package))
        around = list(dict.fromkeys((file.parent, package, *more)))
        for name in imported_names(source):
            level = len(name) - len(name.lstrip("."))
            places = [file.parent.joinpath(*[".."] * (level - 1))] if level else around
            parts = [part for part in name.split(".") if part]
            dotted = ".".join(parts)
            for place in map(str, places):
                if (place, dotted) not in self._met:
                    self._met.add((place, dotted))
                    yield from map(Path, self._on_the_way(place, parts))

    def _on_the_way(self, stem: str, parts: Iterable[str]) -> Iterator[str]:
        """The files that Python may read for a dotted name in a folder."""
        self._looked_in.add(stem)
        if self._is_file(own := stem + _OWN):
            yield own
        for part in parts:
            stem = f"{stem}{os.sep}{part}"
            has_folder = self._is_folder(stem)
            if has_folder:
                self._looked_in.add(stem)
            if has_folder and self._is_file(own := stem + _OWN):
                yield own
            if self._is_file(module := stem + ".py"):
                yield module
            if not has_folder:
                return


def _imports(source: bytes) -> Iterator[tuple[bytes, bytes, bytes]]:
    """The parts of the lines that import something; only those with the word are looked at, which are few."""
    end = 0
    at = source.find(b"import")
    while at >= 0:
        start = source.rfind(b"\n", 0, at) + 1
        found = _IMPORT.match(source, start) if start >= end else None
        if found is not None:
            end = found.end()
            yield found[1] or b"", found[2] or b"", found[3] or b""
        at = source.find(b"import", max(at + 1, end))


def _modules(module: str, names: str, plain: str) -> Iterator[str]:
    """The modules that one line of import may name."""
    if module:
        yield module
        separator = "" if module.endswith(".") else "."
        yield from (module + separator + n for n in re.findall(r"(\w+)(?:\s+as\s+\w+)?\s*(?:,|$|\))", names))
    else:
        yield from (part.split()[0] for part in plain.split(",") if part.split())


def read_or_nothing(file: Path) -> bytes:
    """What is in a file; nothing where it cannot be read."""
    try:
        return read_regular(file)
    except OSError:
        return b""
