"""What an answer hangs on besides the program: Python, our own sources, and whatever is installed.

It imports nothing of ours, so that it can be sent to a process that has none of it.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import sys
from functools import cache

__all__ = ["installed_here", "sources_digest", "versions"]


@cache
def versions() -> list[str]:
    """Python, a digest of our own sources, and the distributions with their versions."""
    here = installed_here()
    return [sys.version, here.pop("arraytyping"), *(f"{name} {version}" for name, version in sorted(here.items()))]


def installed_here() -> dict[str, str]:
    """The versions of this process by name; in the place of our own version a digest of our sources."""
    from importlib.metadata import distributions  # slow, and not needed for a digest alone

    found = {d.name: d.version for d in distributions()}
    found["Python"] = sys.version.partition(" ")[0]
    spec = importlib.util.find_spec("arraytyping")
    places = None if spec is None else spec.submodule_search_locations
    found["arraytyping"] = sources_digest(places[0]) if places else "not installed"
    return found


def sources_digest(*places: str) -> str:
    """A digest of the Python files in folders; it is made at each start, of more than a thousand of them."""
    digest = hashlib.sha256()
    waiting = [*places]
    while waiting:
        with os.scandir(waiting.pop()) as found:
            entries = sorted(found, key=lambda entry: entry.name)
        for entry in entries:
            if entry.name.endswith(".py"):
                digest.update(entry.name.encode())
                with open(entry.path, "rb", buffering=0) as file:  # noqa: PTH123
                    digest.update(file.read())
            elif entry.name != "__pycache__" and entry.is_dir():
                waiting.append(entry.path)
    return digest.hexdigest()
