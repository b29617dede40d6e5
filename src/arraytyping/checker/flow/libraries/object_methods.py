"""Methods of `object` that a program calls by name, such as `object.__setattr__` in a frozen dataclass."""

from __future__ import annotations

import ast

from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import ClassValue, InstanceValue, Value

__all__: list[str] = []


@handles("builtins.object.__setattr__")
def _setattr(it: Interpreter, args: list[Value], kwargs: dict[str, Value], node: ast.AST | None) -> Value:
    if len(args) == 3 and isinstance(args[0], InstanceValue) and isinstance(args[1], str):
        it.journal.touch(args[0])
        args[0].attributes[args[1]] = args[2]
        return None
    return it.unknown("object.__setattr__ of what is not understood")


@handles("builtins.object.__init__", "builtins.object.__init_subclass__")
def _nothing(it: Interpreter, args: list[Value], kwargs: dict[str, Value], node: ast.AST | None) -> Value:
    return None


@handles("builtins.object.__new__")
def _new(it: Interpreter, args: list[Value], kwargs: dict[str, Value], node: ast.AST | None) -> Value:
    if args and isinstance(args[0], ClassValue):
        return InstanceValue(args[0], {})
    return it.unknown("object.__new__ of what is not understood")
