"""What layers of all libraries say alike of a window that is moved over an array."""

from __future__ import annotations

from typing import Any

__all__ = ["sizes_of"]


def sizes_of(value: Any, count: int) -> tuple[int, ...] | None:
    """So many sizes, all of which are one if one is given; None if they are not known."""
    if type(value) is int:
        return (value,) * count
    if not isinstance(value, tuple | list) or len(value) != count or not all(type(n) is int for n in value):
        return None
    return tuple(value)
