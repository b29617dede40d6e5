"""Calls with one of several values in their arguments: once for each of these, in a state of its own."""

from __future__ import annotations

from collections.abc import Callable

from arraytyping.checker.flow.state.branching import of_each
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import MISSING, UnionValue, Value
from arraytyping.checker.flow.values.calls import Call

__all__ = ["with_each"]


def with_each(it: Interpreter, call: Call, perform: Callable[[Call], Value]) -> Value:
    """What comes of a call with each of the values that its first such argument may be; MISSING if there is none."""
    places: list[tuple[int | str, Value]] = [*enumerate(call.args), *call.kwargs.items()]
    several = next(((at, value) for at, value in places if isinstance(value, UnionValue)), None)
    if several is None:
        return MISSING
    at, value = several
    return of_each(it, value.values, lambda one: perform(_with(call, at, one)))


def _with(call: Call, at: int | str, value: Value) -> Call:
    """The call with another argument at a position or under a name."""
    if isinstance(at, str):
        return call.with_kwargs({**call.kwargs, at: value})
    return call.with_args([*call.args[:at], value, *call.args[at + 1 :]])
