"""Methods of `object` that a program calls by name, such as `object.__setattr__` in a frozen dataclass."""

from __future__ import annotations

from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.python.attribute_writing import put_as_object
from arraytyping.checker.flow.python.attributes_of_classes import found_or_told
from arraytyping.checker.flow.python.deletion import delete_as_object
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import ClassValue, InstanceValue, Value
from arraytyping.checker.flow.values.calls import Call

__all__: list[str] = []


@handles("builtins.object.__setattr__")
def _setattr(it: Interpreter, call: Call) -> Value:
    if len(call.args) == 3 and isinstance(call.args[0], InstanceValue) and isinstance(call.args[1], str):
        put_as_object(it, call.args[0], call.args[1], call.args[2], call.node)
        return None
    return it.unknown("object.__setattr__ of what is not understood")


@handles("builtins.object.__delattr__")
def _delattr(it: Interpreter, call: Call) -> Value:
    if len(call.args) == 2 and isinstance(call.args[0], InstanceValue):
        delete_as_object(it, call.args[0], call.args[1], call.node)
        return None
    return it.unknown("object.__delattr__ of what is not understood")


@handles("builtins.object.__getattribute__")
def _getattribute(it: Interpreter, call: Call) -> Value:
    if len(call.args) == 2 and isinstance(call.args[0], InstanceValue):
        return found_or_told(it, call.args[0], call.args[1], call.node)
    return it.unknown("object.__getattribute__ of what is not understood")


@handles("builtins.object.__init__", "builtins.object.__init_subclass__")
def _nothing(it: Interpreter, call: Call) -> Value:
    return None


@handles("builtins.object.__new__")
def _new(it: Interpreter, call: Call) -> Value:
    if call.args and isinstance(call.args[0], ClassValue):
        return InstanceValue(call.args[0], {})
    return it.unknown("object.__new__ of what is not understood")
