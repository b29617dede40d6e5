"""Slots: the attributes that instances of a class have a place for.

Source: https://docs.python.org/3/reference/datamodel.html#slots.
"""

from __future__ import annotations

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
    slots: Any = cls.namespace.get("__slots__", MISSING) if isinstance(cls, ClassValue) else MISSING
    names = slots.items if isinstance(slots, ListValue) else (slots,) if isinstance(slots, str) else slots
    if not isinstance(names, tuple | list):
        return None
    known = tuple(n for n in names if isinstance(n, str))
    return known if len(known) == len(names) else None


def hide_by_slots(cls: ClassValue) -> None:
    """A slot hides a property of the same name that a base has."""
    slots = cls.namespace.get("__slots__")
    names: Any = slots.items if isinstance(slots, ListValue) else slots if isinstance(slots, tuple) else (slots,)
    for name in names or ():
        found = cls.find(name) if isinstance(name, str) else MISSING
        if isinstance(found, Descriptor) and found.kind == "property":
            cls.namespace[name] = Descriptor("slot", None)
