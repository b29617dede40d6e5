"""A process that follows an entry point and stays, so that it is followed anew faster after an edit: from the inside.

It forks itself.  Once it has followed the program it waits as it is, with all that it has learnt of jax and of the
libraries, and whatever is asked next is followed from the start in a process forked from it (`Wires.first`).  And where
an edit was made, the process that follows waits just before it reads that part of the program, and goes on in a process
forked from it: as long as edits lie behind, only what comes after is followed anew (`unread_code`).

All of them are confined as a worker is.  They are asked by lines of JSON, each through a pipe of its own, and say what
they have to through one that they share: only one of them is at work at a time.
"""

from __future__ import annotations

import base64
import os
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NoReturn

from arraytyping.checker.flow.confinement import confine
from arraytyping.checker.flow.confinement.audit_hook import Forks
from arraytyping.checker.flow.confinement.limits import allow_cpu_seconds, allow_devices, limit_worker
from arraytyping.checker.flow.confinement.linux import dying_with_parent
from arraytyping.checker.flow.report.early_answers import EarlyAnswers
from arraytyping.checker.flow.report.lines import read_lines, write_line
from arraytyping.checker.flow.sources.entry_points import EntryPoint
from arraytyping.checker.flow.sources.source_files import SourceError, read_source
from arraytyping.checker.flow.sources.unread_code import Body, Code, digest, starts_at, watched
from arraytyping.checker.flow.start.program import in_deep_thread
from arraytyping.checker.flow.start.starting import Report, start
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.limits import Limits
from arraytyping.checker.flow.values.frames import Module
from arraytyping.checker.garbage import freeze
from arraytyping.checker.settings import Settings
from arraytyping.checker.swallowed import swallow
from arraytyping.regular_files import give_contents

__all__ = ["Asked", "Wires", "live"]

_WORTH: Final = 0.015
"""So many seconds of work are worth a process that waits behind them."""


@dataclass(frozen=True)
class Wires:
    """The open files by which such processes are asked, those that wait in the order in which they came to wait."""

    asks: tuple[int, ...]
    says: int
    first: int = 0
    """The place in `asks` of the process that follows from the start."""


@dataclass(frozen=True)
class Asked:
    """What is followed, however the program's text changes."""

    entry: EntryPoint
    shown: dict[Path, str]
    settings: Settings
    limits: Limits | None


def live(asked: Asked, wires: Wires, question: Mapping[str, Any], parent: int) -> NoReturn:
    """Answer a question in this process, which was forked by `parent`, and those that come, until there are no more."""
    limit_worker(asked.settings.memory, parent, *wires.asks, wires.says)
    die = dying_with_parent()
    forks = Forks()
    notes = confine(wires.says, forks)
    process = _Process(asked, wires, forks, die, notes)
    in_deep_thread(lambda: process.live(question))
    os._exit(70)


@dataclass
class _Watched:
    """A module that is followed, and its code."""

    it: Interpreter
    module: Module
    code: Code


