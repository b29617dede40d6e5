"""Functions and classes of the program that went where flow cannot follow: whoever has them may call them."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Final

from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.run_slots import RunSlot
from arraytyping.checker.flow.values import ClassValue, FunctionValue, Value

__all__ = ["ESCAPED", "may_be_meant_to_fail", "note_escaped"]

ESCAPED: Final[RunSlot[dict[ast.AST, FunctionValue | ClassValue]]] = RunSlot("what has escaped", dict)
"""By where it is defined; of several by one statement the last counts."""


def note_escaped(it: Interpreter, value: FunctionValue | ClassValue) -> None:
    """A function or class went where flow cannot follow, in the run itself: nothing is tried out."""
    if value.node is not None and not (it.quiet or it.attempts or it.inventing):
        ESCAPED.of(it)[value.node] = value


def may_be_meant_to_fail(values: Iterable[Value]) -> bool:
    """Whether functions that go with these values may be there to fail: an exception goes with them."""
    return any(_is_exception(value) for value in values)


def _is_exception(value: Value) -> bool:
    if isinstance(value, tuple):
        return may_be_meant_to_fail(value)
    bases = value.mro if isinstance(value, ClassValue) else (value,)
    return any(isinstance(base, type) and issubclass(base, BaseException) for base in bases)
