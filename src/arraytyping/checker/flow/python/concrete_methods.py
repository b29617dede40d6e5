"""Functions that are made anew at each look, such as `dict.fromkeys` and `", ".join`: they are known by their owner."""

from __future__ import annotations

import ast
import enum
import itertools
import types
from typing import Any, Final

from arraytyping.checker.flow.python.method_tables import unhashable
from arraytyping.checker.flow.python.methods import call_method
from arraytyping.checker.flow.python.methods_of_dicts import from_keys
from arraytyping.checker.flow.python.methods_of_scalars import call_concrete_method, is_scalar_method
from arraytyping.checker.flow.real_calls.concrete_calls import concretely
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import (
    MISSING,
    BaseValue,
    DictValue,
    ListValue,
    ScalarValue,
    SetValue,
    UnionValue,
    Unknown,
    Value,
)

__all__ = ["find_concrete_method"]

_OWNERS: Final = (list, dict, set, frozenset, str, int, float, tuple)


def find_concrete_method(it: Interpreter, function: Any) -> Any:
    """The handler of a function that the registry cannot hold; None if there is none."""
    owner = getattr(function, "__self__", None)
    if is_scalar_method(function):
        return lambda it, args, kwargs, node: call_concrete_method(it, function, args, kwargs, node)
    if isinstance(owner, type) and getattr(function, "__name__", "") == "fromkeys" and issubclass(owner, dict):
        return lambda it, args, kwargs, node: (
            from_keys(it, DictValue({}, kind=owner), args, kwargs, node) if args else it.unknown("fromkeys by keyword")
        )
    if owner is itertools.chain and function.__name__ == "from_iterable":
        return it.registry.find_name("itertools.chain.from_iterable")
    if isinstance(function, enum.EnumMeta):
        return lambda it, args, kwargs, node: _member(it, function, args, kwargs, node)
    if (
        isinstance(function, types.MethodDescriptorType | types.WrapperDescriptorType)
        and function.__objclass__ in _OWNERS
    ):
        return lambda it, args, kwargs, node: _unbound(it, function, args, kwargs, node)
    return None


def _member(it: Interpreter, function: Any, args: list[Value], kwargs: dict[str, Value], node: ast.AST | None) -> Value:
    """`Color(1)`."""
    result = concretely(it, function, args, kwargs, node)
    return it.unknown("a member of an enumeration") if result is MISSING else result


def _unbound(
    it: Interpreter, function: Any, args: list[Value], kwargs: dict[str, Value], node: ast.AST | None
) -> Value:
    """`str.upper(x)`: a method of a type, called with its receiver."""
    if not args:
        return it.unknown("a method without a receiver")
    receiver, *rest = args
    if isinstance(receiver, Unknown | UnionValue):
        it.engines.havoc(it, rest)
        return it.unknown("a method of something unknown")
    if isinstance(receiver, ListValue | DictValue | SetValue | ScalarValue | tuple):
        return call_method(it, receiver, function.__name__, rest, kwargs, node)
    if isinstance(receiver, BaseValue):
        name = unhashable(receiver) or type(receiver).__name__
        return it.unknown(f"the method {function.__name__} of a {name}")
    if not isinstance(receiver, function.__objclass__):
        return it.fail(
            node,
            "array-call",
            f"TypeError: descriptor {function.__name__!r} for {function.__objclass__.__name__!r} objects doesn't apply "
            f"to a {type(receiver).__name__!r} object",
        )
    if type(receiver) is not function.__objclass__:
        result = concretely(it, function, args, kwargs, node)
        return it.unknown(f"the method {function.__name__} of a base class") if result is MISSING else result
    return it.call(it.get_attribute(receiver, function.__name__, node), rest, kwargs, node)