class _Process:
    """What a process of these does; each that is forked from it has its own."""

    def __init__(self, asked: Asked, wires: Wires, forks: Forks, die: Callable[[], None], notes: list[str]) -> None:
        self._asked = asked
        self._wires = wires
        self._forks = forks
        self._die = die
        self._notes = notes
        self._waiting = 1
        """How many processes wait before this one, with that which follows from the start."""
        self._watched: list[_Watched] = []
        self._early = EarlyAnswers(lambda early: self._say(early=early))
        self._others: list[tuple[_Watched, str, Any]] = []
        """The modules whose texts are others in the question that came last, with these and their trees."""
        self._threads = 2
        """How many threads there are as long as no library has started one, which would not be there in a fork."""
        self._focus: tuple[str, int] | None = None
        self._number = 0
        self._since = 0.0
        """The processor time at which what would have to be done again began."""

    def live(self, question: Mapping[str, Any]) -> NoReturn:
        """Answer, and from then on follow what is asked in processes forked from this one."""
        with _ending_at_the_worst():
            self._follow({**question, "focus": None, "edited": None})
            question = self._wait(self._wires.first, lambda question: "")
            self._say(at_work=os.getpid())
            self._follow(question)
        os._exit(0)

    def _follow(self, question: Mapping[str, Any]) -> None:
        """Follow from the start, and answer."""
        self._take(question)
        asked = self._asked
        seconds = (asked.limits or Limits()).seconds
        allow_cpu_seconds(seconds)
        reached = frozenset((path, line) for path, line in question["reached"])
        failed, report = None, None
        try:
            found = start(
                asked.entry,
                asked.shown,
                asked.settings,
                asked.limits,
                reached,
                allow_cpu_seconds,
                allow_devices,
                self._watch,
            )
            if any("MemoryError" in what for what in found.swallowed):
                failed = "it needs more memory than it may have"
            report = found
        except BaseException as error:
            swallow(error)
            failed = f"{type(error).__name__}: {error}".partition("\n")[0][:200]
        self._answer(failed, report)

    def _answer(self, failed: str | None, report: Report | None) -> None:
        # All of a program is read at its end: nobody has to wait for that.
        for one in self._watched:
            one.code.watch = _nobody
        self._say(
            answer={
                "failed": failed,
                "report": None if report is None else report.to_json(),
                "notes": sorted(self._notes),
                "watched": {str(one.code.path): digest(one.code.source) for one in self._watched},
            }
        )
        self._watched.clear()

    # ------------------------------------------------------------------ waiting

    def _watch(self, it: Interpreter, module: Module) -> None:
        """Watch how much of a module is read."""
        if not module.path.is_dir():
            code = watched(module.path.resolve(), module.source, module.tree)
            code.watch = self._stop_before
            self._watched.append(_Watched(it, module, code))
            self._early.watch(it, module)

    def _stop_before(self, code: Code, body: Body, place: int) -> None:
        """Wait where the next edit is expected, and go on in another process."""
        if self._focus is None or str(code.path) != self._focus[0] or not starts_at(body, place, self._focus[1]):
            return
        self._focus = None
        is_worth_it = time.process_time() - self._since >= _WORTH
        if self._waiting >= len(self._wires.asks) or not is_worth_it or not self._is_alone():
            return
        own = os.getpid()
        if self._fork() == 0:
            self._say(waits=own, place=self._waiting, at_work=os.getpid())
            self._waiting += 1
            return
        question = self._wait(self._waiting, self._why_not)
        self._take(question)
        for one, source, tree in self._others:
            one.code.become(source, tree)
            one.module.source = source
        for one in self._watched:
            self._early.watch(one.it, one.module)
        self._waiting += 1
        self._say(at_work=os.getpid())

    def _take(self, question: Mapping[str, Any]) -> None:
        give_contents({path: base64.b64decode(content) for path, content in question["contents"].items()})
        self._number = question["number"]
        self._focus = question["focus"] and tuple(question["focus"])
        self._early.begin(question["edited"] and tuple(question["edited"]))
        self._since = time.process_time()

    def _wait(self, place: int, why_not: Callable[[Mapping[str, Any]], str]) -> dict[str, Any]:
        """Wait for questions; each that can be answered is given back in a process that was forked for it."""
        question: dict[str, Any]
        for question in read_lines(self._wires.asks[place]):
            self._number = question["number"]
            _forget_ended()
            why = why_not(question) if self._is_alone() else "a library has started threads"
            if why:
                self._say(refused=why)
            elif self._fork() == 0:
                return question
        os._exit(0)

    def _why_not(self, question: Mapping[str, Any]) -> str:
        """Why what was followed until here does not hold for the texts that are asked about; empty if it does."""
        give_contents({path: base64.b64decode(content) for path, content in question["contents"].items()})
        try:
            self._others = [*self._texts()]
            for one, source, tree in self._others:
                if not one.code.can_become(source, tree):
                    return "something was changed that was read"
                moved = {*one.code.open_places(tree)}
                if any(m.path == one.module.shown and (m.line, m.column) in moved for m in one.it.diagnostics.values()):
                    return "something ends elsewhere at which a mistake was found"
        except SourceError as error:
            return str(error)
        return ""

    def _texts(self) -> Iterator[tuple[_Watched, str, Any]]:
        """The modules whose texts are others now, with these and their trees.

        Raises:
            SourceError: if one cannot be read.
        """
        for one in self._watched:
            source, tree = read_source(one.code.path, known=(one.code.source, one.code.tree))
            if source != one.code.source:
                yield one, source, tree

    def _is_alone(self) -> bool:
        return len(os.listdir("/proc/self/task")) <= self._threads  # noqa: PTH208

    def _fork(self) -> int:
        parent = os.getpid()
        # What is there stays: a search for garbage in the forked process would write to all of it, and so copy it.
        freeze()
        pid = self._forks.fork()
        if pid == 0:
            self._threads = 1
            self._die()
            if os.getppid() != parent:
                os._exit(0)
        return pid

    def _say(self, **said: Any) -> None:
        # What was ended while it wrote has left a part of a line.
        write_line(self._wires.says, {**said, "number": self._number}, before=b"\n")


def _nobody(code: Code, body: Body, place: int) -> None:
    """Nobody waits any more."""


class _ending_at_the_worst:
    """Whatever goes wrong ends this process, and never comes to whoever has forked it."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: BaseException | None, traceback: Any) -> None:
        if error is not None:
            swallow(error)
            os._exit(70)


def _forget_ended() -> None:
    """Let the processes go that were forked from this one and have ended."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass
