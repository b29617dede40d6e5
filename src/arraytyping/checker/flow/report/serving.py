"""A process that stays and answers one question after another, each in a process forked for it.

A process that has answered may stay for the next question of its kind, in the same folder; those of two folders do.

A question is a line of JSON on the standard input, `{"id": 3, "kind": "follow", "folder": "/path", "request": {...}}`,
and is answered by a line on the standard output, `{"id": 3, "report": {...}}`; without a report it says `why`.  Before
that a process that stays may say what it knows already, in lines of its own with the same `id`.  A new
question ends the one of its kind before, and one without a request does nothing else.  The first line says
`{"is_ready": true}`, once everything is loaded.

A process that stays is not ended for that: it is told of the new question while it works, leaves what it does as soon
as it can, and keeps what it has for the next question.  Only one that does not leave it in time is ended.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import selectors
import signal
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NoReturn

from arraytyping.checker.flow.report.lines import line_of, read_last_lines, write, write_line
from arraytyping.checker.swallowed import swallow

__all__ = ["Superseded", "serve"]

_CHUNK: Final = 1 << 20
_MOST_FOLDERS: Final = 2
"""For so many folders processes of one kind stay."""
_SECONDS_TO_LEAVE: Final = 1.0
"""So long a process that stays may take to leave what it does for the next question."""

Answer = Callable[[dict[str, Any]], dict[str, Any]]
"""What is said to a request; `libraries` in it are to be loaded for the next one."""


Staying = Callable[[int, Callable[[dict[str, Any]], None]], Answer]
"""Makes what answers again and again, of the pipe through which questions come, and of what is told early answers."""


class Superseded(Exception):
    """Another question has come, so that nobody waits for the answer to this one."""


@dataclass(eq=False)
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
    next: dict[str, Any] | None = None
    """The question that it has been told of while it worked, and has not begun with."""
    unsent: bytearray = field(default_factory=bytearray)
    """What it has not been able to read yet of what it is asked."""
    ends: float = 0.0
    """When it is ended, if it has not begun with that until then."""
    answered: int | None = None
    """The question to which the next line is the answer."""
    is_early: bool = False
    """Whether another answer follows that one."""
    libraries: frozenset[str] = frozenset()
    """What that says is to be loaded."""


class _Service:
    """Answers questions until there are no more."""

    def __init__(
        self,
        questions: int,
        answers: int,
        load: Callable[[frozenset[str]], None],
        answer: Answer,
        staying: Mapping[str, Staying],
    ) -> None:
        self._questions = questions
        self._answers = answers
        self._load = load
        self._answer = answer
        self._staying = staying
        self._selector = selectors.DefaultSelector()
        self._selector.register(questions, selectors.EVENT_READ)
        self._jobs: list[_Job] = []
        """The one that was asked last at the end."""
        self._unread = bytearray()
        self._loaded: frozenset[str] = frozenset()

    def run(self) -> None:
        """Answer all questions."""
        self._load(frozenset())
        self._say({"is_ready": True})
        while True:
            for key, _ in self._selector.select(self._patience()):
                if key.fd == self._questions:
                    if not self._read():
                        for job in [*self._jobs]:
                            self._end(job)
                        return
                elif key.data not in self._jobs:
                    continue
                elif key.fd == key.data.asks:
                    self._send(key.data)
                else:
                    self._listen(key.data)
            for job in [*self._jobs]:
                if job.next is not None and time.monotonic() >= job.ends:
                    self._end(job)
                    if job.next["request"] is not None:
                        self._begin(job.next)

    def _patience(self) -> float | None:
        """For how many seconds nothing need be done if nothing comes."""
        ends = [job.ends for job in self._jobs if job.next is not None]
        return max(0.0, min(ends) - time.monotonic()) if ends else None

    def _say(self, said: dict[str, Any]) -> None:
        write_line(self._answers, said)

    def _read(self) -> bool:
        data = os.read(self._questions, _CHUNK)
        self._unread += data
        *lines, rest = bytes(self._unread).split(b"\n")
        self._unread = bytearray(rest)
        questions = [json.loads(line) for line in lines]
        for question in {q["kind"]: q for q in questions}.values():  # those before are no longer asked
            self._take(question)
        return bool(data)

    def _take(self, question: dict[str, Any]) -> None:
        """Ask whoever can answer a question, and have all others of its kind leave what they do."""
        kind, folder = question["kind"], question.get("folder")
        asks = question["request"] is not None
        known = None
        for job in [job for job in self._jobs if job.kind == kind]:
            if asks and job.stays and job.folder == folder:
                known = job
            elif not job.is_idle and not self._ask_again(job, {**question, "request": None}):
                self._end(job)
        if known is not None:
            self._ask_again(known, question)
            self._jobs.remove(known)
            self._jobs.append(known)
        elif asks:
            self._begin(question)

    def _ask_again(self, job: _Job, question: dict[str, Any]) -> bool:
        """Ask a process that stays; whether it is one."""
        if not job.stays:
            return False
        if not job.is_idle:
            job.ends = job.ends if job.next is not None else time.monotonic() + _SECONDS_TO_LEAVE
            job.next = question
        # Who only leaves what it does has nothing to answer.
        job.id, job.is_idle = -1 if question["request"] is None else question["id"], False
        if not job.unsent:
            self._selector.register(job.asks, selectors.EVENT_WRITE, job)
        job.unsent += line_of(question)
        self._send(job)
        return True

    def _send(self, job: _Job) -> None:
        """Send as much of what a process is asked as it can take without being waited for."""
        try:
            while job.unsent:
                del job.unsent[: os.write(job.asks, job.unsent)]
        except BlockingIOError:
            return
        except OSError:  # it has ended, which is heard as well
            job.unsent.clear()
        self._selector.unregister(job.asks)

    def _begin(self, question: dict[str, Any]) -> None:
        stays = question["kind"] in self._staying
        others = [job for job in self._jobs if job.stays and job.kind == question["kind"]]
        for job in others[: max(0, len(others) - _MOST_FOLDERS + 1)] if stays else ():
            self._end(job)
        ours, theirs = os.pipe()
        asked, asks = os.pipe()
        pid = os.fork()
        if pid == 0:
            with contextlib.suppress(BaseException):
                os.setpgid(0, 0)
                os.close(ours)
                os.close(asks)
                for job in self._jobs:
                    os.close(job.asks)
                self._work(question, theirs, asked)
            os._exit(70)
        with contextlib.suppress(OSError):
            os.setpgid(pid, pid)  # whoever of both is first
        os.close(theirs)
        os.close(asked)
        os.set_blocking(asks, False)
        job = _Job(question["id"], question["kind"], question["folder"], pid, ours, asks, stays=stays)
        self._jobs.append(job)
        self._selector.register(ours, selectors.EVENT_READ, job)

    def _work(self, question: dict[str, Any], pipe: int, asked: int) -> NoReturn:
        """Answer a question in this process, and those that come if it stays, and end it."""
        _die_with_parent()
        os.chdir(question["folder"])
        staying = self._staying.get(question["kind"])
        at_work = question["id"]

        def tell_early(said: dict[str, Any]) -> None:
            write_line(pipe, {"answers": at_work, "is_early": True})
            write_line(pipe, {**said, "id": at_work})

        answer = self._answer if staying is None else staying(asked, tell_early)
        waiting = (question,) if staying is None else itertools.chain([question], read_last_lines(asked))
        for one in waiting:
            at_work = one["id"]
            write_line(pipe, {"begins": one["id"]})
            if one["request"] is None:
                continue
            try:
                said = {**answer(one["request"]), "id": one["id"]}
            except Superseded:
                continue
            except BaseException as error:
                swallow(error)
                why = f"{type(error).__name__}: {error}".partition("\n")[0][:200]
                said = {"why": why, "id": one["id"]}
            write_line(pipe, {"answers": one["id"], "libraries": said.pop("libraries", ())})
            write_line(pipe, said)
        os._exit(0)

    def _listen(self, job: _Job) -> None:
        data = os.read(job.pipe, _CHUNK)
        job.said += data
        *lines, rest = bytes(job.said).split(b"\n")
        job.said = bytearray(rest)
        if not data:
            self._end(job)
            if not job.is_idle:
                self._say({"id": job.id, "why": "its process ended without an answer"})
        for line in lines:
            if job.answered is None:
                self._hear(job, json.loads(line))
            else:
                self._pass_on(job, line)

    def _hear(self, job: _Job, said: dict[str, Any]) -> None:
        """Take in what a process says: that it begins with a question, or that an answer follows."""
        if (begun := said.get("begins")) is not None:
            job.ends = time.monotonic() + _SECONDS_TO_LEAVE
            if job.next is not None and begun == job.next["id"]:
                job.is_idle = job.next["request"] is None
                job.next = None
            return
        job.answered = said["answers"]
        job.is_early = bool(said.get("is_early"))
        job.libraries = frozenset(said.get("libraries", ()))

    def _pass_on(self, job: _Job, answer: bytes) -> None:
        """Give an answer to whoever has asked, as it is."""
        answered, job.answered = job.answered, None
        if answered != job.id:
            return
        if job.is_early:
            write(self._answers, answer + b"\n")
            return
        if job.stays:
            job.is_idle = True
        else:
            self._end(job)
        write(self._answers, answer + b"\n")
        if not job.libraries <= self._loaded:
            self._loaded |= job.libraries
            self._load(self._loaded)

    def _end(self, job: _Job) -> None:
        """End a process that answers questions."""
        if job not in self._jobs:
            return
        self._jobs.remove(job)
        self._selector.unregister(job.pipe)
        if job.unsent:
            self._selector.unregister(job.asks)
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
    load: Callable[[frozenset[str]], None],
    answer: Answer,
    staying: Mapping[str, Staying] | None = None,
) -> NoReturn:
    """Answer what is asked on the standard input; whatever libraries print goes to the standard error.

    `load` loads what answers need, with these libraries, so that no question has to wait for them.  Questions of a kind
    in `staying` are answered one after the other by one process, by what is made there when it begins.  That is given
    the pipe through which the next question comes, and may raise `Superseded` once something can be read from it.
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
