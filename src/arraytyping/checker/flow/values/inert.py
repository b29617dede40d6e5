"""What is unknown, but changes nothing that it is given."""

from __future__ import annotations

from arraytyping.checker.flow.values.basic import Unknown

__all__ = ["InertValue"]


class InertValue(Unknown):
    """A part of a library that only reads what it is given: it draws, logs or writes it."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"InertValue({self.why!r})"
