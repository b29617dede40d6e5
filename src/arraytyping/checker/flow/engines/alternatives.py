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
    for at, value in enumerate(call.args):
        if isinstance(value, UnionValue):

            def with_argument(one: Value, at: int = at) -> Value:
                return perform(call.with_args([*call.args[:at], one, *call.args[at + 1 :]]))

            return of_each(it, value.values, with_argument)
    for name, value in call.kwargs.items():
        if isinstance(value, UnionValue):

            def with_keyword(one: Value, name: str = name) -> Value:
                return perform(call.with_kwargs({**call.kwargs, name: one}))

            return of_each(it, value.values, with_keyword)
    return MISSING
