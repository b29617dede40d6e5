"""Joins of instances, of what is bound to something, and of objects that are the same or are not joined."""

from __future__ import annotations

from typing import Any

from arraytyping.checker.flow.state.aliases import link
from arraytyping.checker.flow.state.identity import identity, is_same_object
from arraytyping.checker.flow.state.instance_dicts import ON_SOME_PATHS
from arraytyping.checker.flow.state.joins.joining import JOIN, JOIN_CONTENTS, join, join_snapshots
from arraytyping.checker.flow.values import (
    MISSING,
    BoundMethod,
    ClassValue,
    FunctionValue,
    InstanceValue,
    LazyName,
    MethodOf,
    Mutable,
    PartialValue,
    UnionValue,
    Unknown,
    Value,
)
from arraytyping.checker.swallowed import swallow

__all__ = ["join_same"]


@JOIN(object)
def join_same(a: Value, b: Value) -> Value:
    """One of two values of the same class that are the same; others stay two alternatives."""
    return a if is_same_object(a, b) or _are_equal(a, b) else MISSING


def _are_equal(a: Value, b: Value) -> bool:
    """Whether `==` says so, of objects of whose class it is sure to compare more than the identity."""
    kind = type(a)
    if kind.__dict__.get("__eq__") is None and kind.__module__ != "builtins" and not isinstance(a, type):
        return False
    try:
        return bool(a == b)
    except Exception as error:
        swallow(error)
        return False


@JOIN(InstanceValue)
def _join_instances(a: InstanceValue, b: InstanceValue) -> Value:
    if a.cls is not b.cls:
        return MISSING
    # The joined object is neither of the two, but writes to it are writes to one of them.
    return link(InstanceValue(a.cls, {**join_snapshots(a, a.attributes, b.attributes)}), a, b)


@JOIN_CONTENTS(InstanceValue, ClassValue, FunctionValue)
def _join_attributes(owner: Value, a: Any, b: Any) -> Value:
    return {name: _join_attribute(a.get(name, MISSING), b.get(name, MISSING)) for name in {**a, **b}}


def _join_attribute(a: Value, b: Value) -> Value:
    if a is MISSING or b is MISSING:
        return Unknown(ON_SOME_PATHS)
    return join(a, b)


@JOIN_CONTENTS(Mutable)
def _join_states(owner: Any, a: Any, b: Any) -> Value:
    return owner.joined(a, b)


@JOIN(LazyName)
def _join_names(a: LazyName, b: LazyName) -> Value:
    return a if identity(a) == identity(b) else Unknown("what a library's name stands for, or something else")


@JOIN(MethodOf)
def _join_methods(a: MethodOf, b: MethodOf) -> Value:
    receiver = join(a.receiver, b.receiver) if a.name == b.name else MISSING
    return MISSING if receiver is MISSING or isinstance(receiver, UnionValue | Unknown) else MethodOf(receiver, a.name)


@JOIN(BoundMethod)
def _join_bound(a: BoundMethod, b: BoundMethod) -> Value:
    if not is_same_object(a.function, b.function):
        return MISSING
    receiver = join(a.receiver, b.receiver)
    return MISSING if isinstance(receiver, UnionValue | Unknown) else BoundMethod(a.function, receiver)


@JOIN(PartialValue)
def _join_partial(a: PartialValue, b: PartialValue) -> Value:
    if not is_same_object(a.function, b.function):
        return MISSING
    if len(a.args) != len(b.args) or a.kwargs.keys() != b.kwargs.keys():
        return MISSING
    args = tuple(join(x, y) for x, y in zip(a.args, b.args))
    return PartialValue(a.function, args, {k: join(a.kwargs[k], b.kwargs[k]) for k in a.kwargs})
