"""`vars(x)` and `x.__dict__`: a dict that is the attributes of an instance."""

from __future__ import annotations

from typing import Any

from arraytyping.checker.flow.state.joins import join_all
from arraytyping.checker.flow.values import MISSING, DictValue, InstanceValue, Unknown

__all__ = ["InstanceDict"]


class InstanceDict(DictValue):
    """The attributes of an instance as a dict: what is written to one is in the other."""

    __slots__ = ("owner",)

    def __init__(self, owner: InstanceValue) -> None:
        self.owner: InstanceValue = owner
        super().__init__(owner.attributes)

    @property
    def items(self) -> dict[Any, Any]:
        """The attributes by name."""
        return self.owner.attributes

    @items.setter
    def items(self, items: dict[Any, Any] | None) -> None:
        if items is None:  # which names there are is no longer known: then each may be bound to anything
            joined = join_all(self.owner.attributes.values())
            why = "an attribute that may be bound through __dict__"
            items = {name: Unknown(why) for name in self.owner.attributes} if joined is not MISSING else {}
        self.owner.attributes = items
