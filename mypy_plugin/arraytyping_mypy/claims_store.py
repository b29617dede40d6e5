"""The claims of modules that mypy takes from its cache: a file for each beside it, written when a module is checked.

A module's file is removed before mypy can write its own result, and written after the build; so it is there
exactly if it belongs to what mypy has in its cache, however a build ends.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from pathlib import Path
from typing import Any

from arraytyping import __version__
from arraytyping.checker.claims import FileClaims
from arraytyping.regular_files import read_regular

__all__ = ["ClaimsStore"]


class ClaimsStore:
    """Keeps the claims of modules in a directory, or nowhere."""

    def __init__(self, directory: Path | None) -> None:
        self._directory = directory
        self._found: dict[str, tuple[FileClaims, FileClaims]] = {}

    def find(self, module: str, source: Path, key: Any) -> FileClaims | None:
        """The claims of a module whose text and fingerprint are as they were, or None: those for any caller."""
        if self._directory is None:
            return None
        if module not in self._found:
            try:
                stored = json.loads(self._file(module).read_text(encoding="utf-8"))
                if stored["key"] != self._key(source, key):
                    return None
                claims = FileClaims.from_json(stored["claims"])
                alone = stored.get("alone")
                self._found[module] = claims, claims if alone is None else FileClaims.from_json(alone)
            except (OSError, ValueError, KeyError, TypeError):
                return None
        return self._found[module][0]

    def found(self, module: str, *, is_alone: bool) -> FileClaims | None:
        """The claims of a module that `find` has found; `is_alone` says that no other module calls its functions."""
        found = self._found.get(module)
        return None if found is None else found[is_alone]

    def remove(self, module: str) -> None:
        """Forget the claims of a module that is about to be checked again."""
        self._found.pop(module, None)
        if self._directory is not None:
            try:
                self._file(module).unlink(missing_ok=True)
            except OSError:
                self._directory = None  # nothing can be kept where nothing can be removed

    def write(self, module: str, source: Path, key: Any, claims: FileClaims, alone: FileClaims | None) -> None:
        """Keep the claims of a module; where that fails, it is checked again the next time.

        `alone` are those that hold where no other module calls its functions, if there are more.
        """
        if self._directory is None:
            return
        file = self._file(module)
        partial = file.with_suffix(f".{os.getpid()}")
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            stored = {"key": self._key(source, key), "claims": claims.to_json()}
            if alone is not None:
                stored["alone"] = alone.to_json()
            partial.write_text(json.dumps(stored), encoding="utf-8")
            partial.replace(file)
        except OSError:
            with contextlib.suppress(OSError):
                partial.unlink(missing_ok=True)

    def _file(self, module: str) -> Path:
        assert self._directory is not None
        return self._directory / f"{module}.json"

    @staticmethod
    def _key(source: Path, key: Any) -> Any:
        digest = hashlib.sha256(read_regular(source)).hexdigest()
        return json.loads(json.dumps([__version__, digest, key]))
