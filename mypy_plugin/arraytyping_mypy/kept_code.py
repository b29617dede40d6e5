"""What is in the files of programs, kept in mypy's cache: to take them apart takes half of the decision on x64.

An edit of one file is a new decision for all of them; of each file that has the content that it had, what it imports
and uses is known.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, MutableMapping
from pathlib import Path
from typing import Any, Final

from arraytyping_mypy.own_sources import keep, own_sources

__all__ = ["KeptCode"]

_KEPT: Final = "arraytyping-code"


class KeptCode(MutableMapping[str, list[Any]]):
    """What is in files, by digests of their contents."""

    def __init__(self, cache_dir: str) -> None:
        self._file: Final = Path(cache_dir, _KEPT)
        self._mark: Final = f"{own_sources(cache_dir)} {sys.version}"
        self._used: dict[str, list[Any]] = {}
        self._is_new = False
        self._known: dict[str, list[Any]] = {}
        try:
            kept = json.loads(self._file.read_text("utf-8"))
            if kept["mark"] == self._mark:
                self._known = dict(kept["files"])
        except (OSError, ValueError, LookupError, TypeError):
            pass  # none is kept, or not by this release

    def __getitem__(self, digest: str) -> list[Any]:
        found = self._used[digest] = self._known[digest]
        return found

    def __setitem__(self, digest: str, parts: list[Any]) -> None:
        self._known[digest] = self._used[digest] = parts
        self._is_new = True

    def __delitem__(self, digest: str) -> None:
        del self._known[digest]

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)

    def save(self) -> None:
        """Keep what was asked for, where some of it is new."""
        if self._is_new:
            keep(self._file, json.dumps({"mark": self._mark, "files": self._used}))
