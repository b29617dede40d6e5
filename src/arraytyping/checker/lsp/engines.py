"""The processes that answer for the server: one for each interpreter of a program, kept warm and bounded."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from arraytyping.checker.flow.report.child import command_of

__all__ = ["FLOW", "Engine", "EngineError"]

FLOW: Final = "arraytyping.checker.flow.report.engine"
"""What follows programs."""
_LONGEST: Final = 256 * 1024 * 1024
_MOST_BYTES: Final = 1_500_000_000
_SECONDS: Final = 120.0
"""Far more than the processor time that is given to the programs of one file."""
_SECONDS_TO_LOAD: Final = 300.0


class EngineError(Exception):
    """There is no answer; the message says why."""


@dataclass
class Engine:
    """A process in an interpreter, which begins with the first question; one that holds more memory begins anew."""

    python: str
    module: str = FLOW
    most_bytes: int = _MOST_BYTES
    has_jaxtyping: bool = False
    """Whether jaxtyping was there at the last answer."""
    _process: asyncio.subprocess.Process | None = None
    _reader: asyncio.Task[None] | None = None
    _ready: asyncio.Future[None] | None = None
    _waiting: dict[int, asyncio.Future[dict[str, Any]]] = field(default_factory=dict)
    _last: dict[str, int] = field(default_factory=dict)
    """By kind of question the last one."""
    _early: dict[int, Callable[[dict[str, Any]], object]] = field(default_factory=dict)
    """By question who is told what is known before the answer."""
    _number: int = 0

    async def ask(
        self,
        folder: Path,
        request: Mapping[str, Any],
        kind: str = "follow",
        early: Callable[[dict[str, Any]], object] | None = None,
    ) -> Any:
        """The report that answers a question; one of the same kind that is asked later ends it.

        `early` is told what is known of the edited part before the whole is.

        Raises:
            EngineError: if there is none.
            asyncio.CancelledError: if another question was asked.
        """
        await self._begin()
        self._number += 1
        number = self._number
        earlier = self._waiting.pop(self._last.get(kind, 0), None)
        if earlier is not None:
            earlier.cancel()
        self._last[kind] = number
        future = self._waiting[number] = asyncio.get_running_loop().create_future()
        if early is not None:
            self._early[number] = early
        try:
            await self._send({"id": number, "kind": kind, "folder": str(folder), "request": dict(request)})
            said = await asyncio.wait_for(future, _SECONDS)
        except asyncio.CancelledError:
            if self._last[kind] == number and self._process is not None:
                with contextlib.suppress(OSError):
                    await self._send({"id": number, "kind": kind, "request": None})
            raise
        except (TimeoutError, OSError):
            await self.stop()
            raise EngineError(f"{self.python} gives no answer within {_SECONDS:.0f} s") from None
        finally:
            self._waiting.pop(number, None)
            self._early.pop(number, None)
        if "report" not in said:
            raise EngineError(str(said.get("why")))
        self.has_jaxtyping = bool(said.get("has_jaxtyping"))
        return said["report"]

    async def stop(self) -> None:
        """End the process; the next question begins a new one."""
        process, self._process = self._process, None
        if self._reader is not None:
            self._reader.cancel()
            self._reader = None
        self._give_up("it was ended")
        if process is not None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    async def _send(self, question: Mapping[str, Any]) -> None:
        if self._process is None or self._process.stdin is None:
            raise OSError("it has ended")
        self._process.stdin.write(json.dumps(question).encode() + b"\n")
        await self._process.stdin.drain()

    async def _begin(self) -> None:
        """Have a process that has everything loaded."""
        if self._process is not None and (
            self._process.returncode is not None or memory_of(self._process.pid) > self.most_bytes
        ):
            await self.stop()
        if self._process is None:
            try:
                self._process = await asyncio.create_subprocess_exec(
                    *command_of(self.module, self.python),
                    stdin=asyncio.subprocess.PIPE,
                    stdout=asyncio.subprocess.PIPE,
                    stderr=asyncio.subprocess.DEVNULL,
                    limit=_LONGEST,
                    env={**os.environ, "JAX_PLATFORMS": "cpu"},  # nothing is computed
                )
            except OSError as error:
                raise EngineError(f"{self.python} cannot be run: {error.strerror}") from None
            self._ready = asyncio.get_running_loop().create_future()
            self._reader = asyncio.get_running_loop().create_task(self._listen(self._process, self._ready))
        assert self._ready is not None
        try:
            await asyncio.wait_for(asyncio.shield(self._ready), _SECONDS_TO_LOAD)
        except TimeoutError:
            await self.stop()
            raise EngineError(f"{self.python} does not load jax within {_SECONDS_TO_LOAD:.0f} s") from None
        if self._process is None or self._process.returncode is not None:
            raise EngineError(f"{self.python} ended before it could answer")

    async def _listen(self, process: asyncio.subprocess.Process, ready: asyncio.Future[None]) -> None:
        assert process.stdout is not None
        while line := await process.stdout.readline():
            said = json.loads(line)
            future = self._waiting.get(said.get("id"))
            if "early" in said:
                if future is not None and (tell := self._early.get(said["id"])) is not None:
                    tell(said["early"])
            elif future is not None and not future.done():
                future.set_result(said)
            elif "is_ready" in said and not ready.done():
                ready.set_result(None)
        await process.wait()
        self._give_up(f"{self.python} has ended")

    def _give_up(self, why: str) -> None:
        if self._ready is not None and not self._ready.done():
            self._ready.set_result(None)
        for future in self._waiting.values():
            if not future.done():
                future.set_result({"why": why})
        self._waiting.clear()


def memory_of(pid: int) -> int:
    """The bytes of memory that a process holds; 0 where that cannot be told."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError, AttributeError):
        return 0
