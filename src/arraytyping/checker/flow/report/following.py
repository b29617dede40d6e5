"""A process that stays: it has jax loaded, and follows one entry point after another, each in a process forked for it.

It is asked by pickles on its standard input, and answers by pickles on its standard output; both come from and go to
the process that has started it.  When that ends, so does this one.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from arraytyping.checker.flow.report.child import command_of
from arraytyping.checker.flow.report.workers import Workers, can_fork
from arraytyping.checker.flow.sources.entry_points import EntryPoint
from arraytyping.checker.flow.start.starting import Report, start
from arraytyping.checker.flow.state.limits import Limits
from arraytyping.checker.settings import Settings
from arraytyping.regular_files import give_contents

__all__ = ["Common", "FollowingProcess"]


@dataclass(frozen=True)
class Common:
    """What is the same for all entry points of a run."""

    folder: str
    environment: dict[str, str]
    shown: dict[Path, str]
    settings: Settings
    limits: Limits | None
    contents: dict[str, bytes]
    """What is read in the place of files."""


class FollowingProcess:
    """The process, from the outside."""

    def __init__(self, common: Common) -> None:
        self._process = subprocess.Popen(
            command_of(__name__, None),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=common.folder,
            env={**_without_jax(), **common.environment, "JAX_PLATFORMS": "cpu"},
            start_new_session=True,  # an interrupt is for the one who asks
        )
        self._send(common)

    def follow(self, entry: EntryPoint, reached: frozenset[tuple[str, int]]) -> dict[str, Any]:
        """The report of an entry point as JSON, with the `notes` of the one who followed it.

        Raises:
            OSError: if the process has died.
            EOFError: if it dies at this entry point.
        """
        self._send((entry, reached))
        assert self._process.stdout is not None
        return cast(dict[str, Any], pickle.load(self._process.stdout))

    def end(self) -> None:
        """End it, and what it has started."""
        self._process.kill()
        self._process.wait()

    def _send(self, what: object) -> None:
        assert self._process.stdin is not None
        pickle.dump(what, self._process.stdin)
        self._process.stdin.flush()


def _without_jax() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith("JAX_")}


def answer() -> None:
    """Follow what is asked for on the standard input; whatever libraries print goes to the standard error."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    questions, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    common: Common = pickle.load(questions)
    give_contents(common.contents)
    workers = Workers(common.shown, common.settings, common.limits, 1, ())
    if can_fork():
        workers.warm_up()
    while True:
        try:
            entry, reached = pickle.load(questions)
        except EOFError:
            os._exit(0)
        pickle.dump(
            {"report": _followed(entry, reached, workers, common).to_json(), "notes": sorted(workers.notes)}, answers
        )
        answers.flush()
        sys.stderr.flush()


def _followed(entry: EntryPoint, reached: frozenset[tuple[str, int]], workers: Workers, common: Common) -> Report:
    if can_fork():
        (report,) = workers.run([entry], reached)
        return report
    return start(entry, common.shown, common.settings, common.limits, reached)
