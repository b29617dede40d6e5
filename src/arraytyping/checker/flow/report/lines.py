"""Lines of JSON through pipes, by which the processes that follow programs ask each other."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from typing import Any, Final

__all__ = ["line_of", "read_last_lines", "read_lines", "write", "write_line"]

_CHUNK: Final = 1 << 20


def read_lines(pipe: int) -> Iterator[Any]:
    """What comes through a pipe, line by line, until its other end is closed."""
    for lines in _read(pipe):
        yield from map(json.loads, lines)


def read_last_lines(pipe: int) -> Iterator[Any]:
    """What comes through a pipe until its other end is closed; of lines that are there together the last one."""
    for lines in _read(pipe):
        yield json.loads(lines[-1])


def _read(pipe: int) -> Iterator[list[bytes]]:
    unread = bytearray()
    while data := os.read(pipe, _CHUNK):
        unread += data
        if b"\n" in data:
            *lines, rest = bytes(unread).split(b"\n")
            unread = bytearray(rest)
            yield lines


def line_of(said: Mapping[str, Any]) -> bytes:
    """What is said as a line."""
    return json.dumps(said).encode() + b"\n"


def write_line(pipe: int, said: Mapping[str, Any], *, before: bytes = b"") -> None:
    """Write one line, and something before it."""
    write(pipe, before + line_of(said))


def write(pipe: int, line: bytes) -> None:
    """Write all of a line."""
    while line:
        line = line[os.write(pipe, line) :]
