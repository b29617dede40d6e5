"""The standard streams of a command: what cannot be written there is said in one line, and is no result of a check."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from typing import Any

from typing_extensions import override

__all__ = ["CannotWriteError", "give_up", "guard_streams"]


class CannotWriteError(BaseException):
    """The standard output takes nothing (more); no handler of an `OSError` is meant."""


class _Descriptor(io.FileIO):
    """An open file of the system."""

    @override
    def write(self, data: Any, /) -> int:
        try:
            return super().write(data)
        except OSError as error:
            raise CannotWriteError(error.strerror or str(error)) from None


def guard_streams() -> None:
    """Let the streams write every character, in some form, and say so where they cannot write.

    Raises:
        CannotWriteError: if there is no standard output.
    """
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    elif isinstance(sys.stderr, io.TextIOWrapper):
        sys.stderr.reconfigure(errors="backslashreplace")
    if sys.stdout is None:
        raise CannotWriteError("it is closed")
    if isinstance(sys.stdout, io.TextIOWrapper):
        given = sys.stdout
        raw = _Descriptor(given.fileno(), "wb", closefd=False)
        sys.stdout = io.TextIOWrapper(
            io.BufferedWriter(raw),
            encoding=given.encoding,
            errors="backslashreplace",
            line_buffering=given.line_buffering,
        )


def give_up(error: CannotWriteError) -> int:
    """Say why nothing can be written, if that is possible; the exit code."""
    with contextlib.suppress(OSError):
        print(f"arraytyping: error: the standard output cannot be written: {error}", file=sys.stderr, flush=True)
    return 2
