"""What was found from each entry point, kept on disk: it is used again where nothing that it hangs on has changed.

That is: the text of every file that was read, where each imported module was found (or that it was not), the settings,
our own sources, and the versions of Python and of every installed package.  Files are written whole and renamed, so
that several runs may share a directory; what cannot be read is as if it were not there.

The directory lies in a repository that others write to.  So each file is signed with a key of this user, links are not
followed, and only files of our own making are removed.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import json
import os
import re
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from arraytyping.checker.boundary.file import recording_path
from arraytyping.checker.flow.report.cache_key import cache_key
from arraytyping.checker.flow.report.versions import versions
from arraytyping.checker.flow.sources.entry_points import EntryPoint
from arraytyping.checker.flow.start.starting import Report
from arraytyping.checker.flow.state.interpreter import Limits
from arraytyping.checker.flow.syntax.imports import Importer
from arraytyping.checker.settings import Settings
from arraytyping.regular_files import read_regular

__all__ = ["DIRECTORY", "ReportCache"]

DIRECTORY: Final = ".arraytyping_cache"
_TAG: Final = (
    "Signature: 8a477f597d28d172789f06886806bc55\n"
    "# This file is a cache directory tag created by arraytyping; see https://bford.info/cachedir/\n"
)
_NAME: Final = re.compile(r"[0-9a-f]{32}\.json")
_MOST_BYTES: Final = 512 * 1024 * 1024
_MOST_FILES: Final = 2000
"""Above this the oldest reports are removed."""


class ReportCache:
    """Keeps the reports of entry points in a directory."""

    def __init__(self, directory: Path, settings: Settings) -> None:
        self.directory = directory
        self.reused: int = 0
        self._settings = {**settings.fingerprint(), "flow": True, "entry_points": [], "devices": []}
        self._settings["machine"] = list(settings.machine)
        self._recorded_in = settings.recording
        self._project = settings.project
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
            stored = json.loads(_signed(self._file(entry, reached, limits)))
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
        files = sorted({*report.files, *(os.path.realpath(e.path) for e in report.errors)})
        stored = {
            "files": {file: self._hash(file) for file in files},
            "shown": _shown(files, shown),
            "modules": report.modules,
            "report": report.to_json(),
        }
        file = self._file(entry, reached, limits)
        with contextlib.suppress(OSError, TypeError, ValueError):
            content = json.dumps(stored).encode()
            if (signature := _signature(file, content)) is not None and self._make_directory():
                _write(file, signature + b"\n" + content)

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
                self._hashes[file] = hashlib.sha256(read_regular(Path(file))).hexdigest()
            except OSError:
                self._hashes[file] = None
        return self._hashes[file]

    def _file(self, entry: EntryPoint, reached: Iterable[tuple[str, int]], limits: Limits | None) -> Path:
        bounds = None if limits is None else {k: getattr(limits, k) for k in dir(limits) if not k.startswith("_")}
        key = {
            "entry": [entry.kind, entry.name, [[n, str(p)] for n, p in entry.modules], list(map(str, entry.roots))],
            "function": entry.function,
            "arguments": entry.arguments,
            "devices": entry.devices,
            "recording": self._recording(entry),
            # Only functions of the modules themselves are started from their annotations.
            "reached": sorted(_places(entry, reached)),
            "limits": bounds,
            "settings": self._settings,
            "directory": str(Path.cwd()),
            "environment": {
                k: v for k, v in sorted(os.environ.items()) if k.startswith("JAX_") and k != "JAX_PLATFORMS"
            },
            "versions": versions(),
        }
        text = json.dumps(key, sort_keys=True, default=str)
        return self.directory / "flow" / f"{hashlib.sha256(text.encode()).hexdigest()[:32]}.json"

    def _recording(self, entry: EntryPoint) -> list[str | None]:
        """The file with recordings of an entry point, and what is in it."""
        file = recording_path(entry.path, self._recorded_in, self._project)
        return [] if file is None else [str(file.resolve()), self._hash(str(file))]

    def _make_directory(self) -> bool:
        """Make the directory, if it is not there; whether it is one of our own."""
        if self._is_ready:
            return True
        folder = self.directory / "flow"
        for path in (self.directory, folder):
            with contextlib.suppress(FileExistsError):
                path.mkdir()
            if not stat.S_ISDIR(path.lstat().st_mode):
                return False
        for name, text in ((".gitignore", "*\n"), ("CACHEDIR.TAG", _TAG)):
            with contextlib.suppress(FileExistsError):
                _make(self.directory / name, text.encode())
        kept = sorted((f for f in folder.iterdir() if _NAME.fullmatch(f.name)), key=lambda f: f.lstat().st_mtime)
        for file in kept[: max(0, len(kept) - _MOST_FILES)]:
            file.unlink(missing_ok=True)
        self._is_ready = True
        return True


def _signature(file: Path, content: bytes) -> bytes | None:
    """The signature of a content under a name; None if this user has no key."""
    key = cache_key()
    return None if key is None else hmac.new(key, file.name.encode() + b"\n" + content, "sha256").hexdigest().encode()


def _signed(file: Path) -> bytes:
    """What a file contains, if it was written by this user.

    Raises:
        OSError: if it cannot be read.
        ValueError: if it is not signed.
    """
    if any(stat.S_ISLNK(path.lstat().st_mode) for path in (file.parent.parent, file.parent)):
        raise ValueError("links are not followed")
    signature, _, content = read_regular(file, _MOST_BYTES, follow_links=False).partition(b"\n")
    expected = _signature(file, content)
    if expected is None or not hmac.compare_digest(signature, expected):
        raise ValueError("not signed by this user")
    return content


def _write(file: Path, data: bytes) -> None:
    """Write a file whole, or not at all."""
    partial = file.with_suffix(f".{os.getpid()}")
    _make(partial, data)
    try:
        partial.replace(file)
    except OSError:
        partial.unlink(missing_ok=True)
        raise


def _make(file: Path, data: bytes) -> None:
    """Write a new file; what is there already is left alone, a link too."""
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666), "wb") as made:
        try:
            made.write(data)
            made.flush()
        except OSError:  # the disk is full
            file.unlink(missing_ok=True)
            raise


def _shown(files: Iterable[str], shown: dict[Path, str]) -> list[list[str]]:
    """How these files are shown, where that is not by their path."""
    return [[file, shown[path]] for file in files if (path := Path(file)) in shown]


def _places(entry: EntryPoint, reached: Iterable[tuple[str, int]]) -> set[tuple[str, int]]:
    """The places that are in the modules of an entry point."""
    own = {str(path.resolve()) for _, path in entry.modules}
    return {place for place in reached if place[0] in own}
