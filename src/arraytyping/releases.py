"""The releases of JAX that the rules are known to hold for, by their first two numbers."""

from __future__ import annotations

from typing import Final

__all__ = ["NEWEST", "OLDEST", "Release"]

Release = tuple[int, int]

OLDEST: Final[Release] = (0, 8)
"""The oldest, held to be described by the rules as `rules.older_releases` loosens them."""

NEWEST: Final[Release] = (0, 10)
"""The newest, of which the rules are written."""
