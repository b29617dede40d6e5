"""How a cluster is named that follows entry points."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["ExecutorError", "endpoint", "scheduler_address"]

_ADDRESS: Final = re.compile(r"dask://(\[[0-9a-fA-F:]+\]|[^\s/:]+):(\d{1,5})")


class ExecutorError(Exception):
    """A cluster cannot be used; the message is one sentence."""


def scheduler_address(text: str) -> str:
    """The address of the scheduler as dask has it.

    Raises:
        ExecutorError: if the text is none.
    """
    host, port = endpoint(text)
    return f"tcp://[{host}]:{port}" if ":" in host else f"tcp://{host}:{port}"


def endpoint(text: str) -> tuple[str, int]:
    """The host and the port of the scheduler.

    Raises:
        ExecutorError: if the text names none.
    """
    found = _ADDRESS.fullmatch(text)
    if found is None or not 0 < int(found[2]) < 65536:
        raise ExecutorError(f"{text!r} is no executor: it is the address of a dask scheduler, dask://HOST:PORT")
    return found[1].strip("[]"), int(found[2])
