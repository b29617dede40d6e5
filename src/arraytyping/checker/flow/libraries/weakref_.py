"""Weak references: a call of one gives the object, or None where nothing else refers to it any more.

Source: https://docs.python.org/3/library/weakref.html.
"""

from __future__ import annotations

from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.joins import join_all
from arraytyping.checker.flow.values import HandlerValue, InstanceValue, Value
from arraytyping.checker.flow.values.calls import Call

__all__: list[str] = []


@handles("weakref.ref", "weakref.ReferenceType")
def _ref(it: Interpreter, call: Call) -> Value:
    target = call.argument(0, "object", None)
    if not isinstance(target, InstanceValue):
        return it.unknown("a weak reference to what is no instance of the program")
    return HandlerValue("ref", lambda it, call: join_all([target, None]), (target,), target)
