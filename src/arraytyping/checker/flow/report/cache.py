"""What was found from each entry point, kept on disk: it is used again where nothing that it hangs on has changed.

Each is in a file that is named by what it was asked for and by what it was found from, so that the reports of several
branches lie beside one another.  What it was found from is the text of every file that was read, where each imported
module was found (or that it was not), the settings, our own sources, and the versions of Python and of every installed
package.  Files are written whole and renamed, so that several runs may share a directory; what cannot be read is as if
it were not there.

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
import time
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from arraytyping.checker.boundary.file import recording_path
from arraytyping.checker.flow.report.cache_key import cache_key
from arraytyping.checker.flow.report.kept_files import PARTIAL, SOURCE, keep_source, kept_source, make_file, write_whole
from arraytyping.checker.flow.report.moved_report import moved_report
from arraytyping.checker.flow.report.versions import versions
from arraytyping.checker.flow.sources.entry_points import EntryPoint
from arraytyping.checker.flow.sources.project import near
from arraytyping.checker.flow.sources.same_code import Moves, moves_between
from arraytyping.checker.flow.start.kept_report import Report
from arraytyping.checker.flow.state.limits import Limits
from arraytyping.checker.flow.syntax.module_search import ModuleSearch
from arraytyping.checker.settings import Settings
from arraytyping.regular_files import names_in, read_regular

__all__ = ["DIRECTORY", "DIRECTORY_VARIABLE", "ReportCache"]

DIRECTORY: Final = ".arraytyping_cache"
_TAG: Final = (
    "Signature: 8a477f597d28d172789f06886806bc55\n"
    "# This file is a cache directory tag created by arraytyping; see https://bford.info/cachedir/\n"
)
_NAME: Final = re.compile(r"([0-9a-f]{32})(?:-[0-9a-f]{16})?\.json")
"""Also that of earlier releases, which is removed with the others."""
_MOST_BYTES: Final = 512 * 1024 * 1024
_MOST_FILES: Final = 100_000
_MOST_TOGETHER: Final = 1024 * 1024 * 1024
"""Above these the reports are removed that were not used for longest."""
_MOST_ALIKE: Final = 16
"""So many reports of one entry point are looked at, the newest first."""
_MOST_MOVED: Final = 2
"""So many of them are looked at where files have changed."""
_DAY: Final = 86_400.0
_HOUR: Final = 3_600.0
DIRECTORY_VARIABLE: Final = "ARRAYTYPING_CACHE_DIR"


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
        """That which is configured, else one beside the configuration, or in the current directory."""
        if (given := os.environ.get(DIRECTORY_VARIABLE)) or settings.cache_dir is not None:
            directory = Path(given).expanduser() if given else Path(settings.cache_dir or "")
            return ReportCache(directory.resolve() / "arraytyping", settings)  # in which others may keep theirs
        home = Path.cwd() if settings.file is None else settings.file.resolve().parent
        return ReportCache(home / DIRECTORY, settings)

    def find(
        self,
        entry: EntryPoint,
        shown: dict[Path, str],
        limits: Limits | None,
        reached: Iterable[tuple[str, int]],
    ) -> Report | None:
        """What was found from an entry point, or None if it has to be followed; the arguments are those of `start`.

        It is found as well where files have changed in what nothing hangs on: then its places are moved.
        """
        places = _places(entry, reached)
        tries = _MOST_MOVED
        for file in self._known.get(self._key(entry, limits), ())[:_MOST_ALIKE]:
            with contextlib.suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
                inputs, _, found = _signed(file).partition(b"\n")
                stored = json.loads(inputs)
                if stored["shown"] != _shown(stored["files"], shown) or not self._finds(entry, stored["modules"]):
                    continue
                changed = [path for path, known in stored["files"].items() if self._hash(path) != known]
                if changed and not tries:
                    continue
                tries -= bool(changed)
                moves = self._moves(stored, changed)
                if moves is None or places != _moved_places(stored["reached"], moves):
                    continue
                data: dict[str, Any] | None = json.loads(found)
                if changed and data is not None:
                    data = moved_report(data, _by_name(moves, shown))
                if data is None:
                    continue
                report = Report.from_json(entry, data)
                self.reused += 1
                if changed:
                    self.store(report, shown, limits, reached)
                else:
                    _note_use(file)
                return report
        return None

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
            "reached": sorted(_places(entry, reached)),
            "unread": report.unread,
        }
        with contextlib.suppress(OSError, TypeError, ValueError):
            inputs = json.dumps(stored, sort_keys=True).encode()
            name = f"{self._key(entry, limits)}-{hashlib.sha256(inputs).hexdigest()[:16]}.json"
            file = self.directory / "flow" / name
            content = inputs + b"\n" + json.dumps(report.to_json()).encode()
            if (signature := _signature(file, content)) is not None and self._make_directory():
                write_whole(file, signature + b"\n" + content)
                for source in report.unread:
                    if digest := self._hash(source):
                        keep_source(file.parent, digest, Path(source))

    def _moves(self, stored: dict[str, Any], changed: list[str]) -> dict[str, Moves] | None:
        """Where things stand in the files that have changed; None if in one something has on which the report hangs."""
        found: dict[str, Moves] = {}
        for path in changed:
            digest, now, unread = stored["files"][path], self._hash(path), stored["unread"].get(path)
            if unread is None or digest is None or now is None:
                return None
            old, new = kept_source(self.directory / "flow", digest), read_regular(Path(path))
            if hashlib.sha256(new).hexdigest() != now:  # it changes just now
                return None
            moves = moves_between(Path(path), old, new, tuple(unread))
            if moves is None:
                return None
            found[path] = moves
        return found

    def _finds(self, entry: EntryPoint, modules: dict[str, str | None]) -> bool:
        """Whether every module is found where it was."""
        search = ModuleSearch(entry.roots)
        for name in modules:
            search.find(name)
        return search.searched == modules

    def _hash(self, file: str) -> str | None:
        if file not in self._hashes:
            try:
                self._hashes[file] = hashlib.sha256(read_regular(Path(file))).hexdigest()
            except OSError:
                self._hashes[file] = names_in(Path(file))
        return self._hashes[file]

    @cached_property
    def _known(self) -> dict[str, list[Path]]:
        """The files that are there, by what they were asked for, the newest first."""
        found: dict[str, list[os.DirEntry[str]]] = {}
        with contextlib.suppress(OSError), os.scandir(self.directory / "flow") as listed:
            for one in listed:
                if (named := _NAME.fullmatch(one.name)) is not None:
                    found.setdefault(named[1], []).append(one)
        return {key: [Path(one.path) for one in _newest_first(ones)] for key, ones in found.items()}

    @cached_property
    def _common(self) -> str:
        """What is the same for all entry points of a run."""
        common = {
            "settings": self._settings,
            "directory": str(Path.cwd()),
            "environment": {
                k: v for k, v in sorted(os.environ.items()) if k.startswith("JAX_") and k != "JAX_PLATFORMS"
            },
            "versions": versions(),
        }
        return hashlib.sha256(json.dumps(common, sort_keys=True, default=str).encode()).hexdigest()

    def _key(self, entry: EntryPoint, limits: Limits | None) -> str:
        bounds = None if limits is None else {k: getattr(limits, k) for k in dir(limits) if not k.startswith("_")}
        key = {
            "entry": _described(entry),
            "rest": None if entry.rest is None else _described(entry.rest),
            "recording": self._recording(entry),
            "limits": bounds,
            "common": self._common,
        }
        text = json.dumps(key, sort_keys=True, default=str)
        return hashlib.sha256(text.encode()).hexdigest()[:32]

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
                path.mkdir(parents=path is self.directory)
            if not stat.S_ISDIR(path.lstat().st_mode):
                return False
        for name, text in ((".gitignore", "*\n"), ("CACHEDIR.TAG", _TAG)):
            with contextlib.suppress(FileExistsError):
                make_file(self.directory / name, text.encode())
        _prune(folder)
        self._is_ready = True
        return True


def _newest_first(files: list[os.DirEntry[str]]) -> list[os.DirEntry[str]]:
    return files if len(files) == 1 else sorted(files, key=_last_use, reverse=True)


def _last_use(file: os.DirEntry[str]) -> float:
    try:
        return file.stat(follow_symlinks=False).st_mtime
    except OSError:  # another run has removed it
        return 0.0


def _note_use(file: Path) -> None:
    """Note that a report was used, about once a day."""
    with contextlib.suppress(OSError):
        if file.lstat().st_mtime < time.time() - _DAY:
            os.utime(file, follow_symlinks=False)


def _prune(folder: Path) -> None:
    """Remove the reports that were not used for longest where there are too many, and what a killed run has left."""
    kept: list[tuple[float, int, Path]] = []
    with os.scandir(folder) as listed:
        for one in listed:
            with contextlib.suppress(OSError):
                found = one.stat(follow_symlinks=False)
                if _NAME.fullmatch(one.name) or SOURCE.fullmatch(one.name):
                    kept.append((found.st_mtime, found.st_size, Path(one.path)))
                elif PARTIAL.fullmatch(one.name) and found.st_mtime < time.time() - _HOUR:
                    Path(one.path).unlink()
    kept.sort(key=lambda one: one[0], reverse=True)
    size = 0
    for number, (_, length, file) in enumerate(kept):
        size += length
        if number >= _MOST_FILES or size > _MOST_TOGETHER:
            with contextlib.suppress(OSError):
                file.unlink()


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


def _shown(files: Iterable[str], shown: dict[Path, str]) -> list[list[str]]:
    """How these files are shown, where that is not by their path."""
    return [[file, shown[path]] for file in files if (path := Path(file)) in shown]


def _described(entry: EntryPoint) -> dict[str, Any]:
    """What tells an entry point from others."""
    return {
        "entry": [entry.kind, entry.name, [[n, str(p)] for n, p in entry.modules], list(map(str, entry.roots))],
        "function": entry.function,
        "arguments": entry.arguments,
        "devices": entry.devices,
        "made": [sorted(entry.made), sorted(entry.complex_files), entry.classes.digest, entry.classes.is_closed],
        "called beside": sorted(entry.called_beside),
        "x64": entry.has_x64,
    }


def _by_name(moves: Mapping[str, Moves], shown: Mapping[Path, str]) -> dict[str, Moves]:
    """What has moved in files, by all names that a report has for them."""
    return {
        name: found
        for path, found in moves.items()
        for name in (path, str(near(Path(path))), shown.get(Path(path), path))
    }


def _moved_places(places: Iterable[tuple[str, int]], moves: Mapping[str, Moves]) -> set[tuple[str, int]]:
    """Where functions are that were reached."""
    return {(path, moves[path].lines.get(line) or 0 if path in moves else line) for path, line in places}


def _places(entry: EntryPoint, reached: Iterable[tuple[str, int]]) -> set[tuple[str, int]]:
    """The places that are in the modules of an entry point; only functions of these are started once more."""
    own = {str(path.resolve()) for _, path in entry.modules}
    return {place for place in reached if place[0] in own}
