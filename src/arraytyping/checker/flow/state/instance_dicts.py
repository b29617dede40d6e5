"""`vars(x)` and `x.__dict__`: a dict that is the attributes of an instance."""

from __future__ import annotations

from typing import Any, Final

from arraytyping.checker.flow.values import ANY_ATTRIBUTE, MISSING, DictValue, InstanceValue, Unknown, Value

__all__ = ["ON_SOME_PATHS", "InstanceDict"]

ON_SOME_PATHS: Final = "an attribute that is bound on some paths only"
"""Why an attribute is unknown that may not be there."""

_ANYTHING: Final = Unknown("an attribute that may be bound through __dict__")


class InstanceDict(DictValue):
    """The attributes of an instance as a dict: what is written to one is in the other.

    Of an instance of which it is not known which attributes it has, no name is known.
    """

    __slots__ = ("owner",)

    def __init__(self, owner: InstanceValue) -> None:
        self.owner: InstanceValue = owner
        super().__init__(owner.attributes)

    @property
    def items(self) -> dict[Any, Any] | None:
        """The attributes by name."""
        return None if self._is_open else self.owner.attributes

    @items.setter
    def items(self, items: dict[Any, Any] | None) -> None:
        if items is None:  # which names there are is no longer known: then each may be bound to anything
            items = dict.fromkeys([*self.owner.attributes, ANY_ATTRIBUTE], _ANYTHING)
        self.owner.attributes = items

    @property
    def key(self) -> Value:
        """Any of the names, where these are not known."""
        return _ANYTHING if self._is_open else MISSING

    @key.setter
    def key(self, key: Value) -> None:
        pass

    @property
    def element(self) -> Any:
        """Any of the attributes, where their names are not known; each may be the one that is written to."""
        return _ANYTHING if self._is_open else MISSING

    @element.setter
    def element(self, element: Any) -> None:
        if self._is_open and element is not MISSING:
            self.items = None

    @property
    def _is_open(self) -> bool:
        held = self.owner.attributes
        return ANY_ATTRIBUTE in held or any(isinstance(v, Unknown) and v.why == ON_SOME_PATHS for v in held.values())
