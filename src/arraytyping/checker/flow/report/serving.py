"""A process that stays and answers one question after another, each in a process forked for it.

A question is a line of JSON on the standard input, `{"id": 3, "kind": "follow", "folder": "/path", "request": {...}}`,
and is answered by a line on the standard output, `{"id": 3, "report": {...}}`; without a report it says `why`.  A new
question ends the one of its kind before, and one without a request does nothing else.  The first line says
`{"is_ready": true}`, once everything is loaded.
"""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, NoReturn

from arraytyping.checker.swallowed import swallow

__all__ = ["serve"]

_CHUNK: Final = 1 << 20

Answer = Callable[[dict[str, Any]], dict[str, Any]]
"""What is said to a request; `libraries` in it are to be loaded for the next one."""


@dataclass
class _Job:
    """A process that answers a question."""

    id: int
    kind: str
    pid: int
    pipe: int
    said: bytearray = field(default_factory=bytearray)


class _Service:
    """Answers questions until there are no more."""

    def __init__(self, questions: int, answers: int, load: Callable[[frozenset[str]], None], answer: Answer) -> None:
        self._questions = questions
        self._answers = answers
        self._load = load
        self._answer = answer
        self._selector = selectors.DefaultSelector()
        self._selector.register(questions, selectors.EVENT_READ)
        self._jobs: dict[str, _Job] = {}
        self._unread = bytearray()
        self._loaded: frozenset[str] = frozenset()

    def run(self) -> None:
        """Answer all questions."""
        self._load(frozenset())
        self._say({"is_ready": True})
        while True:
            for key, _ in self._selector.select():
                if key.fd == self._questions:
                    if not self._read():
                        for kind in [*self._jobs]:
                            self._end(kind)
                        return
                elif key.data in self._jobs.values():
                    self._listen(key.data)

    def _say(self, said: dict[str, Any]) -> None:
        line = json.dumps(said).encode() + b"\n"
        while line:
            line = line[os.write(self._answers, line) :]

    def _read(self) -> bool:
        data = os.read(self._questions, _CHUNK)
        self._unread += data
        *lines, rest = bytes(self._unread).split(b"\n")
        self._unread = bytearray(rest)
        questions = [json.loads(line) for line in lines]
        for question in {q["kind"]: q for q in questions}.values():  # those before are no longer asked
            self._end(question["kind"])
            if question["request"] is not None:
                self._begin(question)
        return bool(data)

    def _begin(self, question: dict[str, Any]) -> None:
        ours, theirs = os.pipe()
        pid = os.fork()
        if pid == 0:
            with contextlib.suppress(BaseException):
                os.setpgid(0, 0)
                os.close(ours)
                self._work(question, theirs)
            os._exit(70)
        with contextlib.suppress(OSError):
            os.setpgid(pid, pid)  # whoever of both is first
        os.close(theirs)
        job = self._jobs[question["kind"]] = _Job(question["id"], question["kind"], pid, ours)
        self._selector.register(ours, selectors.EVENT_READ, job)

    def _work(self, question: dict[str, Any], pipe: int) -> NoReturn:
        """Answer a question in this process, and end it."""
        _die_with_parent()
        os.chdir(question["folder"])
        try:
            said = self._answer(question["request"])
        except BaseException as error:
            swallow(error)
            said = {"why": f"{type(error).__name__}: {error}".partition("\n")[0][:200]}
        with os.fdopen(pipe, "wb") as file:
            file.write(json.dumps(said).encode())
        os._exit(0)

    def _listen(self, job: _Job) -> None:
        data = os.read(job.pipe, _CHUNK)
        job.said += data
        if data:
            return
        self._end(job.kind)
        try:
            said = json.loads(job.said)
        except ValueError:
            said = {"why": "its process ended without an answer"}
        libraries = frozenset(said.pop("libraries", ()))
        self._say({"id": job.id, **said})
        if not libraries <= self._loaded:
            self._loaded |= libraries
            self._load(self._loaded)

    def _end(self, kind: str) -> None:
        """End the process that answers a question of this kind."""
        job = self._jobs.pop(kind, None)
        if job is None:
            return
        self._selector.unregister(job.pipe)
        os.close(job.pipe)
        with contextlib.suppress(OSError):
            os.killpg(job.pid, signal.SIGKILL)
        os.waitpid(job.pid, 0)


def _die_with_parent() -> None:
    if sys.platform == "linux":
        from arraytyping.checker.flow.confinement.linux import die_with_parent

        die_with_parent()


def serve(load: Callable[[frozenset[str]], None], answer: Answer) -> NoReturn:
    """Answer what is asked on the standard input; whatever libraries print goes to the standard error.

    `load` loads what answers need, with these libraries, so that no question has to wait for them.
    """
    _die_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    questions, answers = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    with contextlib.suppress(BrokenPipeError):  # whoever asked is gone
        _Service(questions, answers, load, answer).run()
    os._exit(0)
