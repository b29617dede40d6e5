"""A process that stays: it has jax and the libraries of the programs loaded, and answers one question after another.

Each question is a line of JSON on the standard input, `{"id": 3, "folder": "/path", "request": {...}}`, and is answered
by a line on the standard output, `{"id": 3, "report": {...}}`; without a report it says `why`.  A question is answered
by a process forked for it, so that this one does not grow, and a new question ends the one before.  One whose request
is null does no more than that.
"""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import sys
from dataclasses import dataclass, field
from typing import Any, Final, NoReturn

from arraytyping.checker.flow.real_calls.library_imports import LIBRARIES
from arraytyping.checker.flow.report.reporting import analyzed
from arraytyping.checker.flow.report.workers import Workers
from arraytyping.checker.settings import Settings
from arraytyping.checker.swallowed import swallow

__all__ = ["answer"]

_CHUNK: Final = 1 << 20


@dataclass
class _Job:
    """A process that answers a question."""

    id: int
    pid: int
    pipe: int
    said: bytearray = field(default_factory=bytearray)


class _Engine:
    """Answers questions until there are no more."""

    def __init__(self, questions: int, answers: int) -> None:
        self._questions = questions
        self._answers = answers
        self._selector = selectors.DefaultSelector()
        self._selector.register(questions, selectors.EVENT_READ)
        self._job: _Job | None = None
        self._unread = bytearray()
        self._loaded: frozenset[str] = frozenset()

    def run(self) -> None:
        """Answer all questions."""
        self._load(frozenset())
        while True:
            for key, _ in self._selector.select():
                if key.fd == self._questions:
                    if not self._read():
                        self._end()
                        return
                elif self._job is not None:
                    self._listen(self._job)

    def _load(self, libraries: frozenset[str]) -> None:
        """Load jax and these libraries, so that no question has to wait for them again."""
        self._loaded |= libraries
        Workers({}, Settings(), None, 1, libraries).warm_up()

    def _read(self) -> bool:
        data = os.read(self._questions, _CHUNK)
        self._unread += data
        *lines, rest = bytes(self._unread).split(b"\n")
        self._unread = bytearray(rest)
        for line in lines[-1:]:  # those before are no longer asked
            self._begin(json.loads(line))
        return bool(data)

    def _begin(self, question: dict[str, Any]) -> None:
        self._end()
        if question["request"] is None:
            return
        ours, theirs = os.pipe()
        pid = os.fork()
        if pid == 0:
            with contextlib.suppress(BaseException):
                os.setpgid(0, 0)
                os.close(ours)
                _answer(question, theirs)
            os._exit(70)
        with contextlib.suppress(OSError):
            os.setpgid(pid, pid)  # whoever of both is first
        os.close(theirs)
        self._job = _Job(question["id"], pid, ours)
        self._selector.register(ours, selectors.EVENT_READ)

    def _listen(self, job: _Job) -> None:
        data = os.read(job.pipe, _CHUNK)
        job.said += data
        if data:
            return
        self._end()
        try:
            said = json.loads(job.said)
        except ValueError:
            said = {"why": "its process ended without an answer"}
        libraries = frozenset(said.pop("libraries", ()))
        line = json.dumps({"id": job.id, **said}).encode() + b"\n"
        while line:
            line = line[os.write(self._answers, line) :]
        if not libraries <= self._loaded:
            self._load(libraries)

    def _end(self) -> None:
        """End the process that answers."""
        if self._job is None:
            return
        self._selector.unregister(self._job.pipe)
        os.close(self._job.pipe)
        with contextlib.suppress(OSError):
            os.killpg(self._job.pid, signal.SIGKILL)
        os.waitpid(self._job.pid, 0)
        self._job = None


def _answer(question: dict[str, Any], pipe: int) -> NoReturn:
    """Answer a question in this process, and end it."""
    _die_with_parent()
    os.chdir(question["folder"])
    try:
        said: dict[str, Any] = {"report": analyzed(question["request"]).to_json()}
    except BaseException as error:
        swallow(error)
        said = {"why": f"{type(error).__name__}: {error}".partition("\n")[0][:200]}
    said["libraries"] = sorted({*sys.modules} & {*LIBRARIES})
    with os.fdopen(pipe, "wb") as file:
        file.write(json.dumps(said).encode())
    os._exit(0)


def _die_with_parent() -> None:
    if sys.platform == "linux":
        from arraytyping.checker.flow.confinement.linux import die_with_parent

        die_with_parent()


def answer() -> None:
    """Answer what is asked on the standard input; whatever libraries print goes to the standard error."""
    _die_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    questions, answers = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    _Engine(questions, answers).run()
    os._exit(0)
