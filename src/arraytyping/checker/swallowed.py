"""Exceptions of whatever class that are caught, since nothing is known then: each is counted, and `--debug` shows them.

A broad `except` hides our own mistakes as well as those that it is meant for; the counts say which it was.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

__all__ = ["SWALLOWED", "shown", "swallow", "swallowing"]

SWALLOWED: Final[Counter[str]] = Counter()
"""How often each exception was caught in this process: where it was caught, what it was, and where it came from."""


def swallow(error: BaseException, depth: int = 1) -> None:
    """Count an exception that is not passed on; the handler that calls this is the one that is named."""
    frame: FrameType | None = sys._getframe(depth)
    where = "?" if frame is None else f"{_short(frame.f_code.co_filename)}:{frame.f_lineno}"
    SWALLOWED[f"{where}: {shown(error)}"] += 1


def shown(error: BaseException) -> str:
    """An exception in one line: its class, what it says, and where it was raised."""
    at = error.__traceback__
    while at is not None and at.tb_next is not None:
        at = at.tb_next
    origin = "" if at is None else f" ({_short(at.tb_frame.f_code.co_filename)}:{at.tb_lineno})"
    return f"{type(error).__name__}: {_message(error)}{origin}"


@contextmanager
def swallowing() -> Iterator[None]:
    """Catch and count whatever exception comes, and go on behind the block."""
    try:
        yield
    except Exception as error:
        swallow(error, 3)


def _short(file: str) -> str:
    return file.replace("\\", "/").rpartition("/")[2]


def _message(error: BaseException) -> str:
    try:
        return str(error).partition("\n")[0][:100]
    except Exception:  # a library's exception that cannot be shown
        return "..."
