"""What an answer hangs on besides the program: mypy re-checks a module of its cache if this changes."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import Any

import arraytyping
from arraytyping_mypy.settings import BuildSettings

__all__ = ["fingerprint"]


@cache
def _sources() -> str:
    """A hash of the plugin's and the ground floor's own sources: mypy hashes the plugin's entry file alone."""
    digest = hashlib.sha256()
    folders = (Path(arraytyping.__file__).parent, Path(__file__).parent)
    for folder in folders:
        for path in sorted(folder.rglob("*.py")):
            digest.update(path.relative_to(folder).as_posix().encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


def fingerprint(settings: BuildSettings, module: str) -> dict[str, Any]:
    """Text by text what changes an answer in this module; string keys and JSON values, as mypy's cache needs them."""
    return {"sources": _sources(), "settings": settings.fingerprint(module)}
