"""The processes that stay for one entry point, from the outside: how they are asked, and which of them.

Of those that wait before the part of the program in which an edit was made the one that has come furthest is asked;
else the one that follows from the start.
"""

from __future__ import annotations

import ast
import base64
import contextlib
import json
import os
import selectors
import signal
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from arraytyping.checker.flow.report.lines import write_line
from arraytyping.checker.flow.report.serving import Superseded
from arraytyping.checker.flow.report.warm_inputs import Inputs, installed, state_of
from arraytyping.checker.flow.report.warm_process import Asked, Wires, live
from arraytyping.checker.flow.report.workers import processor_time
from arraytyping.checker.flow.sources.kept_sources import KeptSources
from arraytyping.checker.flow.sources.source_files import SourceError
from arraytyping.checker.flow.sources.unread_code import differing_lines, digest, is_same_program
from arraytyping.checker.flow.start.kept_report import Report
from arraytyping.regular_files import given_contents

__all__ = ["BrokenError", "WarmLine"]

_MOST_WAITING: Final = 6
"""So many processes wait for one entry point."""
_TICK: Final = 0.5
_IDLE: Final = 20.0
_CHUNK: Final = 1 << 20


class BrokenError(Exception):
    """The processes of an entry point are not as they should be."""


@dataclass
class WarmLine:
    """The processes of one entry point."""

    asked: Asked
    _sources: KeptSources
    _next: int | None
    """Where another question can be read, if one has come."""
    _tell_early: Callable[[dict[str, Any]], None]
    """Told of what is known of the edited part before all is."""
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
    _inputs: Inputs | None = None
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
        return is_same and self._packages == installed(asked)

    def follow(self, reached: frozenset[tuple[str, int]]) -> dict[str, Any]:
        """The answer to the question what the program does now.

        Raises:
            BrokenError: if there is none.
            OSError: if there is none.
            Superseded: if another question comes meanwhile; those that waited before go on waiting.
        """
        self._began = time.time()
        self._number += 1
        contents = {path: base64.b64encode(content).decode() for path, content in given_contents().items()}
        question = {"contents": contents, "reached": sorted(reached), **self._edited(), "number": self._number}
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
                raise BrokenError(answer["refused"])
            self._end_behind(place)
        raise BrokenError("nobody waits")

    def known(self, reached: frozenset[tuple[str, int]]) -> Report | None:
        """What was found the last time, if the program is the same but for comments; None if it is not."""
        if self._report is None or self._inputs is None or not self._inputs.hold(self.asked.entry, reached):
            return None
        try:
            for path, (text, tree) in self._texts.items():
                now, new = self._sources.read(Path(path))
                if now != text and not is_same_program(text, tree, now, new):
                    return None
        except SourceError:
            return None
        return self._report

    def took_in(self, report: Report, watched: dict[str, str], reached: frozenset[tuple[str, int]]) -> None:
        """Note what the answer was found from."""
        self._report, self._texts, self._files = None, {}, frozenset(report.files)
        with contextlib.suppress(SourceError):
            self._texts = {path: self._sources.read(Path(path)) for path in watched}
            is_of_these = all(digest(text) == watched[path] for path, (text, _) in self._texts.items())
            if is_of_these and report.is_complete and not report.stopped:
                self._report = report
        others = {*report.files} - {*watched}
        self._inputs = Inputs(reached, {file: state_of(file, self._began) for file in others}, report.modules)

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

    def _edited(self) -> dict[str, tuple[str, int] | None]:
        """Where the text is another one than was followed last: the first line, before which to wait, and the last."""
        with contextlib.suppress(OSError, SourceError):
            for path, (text, _) in self._texts.items():
                if (lines := differing_lines(text, self._sources.read(Path(path))[0])) is not None:
                    return {"focus": (path, lines[0]), "edited": (path, lines[1])}
        return {"focus": None, "edited": None}

    def _start(self, question: Mapping[str, Any]) -> None:
        self._packages = installed(self.asked)
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
            BrokenError: if whoever is at work ends without one, or waits for what never comes.
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
                        raise BrokenError("a process has ended")
                    if now != used or state not in "SDT":
                        used, busy = now, time.monotonic()
                    elif time.monotonic() - busy > _IDLE:
                        raise BrokenError("a process waits for what never comes")
                    continue
                data = os.read(self._says, _CHUNK)
                if not data:
                    raise BrokenError("all processes have ended")
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
                    if "early" in said:
                        self._tell_early(said["early"])
                    if "refused" in said:
                        return dict(said)
                    if "answer" in said:
                        if said["answer"]["failed"] is not None:
                            raise BrokenError(said["answer"]["failed"])
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


def _share_of_memory(pid: int) -> int:
    """The bytes that a process holds, what it shares divided among those that share it; 0 where that cannot be told."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))
    except (OSError, ValueError, LookupError, StopIteration):
        return 0
