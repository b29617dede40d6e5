"""The releases of JAX that the rules are known to hold for, by their first two numbers."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["NEWEST", "OLDEST", "Release", "release_of", "unsupported"]

Release = tuple[int, int]

OLDEST: Final[Release] = (0, 8)
"""The oldest, held to be described by the rules as `rules.older_releases` loosens them."""

NEWEST: Final[Release] = (0, 10)
"""The newest, of which the rules are written."""


def release_of(version: str) -> Release | None:
    """The first two numbers of a version such as "0.10.2"; None if it does not begin with two."""
    found = re.match(r"(\d+)\.(\d+)", version)
    return None if found is None else (int(found[1]), int(found[2]))


def unsupported(version: str) -> str:
    """What the user is told of a release that is not supported."""
    oldest, newest = (".".join(map(str, release)) for release in (OLDEST, NEWEST))
    return (
        f"arraytyping knows jax {oldest} to {newest}, and this is {version}: "
        "only what has been the same in all releases is checked; install a supported jax or a newer arraytyping"
    )
