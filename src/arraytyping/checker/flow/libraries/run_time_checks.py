"""`typeguard`, `beartype`, `jaxtyping.jaxtyped`: decorators that check arguments, which may raise, and change nothing.

Source: https://typeguard.readthedocs.io, https://beartype.readthedocs.io,
https://docs.kidger.site/jaxtyping/api/runtime-type-checking.
"""

from __future__ import annotations

import sys

from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import ClassValue, FunctionValue, HandlerValue, Value
from arraytyping.checker.flow.values.calls import Call

__all__: list[str] = []


@handles("typeguard.typechecked", "beartype.beartype", "beartype.door.beartype")
def _checked(it: Interpreter, call: Call) -> Value:
    """The function or class itself; with options alone, what gives it."""
    return _marked(it, call) if call.args else HandlerValue("checked", _marked)


@handles("jaxtyping.jaxtyped")
def _jaxtyped(it: Interpreter, call: Call) -> Value:
    """As `_checked`; with a text it is a context."""
    if call.args and isinstance(call.args[0], str):
        return it.engines.call(it, sys.modules["jaxtyping"].jaxtyped, call)
    return _checked(it, call)


def _marked(it: Interpreter, call: Call) -> Value:
    """The function or class itself, from now on as one that checks its arguments."""
    if not call.args:
        return it.unknown("a decorator without a function")
    checked = call.args[0]
    for function in checked.namespace.values() if isinstance(checked, ClassValue) else (checked,):
        if isinstance(function, FunctionValue):
            function.is_checked = True
    return checked
