"""`types.MethodType`, and what `inspect` and `types` say of the sort of an object.

Source: https://docs.python.org/3/library/inspect.html#types-and-members.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, Final

from arraytyping.checker.flow.libraries.registry import Handler, handles
from arraytyping.checker.flow.state.certainty import data_bool
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import (
    ArrayValue,
    BaseValue,
    BoundMethod,
    ClassValue,
    DictValue,
    FunctionValue,
    InstanceValue,
    ListValue,
    ModuleValue,
    NumPyValue,
    ScalarValue,
    SetValue,
    Value,
)
from arraytyping.checker.flow.values.calls import Call

__all__: list[str] = []

_DATA: Final = (ArrayValue, NumPyValue, ScalarValue, ListValue, DictValue, SetValue, InstanceValue)
_SORTS: Final[dict[str, tuple[type | tuple[type, ...], Callable[[Any], bool]]]] = {
    "isclass": (ClassValue, inspect.isclass),
    "isfunction": (FunctionValue, inspect.isfunction),
    "ismethod": (BoundMethod, inspect.ismethod),
    "ismodule": (ModuleValue, inspect.ismodule),
}
"""Which values are of a sort, and what Python says of concrete objects."""
_OWN: Final = (ClassValue, FunctionValue, BoundMethod, ModuleValue, *_DATA)


@handles("types.MethodType")
def _method(it: Interpreter, call: Call) -> Value:
    if len(call.args) == 2 and isinstance(call.args[0], FunctionValue):
        return BoundMethod(call.args[0], call.args[1])
    return it.unknown("a method that is made of what is not understood")


def _asking(name: str) -> Handler:
    def handle(it: Interpreter, call: Call) -> Value:
        own, check = _SORTS[name]
        value = call.argument(0, "object", None)
        if isinstance(value, own):
            return True
        if isinstance(value, _OWN):
            return False
        return data_bool(value) if isinstance(value, BaseValue) else check(value)

    return handle


for _name in _SORTS:
    handles(f"inspect.{_name}")(_asking(_name))
