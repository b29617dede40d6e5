"""`__array__`: what NumPy's functions, and JAX's that take NumPy's arrays, make of an instance of a class."""

from __future__ import annotations

import ast
from typing import Any, Final

from arraytyping.checker.flow.engines.exact_objects import package_of
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import MISSING, InstanceValue, NumPyValue

__all__ = ["as_arrays"]

_OF_JAX: Final = frozenset({"array", "asarray"})


def as_arrays(it: Interpreter, function: Any, args: list[Any], node: ast.AST | None) -> list[Any]:
    """The arguments of a function, with the arrays that those of a class with `__array__` are to it."""
    package = package_of(function)
    if package != "numpy" and not (package == "jax" and getattr(function, "__name__", "") in _OF_JAX):
        return args
    return [_as_array(it, value, node) for value in args]


def _as_array(it: Interpreter, value: Any, node: ast.AST | None) -> Any:
    method = value.cls.find("__array__") if isinstance(value, InstanceValue) else MISSING
    if method is MISSING:
        return value
    made = it.call(method, [value], {}, node)
    return made if isinstance(made, NumPyValue) else it.unknown("what __array__ gives")
