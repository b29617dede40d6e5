"""Files that are written whole or not at all, and the texts of a program's files, each under its digest.

A text is known by its digest to be the one that was kept, so that it needs no signature.
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import zlib
from pathlib import Path
from typing import Final

from arraytyping.regular_files import MOST_BYTES, read_regular

__all__ = ["PARTIAL", "SOURCE", "keep_source", "kept_source", "make_file", "write_whole"]

SOURCE: Final = re.compile(r"[0-9a-f]{64}\.source")
PARTIAL: Final = re.compile(r"(?:[0-9a-f]{32}-[0-9a-f]{16}|[0-9a-f]{64})\.partial-[0-9a-f]{16}")
"""What a run leaves that was killed while it wrote."""


def keep_source(folder: Path, digest: str, file: Path) -> None:
    """Keep the text of a file, unless it is kept, or has another digest by now.

    Raises:
        OSError: if it cannot be read or written.
    """
    kept = folder / f"{digest}.source"
    if kept.exists():
        return
    content = read_regular(file)
    if hashlib.sha256(content).hexdigest() == digest:
        write_whole(kept, zlib.compress(content))


def kept_source(folder: Path, digest: str) -> bytes:
    """The text of this digest.

    Raises:
        OSError: if it is not kept.
        ValueError: if what is kept is not this text.
    """
    kept = read_regular(folder / f"{digest}.source", follow_links=False)
    try:
        text = zlib.decompressobj().decompress(kept, MOST_BYTES)
    except zlib.error as error:
        raise ValueError(str(error)) from None
    if hashlib.sha256(text).hexdigest() != digest:
        raise ValueError("another text")
    return text


def write_whole(file: Path, data: bytes) -> None:
    """Write a file whole, or not at all.

    Raises:
        OSError: if it cannot be written.
    """
    partial = file.with_suffix(f".partial-{secrets.token_hex(8)}")
    make_file(partial, data)
    try:
        partial.replace(file)
    except OSError:
        partial.unlink(missing_ok=True)
        raise


def make_file(file: Path, data: bytes) -> None:
    """Write a new file; what is there already is left alone, a link too.

    Raises:
        OSError: if it is there, or cannot be written.
    """
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666), "wb") as made:
        try:
            made.write(data)
            made.flush()
        except OSError:  # the disk is full
            file.unlink(missing_ok=True)
            raise
