"""Calls of concrete objects, and of functions under `jit`; `python/behaviour/` has those of other values."""

from __future__ import annotations

import types
import typing
from typing import Any, Final

from arraytyping.checker.flow.python.calling import call_value, not_callable
from arraytyping.checker.flow.python.concrete_methods import find_concrete_method
from arraytyping.checker.flow.python.methods import call_method
from arraytyping.checker.flow.state.behaviour import CALL
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.laziness import watch
from arraytyping.checker.flow.state.may_raise import note_call
from arraytyping.checker.flow.syntax.array_protocol import as_arrays
from arraytyping.checker.flow.syntax.held_arrays import is_jitted_by_flax, note_held
from arraytyping.checker.flow.syntax.jit import call_staged, lower_mapped
from arraytyping.checker.flow.syntax.jit_shardings import call_placed
from arraytyping.checker.flow.syntax.required_arguments import in_their_places
from arraytyping.checker.flow.values import (
    Descriptor,
    HandlerValue,
    InstanceValue,
    IteratorValue,
    JitValue,
    ListValue,
    MethodOf,
    Value,
    own_methods,
)
from arraytyping.checker.flow.values.calls import Call

__all__: list[str] = []

_NOT_CALLABLE: Final = (types.ModuleType, tuple, str, int, float)

CALL(JitValue)(call_placed)
CALL(type(None))(not_callable)


@CALL(MethodOf)
def _method(it: Interpreter, function: MethodOf, call: Call) -> Value:
    receiver = function.receiver
    if isinstance(receiver, JitValue):
        return call_staged(it, receiver, function.name, call)
    if isinstance(receiver, HandlerValue):
        return lower_mapped(it, receiver, call)
    return call_method(it, receiver, function.name, call)


@CALL(Descriptor)
def _descriptor(it: Interpreter, function: Descriptor, call: Call) -> Value:
    if function.kind == "staticmethod":
        return call_value(it, function.function, call)
    return _concrete(it, function, call)


@CALL(tuple)
def _tuple(it: Interpreter, function: Value, call: Call) -> Value:
    if (method := own_methods(function).get("__call__")) is not None:
        return it.call(method, *call.preceded_by(function))
    return _concrete(it, function, call)


@CALL(object)
def _concrete(it: Interpreter, function: Any, call: Call) -> Value:
    """Call a function or class of a library: by its handler where there is one, else as the engines answer."""
    if isinstance(function, _NOT_CALLABLE) and not callable(function):
        return not_callable(it, function, call)
    if (origin := typing.get_origin(function)) is not None and isinstance(origin, type):
        function = origin  # `dict[str, int]()`
    note_call(it, function, call.args, call.kwargs)
    if any(type(value) is InstanceValue or type(value) is ListValue for value in call.args):
        call = call.with_args(as_arrays(it, function, call.args, call.node))
    handler = it.registry.find(function) or find_concrete_method(it, function)
    if handler is not None:
        made = handler(it, in_their_places(function, call))
        if type(made) is IteratorValue and made.pending is None and made.has_changed is None:
            watch(made, tuple(call.values))
        return made
    result = it.engines.call(it, function, call)
    if is_jitted_by_flax(function):
        note_held(it, function, call, result)
    return result
