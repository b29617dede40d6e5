"""The process that answers for a session, beside the kernel: the kernel's own state is not touched, nor waited for."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from arraytyping.checker.flow.report.child import command_of

__all__ = ["EngineProcess"]

_MODULE: Final = "arraytyping.checker.flow.report.engine"


class EngineProcess:
    """A process that stays, and answers the last question only."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()
        self._number = 0
        self._take: Callable[[Mapping[str, Any]], None] | None = None

    @property
    def is_alive(self) -> bool:
        """Whether it runs."""
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """Begin, so that jax is loaded when the first question comes.

        Raises:
            OSError: if no process can be started.
        """
        if self.is_alive:
            return
        self._process = subprocess.Popen(
            command_of(_MODULE, sys.executable),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "JAX_PLATFORMS": "cpu"},  # nothing is computed
            start_new_session=True,  # the interruption of a cell is none of it
        )
        threading.Thread(target=self._listen, args=(self._process,), daemon=True, name="arraytyping").start()

    def ask(self, folder: Path, request: Mapping[str, Any], take: Callable[[Mapping[str, Any]], None]) -> None:
        """Ask in place of what was asked before; `take` is called in another thread with the answer.

        Raises:
            OSError: if the process cannot be asked.
        """
        self.start()
        with self._lock:
            self._number += 1
            self._take = take
            number = self._number
        self._send({"id": number, "kind": "follow", "folder": str(folder), "request": dict(request)})

    def give_up(self) -> None:
        """Do not wait for an answer any longer."""
        with self._lock:
            self._take = None
            self._number += 1
        with contextlib.suppress(OSError):
            self._send({"id": self._number, "kind": "follow", "request": None})

    def stop(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    with contextlib.suppress(OSError):
                        pipe.close()

    def _send(self, question: Mapping[str, Any]) -> None:
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.write(json.dumps(question).encode() + b"\n")
            self._process.stdin.flush()

    def _listen(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout is not None
        with contextlib.suppress(OSError, ValueError):
            for line in process.stdout:
                said = json.loads(line)
                with self._lock:
                    take = self._take if said.get("id") == self._number else None
                    self._take = None if take is not None else self._take
                if take is not None:
                    take(said)
        with self._lock:
            take, self._take = self._take, None
        if take is not None:
            take({"why": "the process that follows the cells has ended"})
