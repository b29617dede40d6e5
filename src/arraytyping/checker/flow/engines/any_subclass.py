"""Instances of which the class is known but for what classes that derive from it have in the place of its own."""

from __future__ import annotations

from typing import Final

from arraytyping.checker.flow.engines.attribute_stores import bound_below
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import MAY_BE_BELOW, ClassValue, Unknown

__all__ = ["any_subclass", "is_changed_below"]

_WHY: Final = "what a class that derives from this one may have of its own"


def any_subclass(it: Interpreter, cls: ClassValue) -> ClassValue:
    """A class that stands for this one and those that derive from it; the class itself if none does."""
    names = bound_below(it, cls)
    if names is None:
        return cls
    found = ClassValue(cls.name, (cls,), dict.fromkeys(sorted(names), Unknown(_WHY)), cls.module)
    found.kind, found.tuple_type, found.pytree, found.node = cls.kind, cls.tuple_type, cls.pytree, cls.node
    found.mro = [found, *cls.mro]
    found.options = {**cls.options, MAY_BE_BELOW: True}
    return found


def is_changed_below(it: Interpreter, cls: ClassValue) -> bool:
    """Whether a class that derives from this one has something of its own in the place of what this one has."""
    names = bound_below(it, cls) or set()
    return any(not names.isdisjoint((*c.namespace, *c.fields)) for c in cls.mro if isinstance(c, ClassValue))
