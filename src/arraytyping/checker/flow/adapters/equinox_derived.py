"""Classes that derive from a module of Equinox or of a library on it: a layer, a solver, a linear operator.

They are real classes, which those libraries know as their own.

Source: https://docs.kidger.site/equinox/pattern/.
"""

from __future__ import annotations

import ast
import functools
import importlib
import types
from collections.abc import Callable
from typing import Any, Final

from arraytyping.checker.flow.adapters.real_classes import make_real
from arraytyping.checker.flow.libraries.registry import handles_family
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.stateful import note_stateful_class
from arraytyping.checker.flow.values import ClassValue, Value

__all__: list[str] = []

_BINDING: Final = ("__init__", "__post_init__")
"""Methods that bind the fields of an instance."""


@handles_family("equinox.Module")
def _derived(it: Interpreter, cls: ClassValue, base: Value, keywords: dict[str, Value], node: ast.AST | None) -> Value:
    if any(map(_is_made_otherwise, cls.mro[1:])):
        it.unknown(f"the bases of {cls.name}, of which instances are made in different ways")
        cls.kind = "unknown"
        return cls
    made = make_real(it, cls, keywords, node, _derived, importlib.import_module("equinox").field)
    if (real := made.options.get("real class")) is not None:
        for name in _BINDING:
            if name in vars(real):
                type.__setattr__(real, name, _on_itself(real, vars(real)[name]))
    return made


def _on_itself(real: Any, method: Callable[..., Any]) -> Callable[..., Any]:
    """A method whose `self` is the instance, not a tree of what it holds at the time: what it binds stays bound."""
    being_made: list[Any] = []

    @functools.wraps(method)
    def on_itself(self: Any, *args: Any, **kwargs: Any) -> None:
        kind = type(self)
        if kind is not real:  # it derives from this class, and is being made already
            method(self, *args, **kwargs)
            return
        if not being_made:
            own = {"__module__": real.__module__}
            being_made.append(types.new_class(real.__name__, (real,), {}, lambda made: made.update(own)))
            note_stateful_class(being_made[0])
        object.__setattr__(self, "__class__", being_made[0])
        try:
            method(self, *args, **kwargs)
        finally:
            object.__setattr__(self, "__class__", kind)

    return on_itself


def _is_made_otherwise(base: Value) -> bool:
    """Whether instances of a base are no objects of the library, but of the program's class."""
    return isinstance(base, ClassValue) and base.pytree is not None and "real class" not in base.options
