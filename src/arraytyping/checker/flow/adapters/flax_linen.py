"""`flax.linen`: modules of the program are real modules of Flax, whose methods call back.

Source: https://flax-linen.readthedocs.io/en/latest/guides/flax_fundamentals/flax_basics.html.
"""

from __future__ import annotations

import ast
import importlib
from typing import Any, Final

from arraytyping.checker.flow.adapters.real_classes import Decorated, make_real
from arraytyping.checker.flow.libraries.registry import Handler, handles, handles_base, handles_family
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import (
    MISSING,
    ClassValue,
    FunctionValue,
    HandlerValue,
    JitValue,
    PartialValue,
    ScalarValue,
    Value,
)
from arraytyping.checker.flow.values.calls import Call

__all__: list[str] = []

_DECORATORS: Final = ("compact", "nowrap", "remat", "checkpoint", "jit", "vmap", "scan", "remat_scan", "map_variables")


@handles_family("flax.linen.Module")
def _module(it: Interpreter, cls: ClassValue, base: Value, keywords: dict[str, Value], node: ast.AST | None) -> Value:
    made = make_real(it, cls, keywords, node, _module)
    if (real := made.options.get("real class")) is not None:
        _look_without_setup(real)
    return made


def _look_without_setup(real: Any) -> None:
    """Let an instance be asked for special attributes without being set up: that must happen in lifted transformations.

    Flax sets a module up when it is asked for what it lacks, and whoever looks at any object asks for `__self__`.
    """

    def getattr_(self: object, name: str) -> object:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        found: object = super(real, self).__getattr__(name)
        return found

    real.__getattr__ = getattr_


@handles_base("flax.core.meta.AxisMetadata")
def _metadata(it: Interpreter, cls: ClassValue, base: Value, keywords: dict[str, Value], node: ast.AST | None) -> Value:
    """A box of the program's own around variables: Flax calls its methods, of which flow does not know when."""
    cls.kind = "unknown"
    cls.options["adapter"] = _metadata
    return cls


def _is_of_class(target: PartialValue) -> bool:
    """Whether it is a class with some of its fields, which Flax takes in the place of one."""
    inner = target.function
    return _is_of_class(inner) if isinstance(inner, PartialValue) else isinstance(inner, ClassValue | type)


def _decorator(name: str) -> Handler:
    """A handler of a decorator that stands above methods, and takes classes too."""

    def handle(it: Interpreter, call: Call) -> Value:
        real = getattr(importlib.import_module("flax.linen"), name)
        target = call.argument(0, "target", MISSING)
        if isinstance(target, FunctionValue | JitValue | Decorated):
            options = {k: v for k, v in call.kwargs.items() if k != "target"}
            return Decorated(real, target, call.args[1:], options)
        if isinstance(target, PartialValue) and _is_of_class(target):
            return it.engines.objects.call(it, real, call)
        return it.engines.call(it, real, call)

    return handle


for _name in _DECORATORS:
    handles(f"flax.linen.{_name}")(_decorator(_name))


@handles("flax.linen.tabulate", "flax.linen.summary.tabulate")
def _tabulate(it: Interpreter, call: Call) -> Value:
    return HandlerValue("tabulate", lambda i, call: ScalarValue(str))
