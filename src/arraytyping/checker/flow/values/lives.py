"""How long an array can be used: until its buffer is given away, or, of a tracer, as long as its trace is under way."""

from __future__ import annotations

import ast
from typing import Any, NamedTuple

from typing_extensions import override

from arraytyping.checker.flow.values.basic import Mutable

__all__ = ["SEVERAL_LIVES", "End", "Frozen", "Life"]


class End(NamedTuple):
    """Why an array can no longer be used: it was `donated` to a function, or that function was traced; and where."""

    is_donated: bool
    function: str
    path: str
    line: int


class Frozen(NamedTuple):
    """What is called once while a function is traced, though it gives another value each time."""

    what: str
    advice: str
    calls: tuple[tuple[str, Any, ast.AST], ...]


class Life(Mutable):
    """The life of one buffer, or of all tracers of one trace; `end` is why it is over, if that is certain.

    `frozen` is what is called meanwhile though it gives another value each time; None once a seed was set.
    """

    __slots__ = ("end", "frozen")

    def __init__(self) -> None:
        super().__init__()
        self.end: End | None = None
        self.frozen: list[Frozen] | None = []

    @override
    def snapshot(self) -> Any:
        return self.end

    @override
    def restore(self, snapshot: Any) -> None:
        self.end = snapshot

    @staticmethod
    def joined(a: Any, b: Any) -> Any:
        """It is certain that it is over if it is on either path."""
        return None if b is None else a


SEVERAL_LIVES: Life = Life()
"""That of what stands for several arrays: nothing is known of it."""
