"""Lines of JSON through pipes, by which the processes that follow programs ask each other."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from typing import Any, Final

__all__ = ["read_lines", "write_line"]

_CHUNK: Final = 1 << 20


def read_lines(pipe: int) -> Iterator[Any]:
    """What comes through a pipe, line by line, until its other end is closed."""
    unread = bytearray()
    while data := os.read(pipe, _CHUNK):
        unread += data
        if b"\n" in data:
            *lines, rest = bytes(unread).split(b"\n")
            unread = bytearray(rest)
            for line in lines:
                yield json.loads(line)


def write_line(pipe: int, said: Mapping[str, Any]) -> None:
    """Write one line."""
    line = json.dumps(said).encode() + b"\n"
    while line:
        line = line[os.write(pipe, line) :]
