"""Signals: what ends the interpretation of an expression or of a whole path, and the attempts that look out for it."""

from __future__ import annotations

import ast
from typing import Any

from arraytyping.checker.flow.state.diagnostics import Condition
from arraytyping.checker.flow.values import ClassValue, Value
from arraytyping.checker.flow.values.frames import Module

__all__ = ["Attempt", "OutOfTime", "ProgramEnds", "Raised", "Recursion", "Signal", "TestEnds"]


class Signal(BaseException):
    """What ends the interpretation of an expression, and is for one further out.

    No handler for any `Exception` catches it: neither ours nor those of jax, which calls functions of the program.
    """


class Raised(Signal):
    """The program raises an exception on every path from here; `value` is the exception, `node` where.

    `is_unsure` and `conditions` say on what it depends that the program comes there, as in a mistake.
    """

    def __init__(self, value: Value, what: str, module: Module, node: ast.AST) -> None:
        super().__init__(what)
        self.is_unsure = False
        self.is_deliberate = False
        """Whether the program says `raise`."""
        self.is_abandoned = False
        """Whether it ends one of several alternatives that are tried out."""
        self.conditions: tuple[Condition, ...] = ()
        self.value = value
        self.what = what
        self.module = module
        self.node = node
        self.dangers = 0
        """How many operations before it may have raised another exception."""

    def is_a(self, kind: type[BaseException]) -> bool | None:
        """Whether the exception is of a class of Python's; None if that is not known."""
        cls = self.value if isinstance(self.value, type | ClassValue) else getattr(self.value, "cls", type(self.value))
        if isinstance(cls, ClassValue):
            known = any(isinstance(base, type) and issubclass(base, kind) for base in cls.mro)
            return known or (None if cls.kind == "unknown" else False)
        return issubclass(cls, kind) if issubclass(cls, BaseException) else None


class Attempt:
    """What is under way of which an exception may be caught.

    `ending` is one that ends it regularly, as `StopIteration` ends a loop, and `may_end` whether that may have come.
    """

    __slots__ = ("ending", "held", "is_unsure", "may_end", "quiet")

    def __init__(self, ending: type[BaseException] | None, quiet: int) -> None:
        self.ending: type[BaseException] | None = ending
        self.may_end: bool = False
        self.is_unsure: bool = False
        self.quiet: int = quiet
        self.held: list[tuple[Any, Any]] = []
        """Places with what they held on paths that are taken back, and on which an exception may have come."""


class ProgramEnds(Signal):
    """The program ends here on purpose: `sys.exit`."""


class TestEnds(ProgramEnds):
    """A test is skipped, or fails on purpose."""

    __test__ = False


class Recursion(Signal):
    """A path needs the result of a call that is under way with the same arguments, of which nothing is known yet."""


class OutOfTime(Signal):
    """The bound on time, or on work, is reached."""
