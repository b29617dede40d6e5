"""Slots: the attributes that instances of a class have a place for.

Source: https://docs.python.org/3/reference/datamodel.html#slots.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arraytyping.checker.flow.values import MISSING, ClassValue, Descriptor, ListValue, Value

__all__ = ["has_no_place_for", "hide_by_slots", "slots_of"]


def has_no_place_for(cls: ClassValue, name: str) -> bool:
    """Whether the slots of a class and of its bases leave no place for an attribute of this name."""
    if "__slots__" not in cls.namespace:
        return False
    allowed: set[Value] = {"__class__"}
    for base in cls.mro:
        if base is object:
            continue
        names = _named_by(base)
        if names is None:
            return False
        allowed.update(names)
    return "__dict__" not in allowed and name not in allowed and cls.kind == "plain" and not cls.options


def slots_of(cls: ClassValue) -> frozenset[Value]:
    """The slots that a class and its bases are known to have."""
    return frozenset(name for base in cls.mro for name in _named_by(base) or ())


def _named_by(cls: Value) -> tuple[str, ...] | None:
    """The slots that a class names itself; None if it has none, or is not understood."""
    names = _written(cls) if isinstance(cls, ClassValue) else None
    return None if names is None or not all(isinstance(n, str) for n in names) else tuple(names)


def _written(cls: ClassValue) -> Sequence[Any] | None:
    """What stands in the `__slots__` of a class, one name or several; None if there is none, or no known number."""
    slots = cls.namespace.get("__slots__", MISSING)
    names = slots.items if isinstance(slots, ListValue) else (slots,) if isinstance(slots, str) else slots
    return names if isinstance(names, tuple | list) else None


def hide_by_slots(cls: ClassValue) -> None:
    """A slot hides a property of the same name that a base has."""
    for name in _written(cls) or ():
        found = cls.find(name) if isinstance(name, str) else MISSING
        if isinstance(found, Descriptor) and found.kind == "property":
            cls.namespace[name] = Descriptor("slot", None)
