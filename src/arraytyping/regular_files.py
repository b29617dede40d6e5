"""Files that are read whole: regular ones of a bounded size, since others may have no end, or wait for ever.

What is given in the place of a file's content is read instead: what an editor has not saved, the standard input, the
program that a notebook is.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Final

__all__ = [
    "MOST_BYTES",
    "check_regular",
    "content_of",
    "give_contents",
    "given_contents",
    "is_file",
    "names_in",
    "read_regular",
    "read_regular_text",
]

MOST_BYTES: Final = 10_000_000
"""No source and no configuration is longer."""


def read_regular(path: Path, most: int = MOST_BYTES, *, follow_links: bool = True) -> bytes:
    """The content of a regular file.

    Raises:
        OSError: if it cannot be read, is no regular file, or is longer than `most` bytes.
    """
    if (given := content_of(path)) is not None:
        return given
    # Devices may do something when they are opened, so the file is looked at before as well as after.
    _check(path.stat(follow_symlinks=follow_links), path, most)
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
    if not follow_links:
        flags |= getattr(os, "O_NOFOLLOW", 0)
    with os.fdopen(os.open(path, flags), "rb") as file:
        _check(os.fstat(file.fileno()), path, most)
        data = file.read(most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, _too_long(most), str(path))
    return data


def is_file(path: str) -> bool:
    """Whether there is a file at a path, or a content is given in the place of one."""
    return os.path.isfile(path) or content_of(path) is not None  # noqa: PTH113


def names_in(folder: Path) -> str | None:
    """A text that is another one where the names in a folder are others; None if it is no folder."""
    try:
        names = sorted(f"{e.name}/" if e.is_dir() else e.name for e in os.scandir(folder) if e.name != "__pycache__")
    except OSError:
        return None
    return "\n".join(names)


def check_regular(path: Path) -> None:
    """Refuse what `read_regular` would refuse.

    Raises:
        OSError: then.
    """
    if content_of(path) is None:
        _check(path.stat(), path, MOST_BYTES)


_given: Final[dict[str, bytes]] = {}
"""By real path."""


def give_contents(contents: Mapping[str, bytes]) -> None:
    """Read these in the place of the files at these paths, and no others."""
    given = {os.path.realpath(path): content for path, content in contents.items()}
    _given.clear()
    _given.update(given)


def given_contents() -> Mapping[str, bytes]:
    """What is read in the place of files, by real path."""
    return dict(_given)


def content_of(path: Path | str) -> bytes | None:
    """What is read in the place of a file; None if it is read itself."""
    return _given.get(os.path.realpath(path)) if _given else None


def read_regular_text(path: Path) -> str:
    """The text of a regular file in UTF-8.

    Raises:
        OSError: as `read_regular`.
        UnicodeDecodeError: if it is no text.
    """
    return read_regular(path).decode("utf-8")


def _check(found: os.stat_result, path: Path, most: int) -> None:
    if not stat.S_ISREG(found.st_mode):
        what = "Is a directory" if stat.S_ISDIR(found.st_mode) else "it is no regular file"
        raise OSError(errno.EINVAL, what, str(path))
    if found.st_size > most:
        raise OSError(errno.EFBIG, _too_long(most), str(path))


def _too_long(most: int) -> str:
    return f"it is longer than {most:,} bytes"
