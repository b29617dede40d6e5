"""`types.MethodType`, and what `inspect` says of the sort of an object.

Source: https://docs.python.org/3/library/inspect.html#types-and-members.
"""

from __future__ import annotations

import types
from typing import Final

from arraytyping.checker.flow.libraries.registry import Handler, handles
from arraytyping.checker.flow.python.instance_checks import is_instance
from arraytyping.checker.flow.state.certainty import data_bool
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import BoundMethod, ClassValue, FunctionValue, Value
from arraytyping.checker.flow.values.calls import Call

__all__: list[str] = []

_SORTS: Final[dict[str, type]] = {
    "isclass": type,
    "isfunction": types.FunctionType,
    "ismethod": types.MethodType,
    "ismodule": types.ModuleType,
}
"""The classes of which `inspect` asks whether an object is an instance."""


@handles("types.MethodType")
def _method(it: Interpreter, call: Call) -> Value:
    if len(call.args) == 2 and isinstance(call.args[0], FunctionValue):
        return BoundMethod(call.args[0], call.args[1])
    return it.unknown("a method that is made of what is not understood")


def _asking(name: str) -> Handler:
    def handle(it: Interpreter, call: Call) -> Value:
        value = call.argument(0, "object", None)
        is_class = name == "isclass" and isinstance(value, ClassValue)  # of whatever metaclass
        found = True if is_class else is_instance(it, value, _SORTS[name])
        return data_bool(value) if found is None else found

    return handle


for _name in _SORTS:
    handles(f"inspect.{_name}")(_asking(_name))
