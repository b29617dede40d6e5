"""Which files Python has compiled as they are, as the header of their bytecode says.

Source: PEP 552; https://docs.python.org/3/reference/import.html#cached-bytecode-invalidation.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Final

from arraytyping.regular_files import check_regular

__all__ = ["is_compiled"]

_HEADER: Final = 16
_FOUR: Final = 0xFFFFFFFF


def is_compiled(path: Path, data: bytes) -> bool:
    """Whether Python would load the bytecode of a file with this content and not compile it, and so has compiled it."""
    try:
        bytecode = Path(importlib.util.cache_from_source(str(path)))
        check_regular(bytecode)
        with bytecode.open("rb") as file:
            header = file.read(_HEADER)
        if len(header) != _HEADER or header[:4] != importlib.util.MAGIC_NUMBER:
            return False
        if int.from_bytes(header[4:8], "little"):
            return header[8:] == importlib.util.source_hash(data)
        status = path.stat()
    except (OSError, NotImplementedError, ValueError):
        return False
    told = int.from_bytes(header[8:12], "little"), int.from_bytes(header[12:], "little")
    return told == (int(status.st_mtime) & _FOUR, len(data) & _FOUR)
