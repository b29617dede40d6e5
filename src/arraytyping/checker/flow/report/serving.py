"""A process that stays and answers one question after another, each in a process forked for it.

A process that has answered may stay for the next question of its kind, in the same folder.

A question is a line of JSON on the standard input, `{"id": 3, "kind": "follow", "folder": "/path", "request": {...}}`,
and is answered by a line on the standard output, `{"id": 3, "report": {...}}`; without a report it says `why`.  A new
question ends the one of its kind before, and one without a request does nothing else.  The first line says
`{"is_ready": true}`, once everything is loaded.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import selectors
import signal
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NoReturn

from arraytyping.checker.flow.report.lines import read_lines, write_line
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
    folder: str
    pid: int
    pipe: int
    asks: int
    """Where it is asked again, if it stays."""
    stays: bool
    said: bytearray = field(default_factory=bytearray)
    is_idle: bool = False


class _Service:
    """Answers questions until there are no more."""

    def __init__(
        self,
        questions: int,
        answers: int,
        load: Callable[[frozenset[str]], None],
        answer: Answer,
        staying: Mapping[str, Callable[[], Answer]],
    ) -> None:
        self._questions = questions
        self._answers = answers
        self._load = load
        self._answer = answer
        self._staying = staying
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
        write_line(self._answers, said)

    def _read(self) -> bool:
        data = os.read(self._questions, _CHUNK)
        self._unread += data
        *lines, rest = bytes(self._unread).split(b"\n")
        self._unread = bytearray(rest)
        questions = [json.loads(line) for line in lines]
        for question in {q["kind"]: q for q in questions}.values():  # those before are no longer asked
            job = self._jobs.get(question["kind"])
            if job is not None and job.is_idle and question["request"] is None:
                continue
            if job is None or not self._ask_again(job, question):
                self._end(question["kind"])
                if question["request"] is not None:
                    self._begin(question)
        return bool(data)

    def _ask_again(self, job: _Job, question: dict[str, Any]) -> bool:
        """Ask a process that stays; whether it is one, and waits for it."""
        if not job.is_idle or job.folder != question["folder"]:
            return False
        try:
            write_line(job.asks, question)
        except OSError:
            return False
        job.id, job.said, job.is_idle = question["id"], bytearray(), False
        return True

    def _begin(self, question: dict[str, Any]) -> None:
        ours, theirs = os.pipe()
        asked, asks = os.pipe()
        pid = os.fork()
        if pid == 0:
            with contextlib.suppress(BaseException):
                os.setpgid(0, 0)
                os.close(ours)
                os.close(asks)
                for job in self._jobs.values():
                    os.close(job.asks)
                self._work(question, theirs, asked)
            os._exit(70)
        with contextlib.suppress(OSError):
            os.setpgid(pid, pid)  # whoever of both is first
        os.close(theirs)
        os.close(asked)
        kind = question["kind"]
        job = self._jobs[kind] = _Job(
            question["id"], kind, question["folder"], pid, ours, asks, stays=kind in self._staying
        )
        self._selector.register(ours, selectors.EVENT_READ, job)

    def _work(self, question: dict[str, Any], pipe: int, asked: int) -> NoReturn:
        """Answer a question in this process, and those that come if it stays, and end it."""
        _die_with_parent()
        os.chdir(question["folder"])
        staying = self._staying.get(question["kind"])
        answer = self._answer if staying is None else staying()
        waiting = (question,) if staying is None else itertools.chain([question], read_lines(asked))
        for one in waiting:
            try:
                said = answer(one["request"])
            except BaseException as error:
                swallow(error)
                said = {"why": f"{type(error).__name__}: {error}".partition("\n")[0][:200]}
            write_line(pipe, said)
        os._exit(0)

    def _listen(self, job: _Job) -> None:
        data = os.read(job.pipe, _CHUNK)
        job.said += data
        if data and not data.endswith(b"\n"):
            return
        job.is_idle = job.stays and bool(data)
        if not job.is_idle:
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
        os.close(job.asks)
        with contextlib.suppress(OSError):
            os.killpg(job.pid, signal.SIGKILL)
        os.waitpid(job.pid, 0)


def _die_with_parent() -> None:
    if sys.platform == "linux":
        from arraytyping.checker.flow.confinement.linux import die_with_parent

        die_with_parent()


def serve(
    load: Callable[[frozenset[str]], None], answer: Answer, staying: Mapping[str, Callable[[], Answer]] | None = None
) -> NoReturn:
    """Answer what is asked on the standard input; whatever libraries print goes to the standard error.

    `load` loads what answers need, with these libraries, so that no question has to wait for them.  Questions of a kind
    in `staying` are answered one after the other by one process, by what is made there when it begins.
    """
    _die_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    questions, answers = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    with contextlib.suppress(BrokenPipeError):  # whoever asked is gone
        _Service(questions, answers, load, answer, staying or {}).run()
    os._exit(0)
