"""Calls, by what is called."""

from __future__ import annotations

import types
import typing
from typing import Any, Final

from arraytyping.checker.flow.python import classes, functions
from arraytyping.checker.flow.python.concrete_methods import find_concrete_method
from arraytyping.checker.flow.python.methods import call_method
from arraytyping.checker.flow.python.operator_names import kind_name
from arraytyping.checker.flow.state.branching import of_each
from arraytyping.checker.flow.state.forgetting import forget_reachable
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.laziness import watch
from arraytyping.checker.flow.state.may_raise import note_call
from arraytyping.checker.flow.syntax.array_protocol import as_arrays
from arraytyping.checker.flow.syntax.held_arrays import is_jitted_by_flax, note_held
from arraytyping.checker.flow.syntax.jit import call_staged
from arraytyping.checker.flow.syntax.jit_shardings import call_placed
from arraytyping.checker.flow.values import (
    MISSING,
    ArrayValue,
    BoundMethod,
    ClassValue,
    Descriptor,
    DictValue,
    FunctionValue,
    HandlerValue,
    InertValue,
    InstanceValue,
    IteratorValue,
    JitValue,
    ListValue,
    MethodOf,
    ModuleValue,
    NumPyValue,
    PartialValue,
    ScalarValue,
    SetValue,
    TreeValue,
    UnionValue,
    Unknown,
    Value,
    own_methods,
)
from arraytyping.checker.flow.values.calls import Call

__all__ = ["call_value"]


def call_value(it: Interpreter, function: Any, call: Call) -> Value:
    """Call a value; what is not understood gives something unknown, and may have called what it was given."""
    kind = type(function)
    if kind is FunctionValue:
        return functions.call_function(it, function, call)
    if kind is BoundMethod:
        return call_value(it, function.function, call.preceded_by(function.receiver))
    if kind is MethodOf and isinstance(function.receiver, JitValue):
        return call_staged(it, function.receiver, function.name, call)
    if kind is MethodOf:
        return call_method(it, function.receiver, function.name, call)
    if kind is PartialValue:
        return call_value(
            it, function.function, Call([*function.args, *call.args], {**function.kwargs, **call.kwargs}, call.node)
        )
    if kind is JitValue:
        return call_placed(it, function, call)
    if isinstance(function, HandlerValue):
        return function.handle(it, call)
    if kind is ClassValue:
        return classes.instantiate(it, function, call)
    if (method := own_methods(function).get("__call__")) is not None:
        return it.call(method, *call.preceded_by(function))
    if kind is InstanceValue:
        return _call_instance(it, function, call)
    if kind is Unknown:
        it.engines.havoc(it, call.values)
        for value in call.values:
            forget_reachable(it.journal.touch, value, "what an unknown call may have changed")
        return it.unknown(function.why)
    if kind is InertValue:
        functions_given = FunctionValue | BoundMethod | PartialValue | JitValue
        it.engines.havoc(it, [v for v in call.values if isinstance(v, functions_given)])
        return function
    if kind is UnionValue:
        return _each(it, function, call)
    if kind is TreeValue:
        return it.engines.call_tree(it, function, call)
    if kind is Descriptor and function.kind == "staticmethod":
        return call_value(it, function.function, call)
    return _call_concrete(it, function, call)


def _call_instance(it: Interpreter, function: InstanceValue, call: Call) -> Value:
    method = function.cls.find("__call__")
    if method is MISSING:
        if function.cls.kind == "unknown":
            it.engines.havoc(it, [function, *call.values])
            return it.unknown(f"the call of an instance of {function.cls.name}, whose class is not understood")
        return it.fail(call.node, "array-call", f"TypeError: {function.cls.name!r} object is not callable")
    return call_value(it, method, call.preceded_by(function))


_NOT_CALLABLE: Final = (
    ArrayValue,
    NumPyValue,
    ScalarValue,
    ListValue,
    DictValue,
    SetValue,
    ModuleValue,
    types.ModuleType,
    tuple,
    str,
    int,
    float,
)


def _call_concrete(it: Interpreter, function: Value, call: Call) -> Value:
    """Call a function or class of a library: by its handler where there is one, else as the engines answer."""
    if function is None or (isinstance(function, _NOT_CALLABLE) and not callable(function)):
        return it.fail(call.node, "array-call", f"TypeError: {kind_name(function)} is not callable")
    if (origin := typing.get_origin(function)) is not None and isinstance(origin, type):
        function = origin  # `dict[str, int]()`
    note_call(it, function, call.args, call.kwargs)
    if any(type(value) is InstanceValue or type(value) is ListValue for value in call.args):
        call = call.with_args(as_arrays(it, function, call.args, call.node))
    handler = it.registry.find(function) or find_concrete_method(it, function)
    if handler is not None:
        made = handler(it, call)
        if type(made) is IteratorValue and made.pending is None and made.has_changed is None:
            watch(made, tuple(call.values))
        return made
    result = it.engines.call(it, function, call)
    if is_jitted_by_flax(function):
        note_held(it, function, call, result)
    return result


def _each(it: Interpreter, function: UnionValue, call: Call) -> Value:
    """Call one of several: each in a state of its own, which are joined then."""
    callables = [one for one in function.values if one is not None]
    return of_each(it, callables, lambda one: it.call(one, *call)) if callables else MISSING
