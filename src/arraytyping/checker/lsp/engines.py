"""The processes that answer for the server: one for each interpreter of a program, kept warm and bounded."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from arraytyping.checker.flow.report.child import command_of
from arraytyping.checker.flow.report.reporting import FlowReport

__all__ = ["Engine", "EngineError"]

_MODULE: Final = "arraytyping.checker.flow.report.engine"
_LONGEST: Final = 256 * 1024 * 1024
_MOST_BYTES: Final = 1_500_000_000
"""An engine that holds more memory begins anew."""
_SECONDS: Final = 60.0


class EngineError(Exception):
    """There is no answer; the message says why."""


@dataclass
class Engine:
    """A process in an interpreter, which begins with the first question."""

    python: str
    _process: asyncio.subprocess.Process | None = None
    _reader: asyncio.Task[None] | None = None
    _waiting: dict[int, asyncio.Future[dict[str, Any]]] = field(default_factory=dict)
    _number: int = 0

    async def ask(self, folder: Path, request: Mapping[str, Any]) -> FlowReport:
        """The answer to a question; one that is asked later ends it.

        Raises:
            EngineError: if there is none.
            asyncio.CancelledError: if another question was asked.
        """
        process = await self._running()
        for future in self._waiting.values():
            future.cancel()
        self._waiting.clear()
        self._number += 1
        future = self._waiting[self._number] = asyncio.get_running_loop().create_future()
        question = {"id": self._number, "folder": str(folder), "request": dict(request)}
        assert process.stdin is not None
        try:
            process.stdin.write(json.dumps(question).encode() + b"\n")
            await process.stdin.drain()
            said = await asyncio.wait_for(future, _SECONDS)
        except (TimeoutError, OSError) as error:
            await self.stop()
            raise EngineError(f"{self.python} gives no answer: {error or 'it takes too long'}") from None
        if "report" not in said:
            raise EngineError(str(said.get("why")))
        return FlowReport.from_json(said["report"])

    async def stop(self) -> None:
        """End the process; the next question begins a new one."""
        process, self._process = self._process, None
        if self._reader is not None:
            self._reader.cancel()
            self._reader = None
        if process is not None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    async def _running(self) -> asyncio.subprocess.Process:
        if self._process is not None and (
            self._process.returncode is not None or _memory(self._process.pid) > _MOST_BYTES
        ):
            await self.stop()
        if self._process is None:
            try:
                self._process = await asyncio.create_subprocess_exec(
                    *command_of(_MODULE, self.python),
                    stdin=asyncio.subprocess.PIPE,
                    stdout=asyncio.subprocess.PIPE,
                    stderr=asyncio.subprocess.DEVNULL,
                    limit=_LONGEST,
                    env={**os.environ, "JAX_PLATFORMS": "cpu"},  # nothing is computed
                )
            except OSError as error:
                raise EngineError(f"{self.python} cannot be run: {error.strerror}") from None
            self._reader = asyncio.get_running_loop().create_task(self._listen(self._process))
        return self._process

    async def _listen(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        while line := await process.stdout.readline():
            said = json.loads(line)
            future = self._waiting.pop(said.get("id"), None)
            if future is not None and not future.done():
                future.set_result(said)
        for future in self._waiting.values():
            if not future.done():
                future.set_result({"why": f"{self.python} has ended"})
        self._waiting.clear()


def _memory(pid: int) -> int:
    """The bytes of memory that a process holds; 0 where that cannot be told."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError, AttributeError):
        return 0
