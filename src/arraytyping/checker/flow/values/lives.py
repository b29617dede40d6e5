"""How long an array can be used: until its buffer is given away, or, of a tracer, as long as its trace is under way."""

from __future__ import annotations

import ast
from typing import Any, NamedTuple

from typing_extensions import override

from arraytyping.checker.flow.values.basic import Mutable, Value

__all__ = ["SEVERAL_LIVES", "Argument", "End", "Frozen", "Life", "Tracing"]


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


class Argument(NamedTuple):
    """What a function that is traced is given for a parameter: as a tracer, or a tree of them, and as the call has it.

    `is_hashable` says whether what the call has could be a static argument.
    """

    name: str
    traced: Any
    given: Value
    is_hashable: bool


class Tracing(NamedTuple):
    """A trace: `by` what (`jit`), of which function, where that is defined, and with which arguments."""

    by: str
    function: str
    path: str
    line: int
    arguments: tuple[Argument, ...] = ()
    has_static: bool = False
    """Whether some arguments are static already."""


class Life(Mutable):
    """The life of one buffer, or of all tracers of one trace; `end` is why it is over, if that is certain.

    `frozen` is what is called meanwhile though it gives another value each time; None once a seed was set.
    `tracing` says which trace it is.
    """

    __slots__ = ("end", "frozen", "tracing")

    def __init__(self, tracing: Tracing | None = None) -> None:
        super().__init__()
        self.tracing: Tracing | None = tracing
        self.end: End | None = None
        self.frozen: list[Frozen] | None = []

    @override
    def snapshot(self) -> Any:
        return self.end

    @override
    def restore(self, snapshot: Any) -> None:
        self.end = snapshot

    @staticmethod
    def joined(a: Value, b: Value) -> Value:
        """It is certain that it is over if it is on either path."""
        return None if b is None else a


SEVERAL_LIVES: Life = Life()
"""That of what stands for several arrays: nothing is known of it."""
