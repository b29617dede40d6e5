"""What flow reports: a mistake at an expression, how the program came there, and whether it is certain."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

__all__ = ["CODES", "Call", "Mistake"]

CODES: Final = {
    "array-traced": "A value is asked for that is not there while JAX traces, such as the truth of a tracer.",
    "array-annotation": "A value contradicts the annotation of a parameter, return value, variable or field.",
    "array-tree": "Two pytrees that must have the same structure differ.",
    "array-call": "JAX or Python refuses a call, an attribute or a key.",
}
"""The codes that only flow reports, beside those of the rules."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call on the way to a mistake: the function, and the line of its caller where it was called."""

    function: str
    path: str
    line: int


@dataclass(frozen=True, slots=True)
class Mistake:
    """A mistake at an expression; lines count from 1 and columns from 0, as in `ast`."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    code: str
    message: str
    chain: tuple[Call, ...] = ()
    is_certain: bool = True
    is_warning: bool = False

    @property
    def position(self) -> tuple[str, int, int, int, int]:
        """Where it is."""
        return self.path, self.line, self.column, self.end_line, self.end_column

    def __str__(self) -> str:
        kind = "warning" if self.is_warning else "error"
        return f"{self.path}:{self.line}:{self.column + 1}: {kind}: {self.message}  [{self.code}]"
