"""The mark of a value that is not there."""

from __future__ import annotations

from typing import Any, Final

__all__ = ["MISSING"]


class _Missing:
    """The type of `MISSING`: no value, as of a variable that is not bound."""

    def __repr__(self) -> str:
        return "MISSING"


MISSING: Final[Any] = _Missing()
