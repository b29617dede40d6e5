"""What plain mypy says of functions that take it long, kept in mypy's cache with all that it hangs on.

mypy itself checks a module again if what one of those says to others has changed from which it imports, or whose types
it meets.  So is an answer of plain mypy: it holds as long as the module's text, those interfaces, the modules that it
imports by whatever way, the libraries and the options are what they were.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from arraytyping_mypy.own_sources import keep

__all__ = ["KeptPlain", "digest_of"]

_KEPT: Final = "arraytyping-plain"
_Said = tuple[int, str, str]
"""The line, the code and the text of an error."""


def digest_of(given: object) -> str:
    """A digest of what JSON can hold, of sets and of objects that say what they are."""
    return hashlib.sha256(json.dumps(given, sort_keys=True, default=_plainly).encode(errors="replace")).hexdigest()


def _plainly(one: object) -> object:
    return sorted(map(str, one)) if isinstance(one, set | frozenset) else repr(one)


class KeptPlain:
    """The answers that are kept in a folder for runs of which this is `given`; none are without a folder."""

    def __init__(self, folder: str | None, given: str) -> None:
        self._file = None if folder is None else Path(folder, _KEPT)
        self._given = given
        self._are_as_they_were: dict[str, bool] = {}
        self._libraries: dict[str, dict[str, list[int]]] = {}
        """By digest, what the files of libraries looked like that had been read by then."""
        self._functions: dict[str, dict[str, Any]] = {}
        try:
            kept = json.loads("{}" if self._file is None else self._file.read_text("utf-8"))
            if kept.get("given") == given:
                self._libraries, self._functions = kept["libraries"], kept["functions"]
        except (OSError, ValueError, LookupError, AttributeError):
            pass  # none are kept, or not by this release

    def found(self, function: str, module: str, interface_of: Callable[[str], str | None]) -> list[_Said] | None:
        """What is kept of a function in a module that is this, where interfaces are those; None if nothing is."""
        kept = self._functions.get(function)
        if kept is None or kept["module"] != module or not self._are_alike(kept["libraries"]):
            return None
        if any(interface_of(name) != interface for name, interface in kept["interfaces"].items()):
            return None
        return [(line, code, text) for line, code, text in kept["errors"]]

    def keep(
        self, function: str, module: str, interfaces: Mapping[str, str | None], files: Iterable[str],
        errors: Iterable[_Said],
    ) -> None:  # fmt: skip
        """Keep what was found of a function, with the interfaces and the files of libraries that it hangs on."""
        looks = {file: look for file in files if (look := _look(file)) is not None}
        if self._file is None or None in interfaces.values():
            return
        libraries = digest_of(looks)
        self._libraries[libraries] = looks
        self._functions[function] = {
            "module": module, "interfaces": dict(interfaces), "libraries": libraries, "errors": list(errors),
        }  # fmt: skip
        used = {one["libraries"] for one in self._functions.values()}
        self._libraries = {name: looks for name, looks in self._libraries.items() if name in used}
        kept = {"given": self._given, "libraries": self._libraries, "functions": self._functions}
        keep(self._file, json.dumps(kept))

    def _are_alike(self, libraries: str) -> bool:
        """Whether the files of libraries are as they were."""
        if libraries not in self._are_as_they_were:
            looks = self._libraries.get(libraries)
            is_so = looks is not None and all(_look(file) == look for file, look in looks.items())
            self._are_as_they_were[libraries] = is_so
        return self._are_as_they_were[libraries]


def _look(file: str) -> list[int] | None:
    try:
        found = os.stat(file)  # noqa: PTH116
    except OSError:
        return None
    return [found.st_size, found.st_mtime_ns, found.st_ctime_ns]
