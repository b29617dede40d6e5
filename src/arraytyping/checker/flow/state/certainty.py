"""What makes a mistake certain: every branch before it was decided, or depends on the data of the program.

The data are values of arrays and random numbers, and what is computed of them: a program that branches on these means
to come by either way.  Whatever else cannot be decided (a type, an identity, a member, an attribute, a key, the
environment) may lead to where the program never comes, and what is found there is possible only: in the branch, and,
where a branch leaves, in what follows of the loop or function.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

from arraytyping.checker.flow.state.diagnostics import Condition
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import ArrayValue, NumPyValue, ScalarValue, UnionValue, Value, is_concrete
from arraytyping.checker.flow.values.frames import NO_DOUBTS, Frame

__all__ = [
    "Undecided",
    "data_bool",
    "depends_on_data",
    "doubt",
    "doubting",
    "given",
    "undecided",
    "under",
    "with_data_of",
]

T = TypeVar("T")


class Undecided(NamedTuple):
    """A condition that is not decided: whether it depends on data, and where it is."""

    is_data: bool
    path: str
    line: int


def depends_on_data(*values: Value) -> bool:
    """Whether what is computed of these values may be one or another because of the program's data."""
    return any(map(_is_data, values))


def _is_data(value: Value) -> bool:
    if isinstance(value, ScalarValue):
        return value.is_data
    if isinstance(value, UnionValue):
        hanging = [v for v in value.values if not is_concrete(v)]
        return bool(hanging) and all(map(_is_data, hanging))
    if isinstance(value, tuple):
        return any(map(_is_data, value))
    return value.is_data if isinstance(value, NumPyValue) else isinstance(value, ArrayValue)


def with_data_of(result: Value, operands: Sequence[Value]) -> Value:
    """What NumPy computes: a scalar of scalars and tuples that do not depend on data does not, either."""
    if isinstance(result, NumPyValue) and result.is_scalar and not depends_on_data(*operands):
        result.is_data = not all(isinstance(v, ScalarValue | NumPyValue | tuple) or is_concrete(v) for v in operands)
    return result


def data_bool(*values: Value) -> ScalarValue:
    """A truth value that is not known, of a question about these values."""
    return ScalarValue(bool, is_data=depends_on_data(*values))


def undecided(it: Interpreter, value: Value, node: ast.AST | None) -> Undecided:
    """The condition that has this value, whose truth is not known."""
    return Undecided(depends_on_data(value), it.frame.module.shown, getattr(node, "lineno", 0))


def under(it: Interpreter, why: Undecided | None, holds: bool | None, run: Callable[[], T]) -> T:
    """Run what is reached only if a condition holds, or does not."""
    if why is None:
        return run()
    conditions = it.conditions
    if why.is_data:
        given(it, why, holds is not False)
    it.path_uncertain += not why.is_data
    try:
        return run()
    finally:
        it.path_uncertain -= not why.is_data
        it.conditions = conditions


def given(it: Interpreter, why: Undecided, holds: bool) -> None:
    """From here on a condition on data holds, or does not."""
    condition = Condition(why.path, why.line, holds)
    if why.is_data and why.line and condition not in it.conditions:
        it.conditions = (*it.conditions, condition)


def doubt(it: Interpreter, frame: Frame) -> None:
    """The rest of the function is reached only if what was not decided has not raised."""
    home = frame.function_frame()
    it.set_doubts(home, home.doubts._replace(raises=home.doubts.raises + 1))


class doubting:
    """Code of a frame of its own: what is not sure behind its branches is sure again behind the code."""

    __slots__ = ("_conditions", "_frame", "_it")

    def __init__(self, it: Interpreter, frame: Frame) -> None:
        self._it = it
        self._frame = frame

    def __enter__(self) -> None:
        self._conditions = self._it.conditions

    def __exit__(self, *ended: object) -> None:
        self._it.set_doubts(self._frame, NO_DOUBTS)
        self._it.conditions = self._conditions
