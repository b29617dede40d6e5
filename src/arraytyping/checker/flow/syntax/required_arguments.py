"""Arguments that a function of a library needs, given by their names: handlers find them in their places.

Source: https://docs.python.org/3/reference/expressions.html#calls.
"""

from __future__ import annotations

import functools
import inspect
from typing import Any

from arraytyping.checker.flow.values import Value
from arraytyping.checker.flow.values.calls import Call, RestArguments

__all__ = ["in_their_places"]


def in_their_places(function: Value, call: Call) -> Call:
    """The call with its required arguments by position, as far as they are given."""
    if not call.kwargs or (call.args and isinstance(call.args[-1], RestArguments)):
        return call
    try:
        names = _required(function)
    except TypeError:  # what has no hash
        return call
    kwargs = dict(call.kwargs)
    moved: list[Any] = []
    for name in names[len(call.args) :]:
        if name not in kwargs:
            break
        moved.append(kwargs.pop(name))
    return Call([*call.args, *moved], kwargs, call.node) if moved else call


@functools.lru_cache(maxsize=4096)
def _required(function: Any) -> tuple[str, ...]:
    """The parameters without a default at the beginning, those that can be given by position and by name."""
    if isinstance(function, type):
        return ()
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return ()
    names: list[str] = []
    for parameter in parameters:
        if parameter.default is not parameter.empty or parameter.kind is not parameter.POSITIONAL_OR_KEYWORD:
            break
        names.append(parameter.name)
    return tuple(names)
