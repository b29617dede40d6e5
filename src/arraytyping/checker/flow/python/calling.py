"""Calls of values, and what is said of those that cannot be called."""

from __future__ import annotations

from arraytyping.checker.flow.python.operator_names import kind_name
from arraytyping.checker.flow.state.behaviour import CALL
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import Value
from arraytyping.checker.flow.values.calls import Call

__all__ = ["call_value", "not_callable"]


def call_value(it: Interpreter, function: Value, call: Call) -> Value:
    """Call a value; what is not understood gives something unknown, and may have called what it was given."""
    return CALL.of(function)(it, function, call)


def not_callable(it: Interpreter, function: Value, call: Call) -> Value:
    """Report that a value cannot be called."""
    return it.fail(call.node, "array-call", f"TypeError: {kind_name(function)} is not callable")
