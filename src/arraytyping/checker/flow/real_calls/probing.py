"""Attributes that are looked for in any real object, without waking what its class makes up for names that it lacks."""

from __future__ import annotations

from typing import Any

__all__ = ["attribute_of"]


def attribute_of(value: Any, name: str, default: Any = None) -> Any:
    """`getattr`, past a `__getattr__` of the class, by which a module of Flax sets itself up."""
    kind: Any = type(value)
    if not hasattr(kind, "__getattr__"):
        return getattr(value, name, default)
    try:
        return kind.__getattribute__(value, name)
    except AttributeError:
        return default
