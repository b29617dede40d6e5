"""What was found from each entry point, kept on disk: it is used again where nothing that it hangs on has changed.

That is: the text of every file that was read, where each imported module was found (or that it was not), the settings,
our own sources, and the versions of Python and of every installed package.  Files are written whole and renamed, so
that several runs may share a directory; what cannot be read is as if it were not there.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterable
from functools import cache
from importlib.metadata import distributions
from pathlib import Path
from typing import Final

import arraytyping
from arraytyping.flow.entry_points import EntryPoint
from arraytyping.flow.imports import Importer
from arraytyping.flow.interpreter import Limits
from arraytyping.flow.starting import Report
from arraytyping.settings import Settings

__all__ = ["DIRECTORY", "ReportCache"]

DIRECTORY: Final = ".arraytyping_cache"
_TAG: Final = (
    "Signature: 8a477f597d28d172789f06886806bc55\n"
    "# This file is a cache directory tag created by arraytyping; see https://bford.info/cachedir/\n"
)
_MOST_FILES: Final = 2000
"""Above this the oldest reports are removed."""


class ReportCache:
    """Keeps the reports of entry points in a directory."""

    def __init__(self, directory: Path, settings: Settings) -> None:
        self.directory = directory
        self.reused: int = 0
        self._settings = {**settings.fingerprint(), "flow": True, "entry_points": []}
        self._is_ready = False
        self._hashes: dict[str, str | None] = {}

    @staticmethod
    def of(settings: Settings) -> ReportCache:
        """That of a project: beside its configuration, or in the current directory."""
        home = Path.cwd() if settings.file is None else settings.file.resolve().parent
        return ReportCache(home / DIRECTORY, settings)

    def find(
        self,
        entry: EntryPoint,
        shown: dict[Path, str],
        limits: Limits | None,
        reached: Iterable[tuple[str, int]],
    ) -> Report | None:
        """What was found from an entry point, or None if it has to be followed; the arguments are those of `start`."""
        try:
            stored = json.loads(self._file(entry, reached, limits).read_bytes())
            if stored["shown"] != _shown(stored["files"], shown):
                return None
            if not self._holds(entry, stored["files"], stored["modules"]):
                return None
            report = Report.from_json(entry, stored["report"])
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None
        self.reused += 1
        return report

    def store(
        self, report: Report, shown: dict[Path, str], limits: Limits | None, reached: Iterable[tuple[str, int]]
    ) -> None:
        """Keep what was found; where that fails, the entry point is followed again the next time."""
        entry = report.entry
        files = sorted({*report.files, *(str(e.path.resolve()) for e in report.errors)})
        stored = {
            "files": {file: self._hash(file) for file in files},
            "shown": _shown(files, shown),
            "modules": report.modules,
            "report": report.to_json(),
        }
        file = self._file(entry, reached, limits)
        partial = file.with_suffix(f".{os.getpid()}")
        try:
            self._make_directory()
            partial.write_text(json.dumps(stored), encoding="utf-8")
            partial.replace(file)
        except (OSError, TypeError, ValueError):
            partial.unlink(missing_ok=True)

    def _holds(self, entry: EntryPoint, files: dict[str, str | None], modules: dict[str, str | None]) -> bool:
        """Whether every file reads as it did, and every module is found where it was."""
        if any(self._hash(file) != known for file, known in files.items()):
            return False
        importer = Importer(entry.roots)
        for name in modules:
            importer.find(name)
        return importer.searched == modules

    def _hash(self, file: str) -> str | None:
        if file not in self._hashes:
            try:
                self._hashes[file] = hashlib.sha256(Path(file).read_bytes()).hexdigest()
            except OSError:
                self._hashes[file] = None
        return self._hashes[file]

    def _file(self, entry: EntryPoint, reached: Iterable[tuple[str, int]], limits: Limits | None) -> Path:
        bounds = None if limits is None else {k: getattr(limits, k) for k in dir(limits) if not k.startswith("_")}
        key = {
            "entry": [entry.kind, entry.name, [[n, str(p)] for n, p in entry.modules], list(map(str, entry.roots))],
            "function": entry.function,
            # Only functions of the modules themselves are started from their annotations.
            "reached": sorted(_places(entry, reached)),
            "limits": bounds,
            "settings": self._settings,
            "directory": str(Path.cwd()),
            "environment": {
                k: v for k, v in sorted(os.environ.items()) if k.startswith("JAX_") and k != "JAX_PLATFORMS"
            },
            "versions": _versions(),
        }
        text = json.dumps(key, sort_keys=True, default=str)
        return self.directory / "flow" / f"{hashlib.sha256(text.encode()).hexdigest()[:32]}.json"

    def _make_directory(self) -> None:
        if self._is_ready:
            return
        folder = self.directory / "flow"
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in ((".gitignore", "*\n"), ("CACHEDIR.TAG", _TAG)):
            if not (file := self.directory / name).exists():
                file.write_text(text, encoding="utf-8")
        kept = sorted(folder.glob("*.json"), key=lambda f: f.stat().st_mtime)
        for file in kept[: max(0, len(kept) - _MOST_FILES)]:
            file.unlink(missing_ok=True)
        self._is_ready = True


def _shown(files: Iterable[str], shown: dict[Path, str]) -> list[list[str]]:
    """How these files are shown, where that is not by their path."""
    return [[file, shown[path]] for file in files if (path := Path(file)) in shown]


def _places(entry: EntryPoint, reached: Iterable[tuple[str, int]]) -> set[tuple[str, int]]:
    """The places that are in the modules of an entry point."""
    own = {str(path.resolve()) for _, path in entry.modules}
    return {place for place in reached if place[0] in own}


@cache
def _versions() -> list[str]:
    """What an answer hangs on besides the program: Python, our own sources, and whatever is installed."""
    digest = hashlib.sha256()
    top = arraytyping.__path__[0]
    for folder, folders, files in os.walk(top):
        folders.sort()
        for name in sorted(files):
            if name.endswith(".py"):
                digest.update(name.encode())
                digest.update(Path(folder, name).read_bytes())
    installed = sorted({f"{d.name} {d.version}" for d in distributions()})
    return [sys.version, digest.hexdigest(), *installed]
