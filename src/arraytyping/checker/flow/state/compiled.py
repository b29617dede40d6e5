"""One compilation, as reports hold it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

__all__ = ["Compiled"]


class Compiled(NamedTuple):
    """One compilation: of which function, for what, and the line that brings it.

    A function of a library has no place of its own: its line is 0.
    """

    function: str
    path: str
    line: int
    signature: tuple[tuple[str, str], ...]
    caller: str
    caller_line: int

    @staticmethod
    def of(data: Sequence[Any]) -> Compiled:
        """The compilation that JSON holds."""
        function, path, line, signature, caller, caller_line = data
        return Compiled(function, path, line, tuple((name, leaf) for name, leaf in signature), caller, caller_line)
