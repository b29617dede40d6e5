"""Entry points are followed by worker processes, one for each, forked from this process once the libraries are loaded.

A program can make what follows it take all memory, hang or die.  That costs the answer to this one entry point: it is
reported as stopped, with the reason.  A worker gives its answer as JSON through a pipe, and has no other way to this
process; it ends when this process does.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import selectors
import signal
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NoReturn

from arraytyping.checker.flow.confinement import confine
from arraytyping.checker.flow.confinement.limits import allow_cpu_seconds, allow_devices, limit_worker
from arraytyping.checker.flow.real_calls.library_imports import LIBRARIES, import_library
from arraytyping.checker.flow.report.child import raise_if_interrupted
from arraytyping.checker.flow.report.exercise import exercise
from arraytyping.checker.flow.report.jobs import SMALLEST_ROOM, available_memory
from arraytyping.checker.flow.sources.entry_points import EntryPoint
from arraytyping.checker.flow.start.program import load_libraries
from arraytyping.checker.flow.start.starting import Report, start
from arraytyping.checker.flow.state.limits import Limits
from arraytyping.checker.garbage import collect_seldom, freeze
from arraytyping.checker.settings import Settings
from arraytyping.checker.swallowed import swallow

__all__ = ["Workers", "can_fork", "processor_time"]

_TICK: Final = 0.5
_LOOKS: Final = 5
_WAIT: Final = 0.01
"""How often, and after how many seconds again, it is looked whether this process is alone with its thread."""
_IDLE: Final = 20.0
"""A worker that has not used the processor for so many seconds waits for what never comes."""
_KILLED: Final = "its process was killed (SIGKILL), as a system does that has no memory left"
_LONGEST_ANSWER: Final = 512 * 1024 * 1024
_THREADS: Final = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


def can_fork() -> bool:
    """Whether this process may be forked: it is alone with its thread, and the system forks soundly."""
    if sys.platform != "linux":
        return False
    for _ in range(_LOOKS):
        try:
            if len(list(Path("/proc/self/task").iterdir())) == 1:
                return True
        except OSError:
            return False
        if threading.active_count() > 1:
            return False
        time.sleep(_WAIT)  # a thread that has ended may still be there for a moment
    return False


@dataclass
class _Worker:
    """A process that follows an entry point."""

    entry: EntryPoint
    pid: int
    pipe: int
    began: float
    busy: float
    """When it was last seen to use the processor."""
    is_alone: bool
    """Whether no other one is at work with it."""
    used: int = -1
    answer: bytearray = field(default_factory=bytearray)
    why: str = ""
    """Why it was stopped by this process."""


class Workers:
    """Follows entry points in worker processes, so many at a time."""

    def __init__(
        self, shown: dict[Path, str], settings: Settings, limits: Limits | None, jobs: int, imports: Iterable[str]
    ) -> None:
        self.shown = shown
        self.settings = settings
        self.limits = limits
        self.jobs: int = max(1, jobs)
        self.imports = imports
        self.notes: set[str] = set()
        """What this system does not offer to confine a worker."""
        self._is_warm = False

    def warm_up(self, *, is_for_many: bool = False) -> None:
        """Load jax and the libraries that the program imports, so that no worker has to.

        For many workers a program is followed first, which makes each of them faster.
        """
        if self._is_warm:
            return
        self._is_warm = True
        collect_seldom()  # in the processes that are forked, too: nothing is looked for as they end
        given = {name: os.environ.get(name) for name in _THREADS}
        os.environ.update(dict.fromkeys(_THREADS, "1"))  # a process with threads cannot be forked
        try:
            load_libraries()
            tempfile.gettempdir()  # it tries to write; libraries ask for it when they are imported, as haiku does
            for name in sorted(self.imports):
                if name.partition(".")[0] in LIBRARIES and not _is_private(name):
                    import_library(name)
            if is_for_many and can_fork():
                exercise()
        finally:
            for name, value in given.items():
                if value is None:
                    os.environ.pop(name, None)
                else:
                    os.environ[name] = value
        os.putenv("NPROC", "1")  # XLA needs no threads for each processor: nothing of size is computed
        if is_for_many:
            gc.collect()  # what is frozen is never looked for
        freeze()

    def run(self, entries: Iterable[EntryPoint], reached: frozenset[tuple[str, int]]) -> Iterator[Report]:
        """The reports, each as soon as it is there; all workers have ended when this ends, however it does."""
        waiting = deque(entries)
        again: deque[EntryPoint] = deque()
        running: dict[int, _Worker] = {}
        with selectors.DefaultSelector() as selector:

            def begin(entry: EntryPoint, *, is_alone: bool) -> None:
                worker = self._fork(entry, reached, is_alone=is_alone)
                running[worker.pipe] = worker
                selector.register(worker.pipe, selectors.EVENT_READ)

            try:
                while waiting or running or again:
                    raise_if_interrupted()
                    while waiting and len(running) < self.jobs and (not running or _has_room()):
                        begin(waiting.popleft(), is_alone=self.jobs == 1)
                    if again and not running:
                        begin(again.popleft(), is_alone=True)
                    for key, _ in selector.select(_TICK):
                        worker = running[key.fd]
                        if not _read(worker):
                            selector.unregister(key.fd)
                            del running[key.fd]
                            report = self._end(worker)
                            if report.stopped == _KILLED and not worker.is_alone:
                                again.append(worker.entry)  # all together may have needed more than there is
                            else:
                                yield report
                    for worker in running.values():
                        self._watch(worker)
            finally:
                for worker in running.values():
                    _kill(worker)
                    self._end(worker)

    # ------------------------------------------------------------------ a worker, from the outside

    def _fork(self, entry: EntryPoint, reached: frozenset[tuple[str, int]], *, is_alone: bool) -> _Worker:
        ours, theirs = os.pipe()
        parent = os.getpid()
        pid = os.fork()
        if pid == 0:
            with contextlib.suppress(BaseException):
                signal.signal(signal.SIGINT, signal.SIG_IGN)  # this process is told of it, and ends all workers
                os.close(ours)
                self._work(entry, reached, theirs, parent)
            os._exit(70)
        os.close(theirs)
        now = time.monotonic()
        return _Worker(entry, pid, ours, now, now, is_alone)

    def _watch(self, worker: _Worker) -> None:
        """Stop a worker that waits for what never comes."""
        now = time.monotonic()
        state, used = processor_time(worker.pid)
        if used != worker.used or state not in "SDT":
            worker.used, worker.busy = used, now
        elif now - worker.busy > _IDLE:
            worker.why = f"it was stopped after waiting for {_IDLE:.0f} s without doing anything"
            _kill(worker)

    def _end(self, worker: _Worker) -> Report:
        """What has come of a worker whose pipe is closed."""
        os.close(worker.pipe)
        status = _wait(worker)
        why = worker.why or self._why(status)
        if not why:
            try:
                answer = json.loads(worker.answer)
                self.notes.update(map(str, answer["notes"]))
                if answer["failed"] is None:
                    return Report.from_json(worker.entry, answer["report"])
                why = f"an internal error: {answer['failed']}"
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
                why = "its process ended without an answer"
        seconds = time.monotonic() - worker.began
        return Report(entry=worker.entry, seconds=seconds, is_complete=False, stopped=why)

    def _why(self, status: int) -> str:
        """Why a process has ended, by the status of `waitpid`; empty if it ended well."""
        if os.WIFEXITED(status):
            code = os.WEXITSTATUS(status)
            return "" if code == 0 else f"its process ended with exit code {code}"
        number = os.WTERMSIG(status)
        if number == signal.SIGXCPU:
            return f"it needs more than {(self.limits or Limits()).seconds:.0f} s of processor time"
        if number == signal.SIGKILL:
            return _KILLED
        try:
            name = signal.Signals(number).name
        except ValueError:
            name = f"signal {number}"
        return f"its process died ({name})"

    # ------------------------------------------------------------------ a worker, from the inside

    def _work(self, entry: EntryPoint, reached: frozenset[tuple[str, int]], pipe: int, parent: int) -> NoReturn:
        """Follow an entry point, give the answer, and end this process."""
        seconds = (self.limits or Limits()).seconds
        limit_worker(self.settings.memory, parent, pipe)
        allow_cpu_seconds(seconds)
        notes = confine(pipe)
        failed, report = None, None
        try:
            found = start(entry, self.shown, self.settings, self.limits, reached, allow_cpu_seconds, allow_devices)
            if any("MemoryError" in what for what in found.swallowed):
                found.is_complete = False
                found.stopped = f"it needs more than {self.settings.memory:g} GB of memory"
            report = found.to_json()
        except MemoryError:
            report = Report(
                entry=entry, is_complete=False, stopped=f"it needs more than {self.settings.memory:g} GB of memory"
            ).to_json()
        except BaseException as error:
            swallow(error)
            failed = f"{type(error).__name__}: {error}".partition("\n")[0][:200]
        answer = json.dumps({"failed": failed, "report": report, "notes": sorted(notes)})
        with os.fdopen(pipe, "wb", closefd=True) as file:
            file.write(answer.encode())
        os._exit(0)


def _has_room() -> bool:
    """Whether there is memory for one more worker beside others."""
    available = available_memory()
    return available is None or available >= SMALLEST_ROOM


def _is_private(name: str) -> bool:
    return any(part.startswith("_") or not part.isidentifier() for part in name.split("."))


def _read(worker: _Worker) -> bool:
    """Read what a worker has written; whether there may be more."""
    data = os.read(worker.pipe, 1 << 20)
    worker.answer += data
    if len(worker.answer) > _LONGEST_ANSWER:
        worker.why = "its answer is too long"
        _kill(worker)
        return False
    return bool(data)


def _kill(worker: _Worker) -> None:
    worker.why = worker.why or "it was interrupted"
    with contextlib.suppress(OSError):
        os.kill(worker.pid, signal.SIGKILL)


def _wait(worker: _Worker) -> int:
    """The status with which a worker ends, which has no more to say."""
    for doubling in range(11):
        pid, status = os.waitpid(worker.pid, os.WNOHANG)
        if pid:
            return status
        time.sleep(0.0005 * 2**doubling)  # in most cases it ends at once
    with contextlib.suppress(OSError):
        os.kill(worker.pid, signal.SIGKILL)
    return os.waitpid(worker.pid, 0)[1]


def processor_time(pid: int) -> tuple[str, int]:
    """The state of a process and the ticks of processor time that it has used."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
        return fields[0], int(fields[11]) + int(fields[12])
    except (OSError, ValueError, IndexError):
        return "R", -1
