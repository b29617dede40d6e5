"""Entry points are followed again and again, after each edit, by processes that stay: from the outside.

For each entry point there are such processes as `warm_process` describes.  Which of them is asked: of those that wait
before the part of the program in which an edit was made the one that has come furthest; else the one that follows from
the start.  Where anything is not as it should be, all processes of the entry point are ended, and it is followed by a
worker that begins anew (`workers`), as without all this.

What was followed until a process waits holds as long as nothing has changed that was read: the texts of the program the
process compares itself, statement by statement; all other files are compared here, by their content, and where modules
are found.  All processes end with the installed packages that they have seen.
"""

from __future__ import annotations

import ast
import base64
import contextlib
import hashlib
import json
import os
import selectors
import signal
import sys
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from arraytyping.checker.flow.libraries.project_files import folders_below
from arraytyping.checker.flow.report.lines import write_line
from arraytyping.checker.flow.report.serving import Superseded
from arraytyping.checker.flow.report.warm_process import Asked, Wires, live
from arraytyping.checker.flow.report.workers import Workers, can_fork, processor_time
from arraytyping.checker.flow.sources.entry_points import EntryPoint
from arraytyping.checker.flow.sources.source_files import SourceError, read_source
from arraytyping.checker.flow.sources.unread_code import digest, first_difference, is_same_program
from arraytyping.checker.flow.start.kept_report import Report
from arraytyping.checker.flow.syntax.module_search import ModuleSearch
from arraytyping.regular_files import given_contents, names_in, read_regular

__all__ = ["WarmWorkers"]

_MOST_WAITING: Final = 6
"""So many processes wait for one entry point."""
_MOST_ENTRIES: Final = 6
"""For so many entry points processes wait: those of a file, and of the programs that import it."""
_MOST_FAILED: Final = 2
"""So often it is tried to follow an entry point so."""
_MOST_BYTES: Final = 600_000_000
"""So much memory may be held for one entry point, beside what its processes share with this one."""
_TICK: Final = 0.5
_IDLE: Final = 20.0
_CHUNK: Final = 1 << 20
_YOUNG: Final = 2.0
"""A file that was changed less than so many seconds before it was read may change without its time telling."""


_Parsed = dict[str, tuple[bytes, tuple[str, ast.Module]]]
"""The contents of files, with their texts and trees, by path."""


class WarmWorkers:
    """Follows entry points, one after the other, by processes that stay.

    `asked` is the pipe through which the next question comes: whatever is at work then is ended, and those that wait
    go on waiting.
    """

    def __init__(self, asked: int | None = None) -> None:
        self._asked = asked
        self.notes: set[str] = set()
        """What this system does not offer to confine a process."""
        self._lines: dict[EntryPoint, _Line] = {}
        self._parsed: _Parsed = {}
        self._failed: Counter[EntryPoint] = Counter()
        """How often the processes of an entry point were not as they should be."""

    def follow(self, entry: EntryPoint, reached: frozenset[tuple[str, int]], workers: Workers) -> Report | None:
        """What is found from an entry point, as these workers would; None if it cannot be followed so.

        Raises:
            Superseded: if another question comes meanwhile.
        """
        asked = Asked(entry, workers.shown, workers.settings, workers.limits)
        if self._failed[entry] >= _MOST_FAILED:
            return None
        line = self._lines.pop(entry, None)
        if line is not None and not line.is_for(asked):
            line.end()
            line = None
        if line is None:
            workers.warm_up()
            if not can_fork():
                return None
            while len(self._lines) >= _MOST_ENTRIES:
                self._lines.pop(next(iter(self._lines))).end()
            line = _Line(asked, self._parsed, self._asked)
        if (known := line.known(reached)) is not None:
            self._lines[entry] = line
            return known
        try:
            answer = line.follow(reached)
            report = Report.from_json(entry, answer["report"])
            self.notes.update(map(str, answer["notes"]))
        except Superseded:
            if line.is_alive:
                self._lines[entry] = line
            raise
        except (_Broken, OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            line.end()
            self._failed[entry] += 1
            return None
        line.took_in(report, answer["watched"], reached)
        if line.memory() > _MOST_BYTES:
            line.end()
        else:
            self._lines[entry] = line  # the one that was used last is the last one
        return report


class _Broken(Exception):
    """The processes of an entry point are not as they should be."""


@dataclass
class _Inputs:
    """What an answer was found from, other than the texts of the program."""

    reached: frozenset[tuple[str, int]]
    files: dict[str, Any]
    modules: dict[str, str | None]

    def hold(self, entry: EntryPoint, reached: frozenset[tuple[str, int]]) -> bool:
        """Whether all is as it was."""
        if reached != self.reached or any(_state(file, None) != known for file, known in self.files.items()):
            return False
        search = ModuleSearch(entry.roots)
        for name in self.modules:
            search.find(name)
        return search.searched == self.modules


@dataclass
class _Line:
    """The processes of one entry point."""

    asked: Asked
    _parsed: _Parsed
    _next: int | None
    """Where another question can be read, if one has come."""
    _number: int = 0
    """How often it was asked; what comes of another question is not listened to."""
    _is_first: bool = False
    """Whether the process that waits for all others follows itself."""
    _asks: list[int] = field(default_factory=list)
    _says: int = -1
    _waiting: list[int] = field(default_factory=list)
    """The processes that wait, in the order in which they came to wait, each forked from the one before."""
    _at_work: int = 0
    _unread: bytearray = field(default_factory=bytearray)
    _inputs: _Inputs | None = None
    _texts: dict[str, tuple[str, ast.Module]] = field(default_factory=dict)
    """The texts of the program as they were followed last, with their trees, by path."""
    _report: Report | None = None
    """What was found then."""
    _files: frozenset[str] = frozenset()
    """Those that were read then."""
    _packages: Any = None
    _began: float = 0.0
    """When what was asked last was asked."""
    _memory: tuple[int, int] = (0, 0)
    """The process that came last to wait, and how many bytes all that wait hold."""

    def is_for(self, asked: Asked) -> bool:
        """Whether they can answer what is asked: how files are shown that were not read changes nothing."""
        others = asked.shown.items() ^ self.asked.shown.items()
        is_same = replace(asked, shown=self.asked.shown) == self.asked and not any(
            str(f) in self._files for f, _ in others
        )
        return is_same and self._packages == _installed(asked)

    def follow(self, reached: frozenset[tuple[str, int]]) -> dict[str, Any]:
        """The answer to the question what the program does now.

        Raises:
            _Broken: if there is none.
            OSError: if there is none.
            Superseded: if another question comes meanwhile; those that waited before go on waiting.
        """
        self._began = time.time()
        self._number += 1
        contents = {path: base64.b64encode(content).decode() for path, content in given_contents().items()}
        question = {"contents": contents, "reached": sorted(reached), "focus": self._focus(), "number": self._number}
        self._is_first = not self._waiting
        if self._is_first:
            self._start(question)
            return self._listen()
        if len(self._waiting) >= _MOST_WAITING or (
            self._inputs is not None and not self._inputs.hold(self.asked.entry, reached)
        ):
            self._end_behind(1)
        waited = len(self._waiting)
        for place in reversed(range(waited)):
            write_line(self._asks[place], question)
            self._at_work = self._waiting[place]
            try:
                answer = self._listen()
            except Superseded:
                self._end_behind(waited)  # what these have read nobody compares
                raise
            if "refused" not in answer:
                return answer
            if place == 0:
                raise _Broken(answer["refused"])
            self._end_behind(place)
        raise _Broken("nobody waits")

    def known(self, reached: frozenset[tuple[str, int]]) -> Report | None:
        """What was found the last time, if the program is the same but for comments; None if it is not."""
        if self._report is None or self._inputs is None or not self._inputs.hold(self.asked.entry, reached):
            return None
        try:
            for path, (text, tree) in self._texts.items():
                now, new = self._read(path)
                if now != text and not is_same_program(text, tree, now, new):
                    return None
        except SourceError:
            return None
        return self._report

    def took_in(self, report: Report, watched: dict[str, str], reached: frozenset[tuple[str, int]]) -> None:
        """Note what the answer was found from."""
        self._report, self._texts, self._files = None, {}, frozenset(report.files)
        with contextlib.suppress(SourceError):
            self._texts = {path: self._read(path) for path in watched}
            is_of_these = all(digest(text) == watched[path] for path, (text, _) in self._texts.items())
            if is_of_these and report.is_complete and not report.stopped:
                self._report = report
        others = {*report.files} - {*watched}
        self._inputs = _Inputs(reached, {file: _state(file, self._began) for file in others}, report.modules)

    @property
    def is_alive(self) -> bool:
        """Whether processes wait."""
        return bool(self._waiting)

    def memory(self) -> int:
        """How many bytes the processes that wait hold, what they share divided among those that share it."""
        newest = self._waiting[-1] if self._waiting else 0
        if self._memory[0] != newest:
            self._memory = newest, sum(map(_share_of_memory, self._waiting))
        return self._memory[1]

    def end(self) -> None:
        """End all processes."""
        for pid in self._waiting[:1]:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)  # and with it, one after the other, those that were forked from it
            with contextlib.suppress(OSError):
                os.waitpid(pid, 0)
        for file in (*self._asks, self._says):
            with contextlib.suppress(OSError):
                os.close(file)
        self._waiting, self._asks, self._says = [], [], -1

    def _focus(self) -> tuple[str, int] | None:
        """Where the text is another one than was followed last."""
        with contextlib.suppress(OSError, SourceError):
            for path, (text, _) in self._texts.items():
                if (line := first_difference(text, self._read(path)[0])) is not None:
                    return path, line
        return None

    def _read(self, path: str) -> tuple[str, ast.Module]:
        """The text of a file and its tree, which is not parsed again while the text is the same.

        Raises:
            SourceError: if it cannot be read.
        """
        try:
            data = read_regular(Path(path))
        except OSError as error:
            raise SourceError(Path(path), 1, str(error.strerror)) from None
        known = self._parsed.get(path)
        if known is None or known[0] != data:
            known = self._parsed[path] = (data, read_source(Path(path)))
        return known[1]

    def _start(self, question: Mapping[str, Any]) -> None:
        self._packages = _installed(self.asked)
        pipes = [os.pipe() for _ in range(_MOST_WAITING)]
        self._asks = [write for _, write in pipes]
        self._says, says = os.pipe()
        parent = os.getpid()
        pid = os.fork()
        if pid == 0:
            with contextlib.suppress(BaseException):
                signal.signal(signal.SIGINT, signal.SIG_IGN)
                live(self.asked, Wires(tuple(read for read, _ in pipes), says), question, parent)
            os._exit(70)
        for read, _ in pipes:
            os.close(read)
        os.close(says)
        self._waiting = [pid]
        self._at_work = pid

    def _listen(self) -> dict[str, Any]:
        """What comes of a question: an answer, or that it is refused.

        Raises:
            _Broken: if whoever is at work ends without one, or waits for what never comes.
            Superseded: if another question comes.
        """
        used, busy = -1, time.monotonic()
        with selectors.DefaultSelector() as selector:
            selector.register(self._says, selectors.EVENT_READ)
            if self._next is not None:
                selector.register(self._next, selectors.EVENT_READ)
            while True:
                ready = {key.fd for key, _ in selector.select(_TICK)}
                if self._next in ready:
                    if self._leave():
                        raise Superseded
                    if self._says not in ready:
                        time.sleep(0.001)  # until the process that has been forked for the question says so
                        continue
                if not ready:
                    state, now = processor_time(self._at_work)
                    if state in "ZX" or now < 0:
                        raise _Broken("a process has ended")
                    if now != used or state not in "SDT":
                        used, busy = now, time.monotonic()
                    elif time.monotonic() - busy > _IDLE:
                        raise _Broken("a process waits for what never comes")
                    continue
                data = os.read(self._says, _CHUNK)
                if not data:
                    raise _Broken("all processes have ended")
                self._unread += data
                while b"\n" in data:
                    line, _, rest = bytes(self._unread).partition(b"\n")
                    self._unread = bytearray(rest)
                    data = rest
                    try:
                        said = json.loads(line)
                    except ValueError:  # of a process that was ended while it wrote
                        continue
                    if said["number"] != self._number:
                        continue
                    if "waits" in said:
                        del self._waiting[said["place"] :]
                        self._waiting.append(said["waits"])
                    self._at_work = said.get("at_work", self._at_work)
                    if "refused" in said:
                        return dict(said)
                    if "answer" in said:
                        if said["answer"]["failed"] is not None:
                            raise _Broken(said["answer"]["failed"])
                        return dict(said["answer"])

    def _leave(self) -> bool:
        """End whoever is at work, if that is nobody who waits for more than this question."""
        if self._is_first:
            self.end()
            return True
        if self._at_work in self._waiting:
            return False
        with contextlib.suppress(OSError):
            if os.getpgid(self._at_work) == os.getpgrp():
                os.kill(self._at_work, signal.SIGKILL)
        return True

    def _end_behind(self, place: int) -> None:
        """End the processes that wait from this place on, which were each forked from the one before."""
        for pid in self._waiting[place : place + 1]:
            with contextlib.suppress(OSError):
                if os.getpgid(pid) == os.getpgrp():
                    os.kill(pid, signal.SIGKILL)
        del self._waiting[place:]


def _state(file: str, read: float | None) -> Any:
    """The content of a file, as something that differs where it does; of a long one its size and time.

    One that was read from this time on may have been another one then, if it is not older.
    """
    try:
        if file not in given_contents():
            found = os.stat(file)  # noqa: PTH116
            if read is not None and found.st_mtime > read - _YOUNG:
                return object()  # which is like nothing else
            if found.st_size > _CHUNK:
                return found.st_size, found.st_mtime_ns, found.st_ino
        return hashlib.sha256(read_regular(Path(file))).hexdigest()
    except OSError as error:
        return type(error).__name__, names_in(Path(file))


def _installed(asked: Asked) -> list[tuple[str, int]]:
    """The directories from which packages are imported or stand-ins taken, and when something was put into them."""
    found = []
    for place in (*sys.path, *(str(f) for folder in asked.settings.stand_ins for f in folders_below(folder))):
        with contextlib.suppress(OSError):
            found.append((place, os.stat(place or ".").st_mtime_ns))  # noqa: PTH116
    return found


def _share_of_memory(pid: int) -> int:
    """The bytes that a process holds, what it shares divided among those that share it; 0 where that cannot be told."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))
    except (OSError, ValueError, LookupError, StopIteration):
        return 0
