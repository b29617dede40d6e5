"""Functions that are made anew at each look, such as `dict.fromkeys` and `", ".join`: they are known by their owner."""

from __future__ import annotations

import enum
import itertools
import types
from typing import Any, Final

from arraytyping.checker.flow.python.held_containers import is_container
from arraytyping.checker.flow.python.method_tables import unhashable
from arraytyping.checker.flow.python.methods import call_method
from arraytyping.checker.flow.python.methods_of_dicts import from_keys
from arraytyping.checker.flow.python.methods_of_scalars import call_concrete_method, is_scalar_method
from arraytyping.checker.flow.real_calls.concrete_calls import concretely
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.stateful import told_by
from arraytyping.checker.flow.values import (
    MISSING,
    BaseValue,
    ClassValue,
    DictValue,
    InstanceValue,
    ListValue,
    ScalarValue,
    SetValue,
    UnionValue,
    Unknown,
    Value,
)
from arraytyping.checker.flow.values.calls import Call

__all__ = ["find_concrete_method"]

_OWNERS: Final = (list, dict, set, frozenset, str, int, float, tuple)


def find_concrete_method(it: Interpreter, function: Any) -> Any:
    """The handler of a function that the registry cannot hold; None if there is none."""
    owner = told_by(function, "__self__")
    if is_scalar_method(function):
        return lambda it, call: call_concrete_method(it, function, call)
    if isinstance(owner, type) and getattr(function, "__name__", "") == "fromkeys" and issubclass(owner, dict):
        return lambda it, call: (
            from_keys(it, DictValue({}, kind=owner), call) if call.args else it.unknown("fromkeys by keyword")
        )
    if owner is itertools.chain and function.__name__ == "from_iterable":
        return it.registry.find_name("itertools.chain.from_iterable")
    if isinstance(function, enum.EnumMeta):
        return lambda it, call: _member(it, function, call)
    if (
        isinstance(function, types.MethodDescriptorType | types.WrapperDescriptorType)
        and function.__objclass__ in _OWNERS
    ):
        return lambda it, call: _unbound(it, function, call)
    return None


def _member(it: Interpreter, function: Any, call: Call) -> Value:
    """`Color(1)`."""
    result = concretely(it, function, call)
    return it.unknown("a member of an enumeration") if result is MISSING else result


def _unbound(it: Interpreter, function: Any, call: Call) -> Value:
    """`str.upper(x)`: a method of a type, called with its receiver."""
    if not call.args:
        return it.unknown("a method without a receiver")
    receiver, *rest = call.args
    if isinstance(receiver, Unknown | UnionValue):
        it.engines.havoc(it, rest)
        return it.unknown("a method of something unknown")
    if isinstance(receiver, ListValue | DictValue | SetValue | ScalarValue | tuple):
        return call_method(it, receiver, function.__name__, call.with_args(rest))
    if isinstance(receiver, InstanceValue) and is_container(receiver):
        inherited = next(c for c in receiver.cls.mro if isinstance(c, ClassValue) and c.module is None)
        if (method := inherited.find(function.__name__)) is not MISSING:
            return it.call(method, *call)
    if isinstance(receiver, BaseValue):
        name = unhashable(receiver) or type(receiver).__name__
        return it.unknown(f"the method {function.__name__} of a {name}")
    if not isinstance(receiver, function.__objclass__):
        return it.fail(
            call.node,
            "array-call",
            f"TypeError: descriptor {function.__name__!r} for {function.__objclass__.__name__!r} objects doesn't apply "
            f"to a {type(receiver).__name__!r} object",
        )
    if type(receiver) is not function.__objclass__:
        result = concretely(it, function, call)
        return it.unknown(f"the method {function.__name__} of a base class") if result is MISSING else result
    return it.call(it.get_attribute(receiver, function.__name__, call.node), rest, call.kwargs, call.node)
