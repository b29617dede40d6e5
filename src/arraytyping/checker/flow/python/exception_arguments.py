"""Exceptions of Python as the program makes them: real ones, whose arguments are there as far as they are known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from arraytyping.checker.flow.values import Value

__all__ = ["exception_of", "has_untold"]


class _Untold(str):
    __slots__ = ()


_UNTOLD: Final = _Untold("...")
"""In the place of an argument that is not known, or is a value of ours."""


def exception_of(cls: type[BaseException], arguments: Sequence[Value]) -> BaseException:
    """An exception with these arguments."""
    return cls(*(v if isinstance(v, str | int | float) else _UNTOLD for v in arguments))


def has_untold(value: Any) -> bool:
    """Whether a value is an exception not all of whose arguments are what the program gave it."""
    return isinstance(value, BaseException) and any(isinstance(v, _Untold) for v in value.args)
