"""Which files of a directory are checked: what is included, and neither excluded nor ignored by git.

Patterns are those of `.gitignore`, relative to the directory of the configuration.  A file that is named is always
checked.

Source: https://git-scm.com/docs/gitignore, by the library pathspec.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from arraytyping.regular_files import read_regular

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

__all__ = ["DEFAULT_EXCLUDE", "DEFAULT_INCLUDE", "Selection"]

DEFAULT_EXCLUDE: Final = (".*/", "__pycache__", "node_modules", "site-packages", "dist-packages")
DEFAULT_INCLUDE: Final = ("*.py", "*.pyi", "*.ipynb")

_ALWAYS: Final = frozenset({"__pycache__", ".git", ".hg"})


class _Patterns(NamedTuple):
    exclude: tuple[str, ...] = DEFAULT_EXCLUDE
    extend_exclude: tuple[str, ...] = ()
    include: tuple[str, ...] = DEFAULT_INCLUDE
    respect_gitignore: bool = True
    root: Path = Path()


class Selection(_Patterns):
    """What is configured, and the directory that its patterns are relative to.

    At each start of mypy one is made, and a dataclass takes several times as long to import.
    """

    def files(self, path: Path) -> Iterator[Path]:
        """The files under a directory that are checked, sorted in each directory; a file is yielded as it is."""
        if not path.is_dir():
            yield path
            return
        ignored = _Ignored(path) if self.respect_gitignore else None
        # Paths are compared from the root of the patterns; what lies outside of it from where the search begins.
        top = Path(os.path.realpath(path))
        root = Path(os.path.realpath(self.root))
        offset = os.path.relpath(top, root)
        offset = "" if offset == "." or offset.startswith(os.pardir) else f"{Path(offset).as_posix()}/"
        for directory, directories, names in os.walk(path):
            inside = Path(os.path.relpath(directory, path)).as_posix()
            prefix = "" if inside == "." else f"{inside}/"
            here = Path(directory)
            if ignored is not None:
                ignored.enter(here, prefix)
            directories[:] = sorted(
                d for d in directories
                if d not in _ALWAYS
                and not (here / d / "pyvenv.cfg").exists()
                and not self._excluded.match_file(f"{offset}{prefix}{d}/")
                and not (ignored is not None and ignored.has(f"{prefix}{d}/"))
            )  # fmt: skip
            for name in sorted(names):
                shown = f"{offset}{prefix}{name}"
                if (
                    self._included.match_file(shown)
                    and not self._excluded.match_file(shown)
                    and not (ignored is not None and ignored.has(f"{prefix}{name}"))
                ):
                    yield here / name

    @cached_property
    def _excluded(self) -> GitIgnoreSpec:
        return _spec((*self.exclude, *self.extend_exclude))

    @cached_property
    def _included(self) -> GitIgnoreSpec:
        return _spec(self.include)


class _Ignored:
    """What the files `.gitignore` say of what lies under a directory, as it is walked through from the top."""

    def __init__(self, top: Path) -> None:
        self._specs: list[tuple[str, GitIgnoreSpec]] = []
        """The directory of each, as a prefix of paths from the top, the outer ones first."""
        self._above: list[tuple[str, GitIgnoreSpec]] = []
        """Those above the top: the path of the top from there, and what is said there."""
        real = Path(os.path.realpath(top))
        repository = next((d for d in (real, *real.parents) if (d / ".git").exists()), None)
        self._is_active = repository is not None
        if repository is None:
            return
        files = [(d, d / ".gitignore") for d in real.parents if repository == d or repository in d.parents]
        files.append((repository, repository / ".git" / "info" / "exclude"))
        for directory, file in sorted(files, key=lambda f: len(f[0].parts)):
            prefix = "" if directory == real else f"{real.relative_to(directory).as_posix()}/"
            spec = _read(file)
            if spec is not None and not (prefix and spec.match_file(prefix)):  # else it was asked for all the same
                self._above.append((prefix, spec))

    def enter(self, directory: Path, prefix: str) -> None:
        """Read what is said in a directory; what was said in others that are not above it does not hold."""
        self._specs = [(p, spec) for p, spec in self._specs if prefix.startswith(p) and p != prefix]
        if self._is_active and (spec := _read(directory / ".gitignore")) is not None:
            self._specs.append((prefix, spec))

    def has(self, path: str) -> bool:
        """Whether a path from the top is ignored: the nearest file that says anything decides."""
        for prefix, spec in reversed(self._specs):
            if (said := spec.check_file(path.removeprefix(prefix)).include) is not None:
                return bool(said)
        for prefix, spec in reversed(self._above):
            if (said := spec.check_file(f"{prefix}{path}").include) is not None:
                return bool(said)
        return False


def _spec(lines: Sequence[str]) -> GitIgnoreSpec:
    from pathspec import GitIgnoreSpec  # takes a while to import

    return GitIgnoreSpec.from_lines(lines)


def _read(file: Path) -> GitIgnoreSpec | None:
    try:
        return _spec(read_regular(file).decode(errors="replace").splitlines())
    except (OSError, ValueError):
        return None
