"""A question that is answered in a process of its own, which alone loads jax and the libraries of a program."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from types import FrameType
from typing import Any, Final, NoReturn, TypeVar

from arraytyping.checker import garbage
from arraytyping.checker.flow.report import bootstrap

__all__ = [
    "Interrupted",
    "NoAnswerError",
    "ask",
    "command_of",
    "give",
    "interrupt_once",
    "note_progress",
    "raise_if_interrupted",
]


T = TypeVar("T")
_TICK: Final = 0.2


class NoAnswerError(Exception):
    """The process ended before it had an answer; the message says why."""


class Interrupted(Exception):
    """The user has ended the process before its end; `answer` is what it had."""

    def __init__(self, answer: Any) -> None:
        super().__init__()
        self.answer = answer


def ask(
    module: str,
    request: Mapping[str, Any],
    read: Callable[[Any], T],
    python: str | None = None,
    tell: Callable[[str], None] | None = None,
) -> T:
    """What the function `answer` of a module, called with the request's file and the answer's, gives; `read` reads it.

    `python` is the interpreter that has the libraries of the program; without one it is ours.  `tell` is called with
    what the process writes into the file that the request then names as `progress`.

    Raises:
        NoAnswerError: if it ends without an answer.
        Interrupted: if the user interrupts it, and it answers with what it has until then.
    """
    with tempfile.TemporaryDirectory(prefix="arraytyping-") as directory:
        asked, answered = Path(directory, "request.json"), Path(directory, "report.json")
        noted = None if tell is None else Path(directory, "progress")
        asked.write_text(json.dumps({**request, "progress": noted and str(noted)}), encoding="utf-8")
        process = subprocess.Popen(
            [*command_of(module, python), str(asked), str(answered)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env={**os.environ, "JAX_PLATFORMS": "cpu"},  # nothing is computed, so no accelerator is looked for
        )
        is_interrupted, stderr = _wait(process, noted, tell)
        try:
            answer = read(json.loads(answered.read_bytes()))
        except (OSError, ValueError, KeyError, TypeError):
            if is_interrupted:
                raise KeyboardInterrupt from None
            said = stderr.decode("utf-8", errors="replace").strip().splitlines()
            why = said[-1] if said else f"exit code {process.returncode}"
            raise NoAnswerError(f"flow ended before it had an answer: {why}") from None
        if is_interrupted:
            raise Interrupted(answer)
        return answer


def _wait(
    process: subprocess.Popen[bytes], noted: Path | None, tell: Callable[[str], None] | None
) -> tuple[bool, bytes]:
    """Wait for the process to end; Ctrl-C is passed on, so that it answers with what it has, a second one ends it."""
    try:
        while noted is not None and tell is not None:
            try:
                return False, process.communicate(timeout=_TICK)[1]
            except subprocess.TimeoutExpired:
                with contextlib.suppress(OSError, UnicodeDecodeError):
                    tell(noted.read_text(encoding="utf-8"))
        return False, process.communicate()[1]
    except KeyboardInterrupt:
        try:
            process.send_signal(signal.SIGINT)
            return True, process.communicate()[1]
        except KeyboardInterrupt:
            process.kill()
            process.wait()
            raise


def interrupt_once() -> None:
    """Let the first Ctrl-C raise, and ignore further ones: the terminal sends one, and who asks passes one on.

    So does SIGTERM, which whoever limits the time may send to all processes.
    """

    def handle(number: int, frame: FrameType | None) -> NoReturn:
        for one in (signal.SIGINT, signal.SIGTERM):
            signal.signal(one, signal.SIG_IGN)
        _interruptions.append(number)
        raise KeyboardInterrupt

    for one in (signal.SIGINT, signal.SIGTERM):
        signal.signal(one, handle)


_interruptions: Final[list[int]] = []


def raise_if_interrupted() -> None:
    """Raise again what is lost where Python cannot pass an exception on, as in what runs when a process is forked.

    Raises:
        KeyboardInterrupt: if the user has interrupted this process.
    """
    if _interruptions:
        raise KeyboardInterrupt


def command_of(module: str, python: str | None) -> list[str]:
    """The command that calls the function `answer` of a module with the arguments that follow."""
    if python is None or python == sys.executable:
        seldom = f"from {garbage.__name__} import collect_seldom; collect_seldom()"
        code = f"import sys; {seldom}; from {module} import answer; answer(*sys.argv[1:])"
        return [sys.executable, "-P", "-c", code]
    spec = importlib.util.find_spec("typing_extensions")
    return [python, "-P", bootstrap.__file__, str(None if spec is None else spec.origin), module]


def note_progress(file: str | None, text: str) -> None:
    """Write what is done into the file that the request names."""
    if file is not None:
        partial = Path(f"{file}.partial")
        with contextlib.suppress(OSError):
            partial.write_text(text, encoding="utf-8", errors="replace")
            partial.replace(file)


def give(answer: Any, file: str) -> NoReturn:
    """Write the answer, and end this process: what the libraries have started, and all values, need not be put away."""
    partial = Path(f"{file}.partial")
    partial.write_text(json.dumps(answer), encoding="utf-8")
    partial.replace(file)
    with contextlib.suppress(OSError):
        sys.stderr.flush()
    os._exit(0)
