"""The key with which this user's reports are signed: it lies outside of every repository.

A repository may contain a directory of reports that somebody else has written; these are signed with another key, or
with none.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
import sys
from functools import cache
from pathlib import Path
from typing import Final

from arraytyping.regular_files import read_regular

__all__ = ["VARIABLE", "cache_key", "state_directory"]

VARIABLE: Final = "ARRAYTYPING_CACHE_KEY"

_LENGTH: Final = 32


@cache
def cache_key() -> bytes | None:
    """The key of this user, made when it is first asked for; None where there is no place for it.

    Those who share a directory of reports share a key, in a variable of the environment.
    """
    if given := os.environ.get(VARIABLE):
        return hashlib.sha256(given.encode()).digest()
    try:
        file = state_directory() / "cache.key"
        with contextlib.suppress(OSError):
            file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            _make(file)
        key = read_regular(file, _LENGTH, follow_links=False)
        if len(key) != _LENGTH or (sys.platform != "win32" and file.lstat().st_uid != os.getuid()):
            return None
    except (OSError, RuntimeError):  # there is no home
        return None
    return key


def _make(file: Path) -> None:
    """Make a key, unless there is one: other runs that start just now see it whole, and all the same.

    Raises:
        OSError: if it is made by another run meanwhile, or cannot be made.
    """
    if file.exists():
        return
    partial = file.with_name(f"{file.name}.partial-{secrets.token_hex(8)}")
    descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as made:
            made.write(os.urandom(_LENGTH))
        try:
            os.link(partial, file)  # which never replaces what is there
        except FileExistsError:
            raise
        except OSError:  # a file system without links
            partial.replace(file)
    finally:
        partial.unlink(missing_ok=True)


def state_directory() -> Path:
    """Where programs keep what lasts between their runs."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home(), "arraytyping")
    given = os.environ.get("XDG_STATE_HOME", "")
    return Path(given if Path(given).is_absolute() else Path.home() / ".local" / "state", "arraytyping")
