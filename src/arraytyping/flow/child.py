"""A question that is answered in a process of its own, which alone loads jax and the libraries of a program."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from arraytyping.flow import bootstrap

__all__ = ["NoAnswerError", "ask", "give"]


T = TypeVar("T")


class NoAnswerError(Exception):
    """The process ended before it had an answer; the message says why."""


def ask(module: str, request: Mapping[str, Any], read: Callable[[Any], T], python: str | None = None) -> T:
    """What the function `answer` of a module, called with the request's file and the answer's, gives; `read` reads it.

    `python` is the interpreter that has the libraries of the program; without one it is ours.

    Raises:
        NoAnswerError: if it ends without an answer.
    """
    with tempfile.TemporaryDirectory(prefix="arraytyping-") as directory:
        asked, answered = Path(directory, "request.json"), Path(directory, "report.json")
        asked.write_text(json.dumps(request), encoding="utf-8")
        done = subprocess.run(
            [*_command(module, python), str(asked), str(answered)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env={**os.environ, "JAX_PLATFORMS": "cpu"},  # nothing is computed, so no accelerator is looked for
        )
        try:
            return read(json.loads(answered.read_bytes()))
        except (OSError, ValueError, KeyError, TypeError):
            said = done.stderr.decode("utf-8", errors="replace").strip().splitlines()
            why = said[-1] if said else f"exit code {done.returncode}"
            raise NoAnswerError(f"flow ended before it had an answer: {why}") from None


def _command(module: str, python: str | None) -> list[str]:
    if python is None or python == sys.executable:
        code = f"import sys; from {module} import answer; answer(sys.argv[1], sys.argv[2])"
        return [sys.executable, "-P", "-c", code]
    spec = importlib.util.find_spec("typing_extensions")
    return [python, "-P", bootstrap.__file__, str(None if spec is None else spec.origin), module]


def give(answer: Any, file: str) -> NoReturn:
    """Write the answer, and end this process: what the libraries have started, and all values, need not be put away."""
    partial = Path(f"{file}.partial")
    partial.write_text(json.dumps(answer), encoding="utf-8")
    partial.replace(file)
    with contextlib.suppress(OSError):
        sys.stderr.flush()
    os._exit(0)
