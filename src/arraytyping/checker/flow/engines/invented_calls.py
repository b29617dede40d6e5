"""What has to be around a call that nothing in the program makes: a library may ask for a context, as Haiku does.

Adapters say so by `within`; each is asked in turn.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import FunctionValue

__all__ = ["call_within", "within"]

_Run = Callable[[], None]
_Context = Callable[[Interpreter, FunctionValue, _Run], bool]

_CONTEXTS: Final[list[_Context]] = []


def within(context: _Context) -> _Context:
    """Register what runs a call of a function in a context of a library; it says whether it did."""
    _CONTEXTS.append(context)
    return context


def call_within(it: Interpreter, function: FunctionValue, run: _Run) -> None:
    """Run a call of a function that nothing makes, in the context of the first library that the function asks for."""
    if not any(context(it, function, run) for context in _CONTEXTS):
        run()
