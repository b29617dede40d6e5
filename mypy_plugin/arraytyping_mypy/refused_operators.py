"""Where operators stand of which we tell that they are mistakes, so that mypy need not say so again.

mypy tells of one at the whole expression or at the operand that does not fit.
"""

from __future__ import annotations

from collections.abc import Iterable

from mypy.errors import ErrorInfo
from mypy.nodes import Context

__all__ = ["RefusedOperators"]

_Place = tuple[int, int, int, int]


class RefusedOperators:
    """The operators of a module of which we tell."""

    def __init__(self) -> None:
        self._places: set[_Place] = set()

    def add(self, expressions: Iterable[Context]) -> None:
        """Note an operator of which we tell: the expression, and what the array is put together with in it."""
        for node in expressions:
            end = node.end_column or node.column + 1
            self._places.add((node.line, node.column, node.end_line or node.line, end))

    def has(self, error: ErrorInfo) -> bool:
        """Whether an error of mypy's stands where we tell of an operator."""
        return (error.line, error.column, error.end_line, error.end_column) in self._places
