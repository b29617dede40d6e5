"""`functools.singledispatch`: a function that is chosen by the class of its first argument.

Source: https://peps.python.org/pep-0443/.
"""

from __future__ import annotations

import ast
import types
import typing
from typing import Any

from arraytyping.checker.flow.libraries.command_lines import instance_of, synthetic_class
from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.python.functions import parameters
from arraytyping.checker.flow.python.instance_checks import is_instance, is_subclass
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import MISSING, ClassUnion, FunctionValue, HandlerValue, InstanceValue, Value
from arraytyping.checker.flow.values.calls import Call

__all__: list[str] = []

Kwargs = dict[str, Any]
Node = ast.AST | None
Case = tuple[Value, Value]
"""A class, and the function for its instances."""


@handles("functools.singledispatch")
def _single_dispatch(it: Interpreter, call: Call) -> Value:
    cls = synthetic_class("singledispatch", _attribute)
    made = instance_of(cls, __wrapped__=call.argument(0, "func"), _cases=())
    cls.namespace["__call__"] = HandlerValue(
        "singledispatch", lambda it, call: _call(it, made, call.with_args(call.args[1:]))
    )
    return made


@handles("functools.singledispatchmethod")
def _single_dispatch_method(it: Interpreter, call: Call) -> Value:
    it.engines.havoc(it, call.args)
    return it.unknown("a method that is chosen by its argument's type")


def _attribute(it: Interpreter, made: InstanceValue, name: str, node: Node) -> Value:
    if name == "register":
        return HandlerValue("register", lambda it, call: _register(it, made, call.args, call.kwargs))
    if name == "dispatch":
        return HandlerValue(
            "dispatch", lambda it, call: _chosen(it, made, call.args[0], is_subclass) if call.args else MISSING
        )
    return MISSING


def _register(it: Interpreter, made: InstanceValue, args: list[Value], kwargs: Kwargs) -> Value:
    """`register(cls, function)`, `@register(cls)` or `@register` of a function whose first parameter is annotated."""
    given = {**dict(zip(("cls", "func"), args)), **kwargs}
    cls, function = given.get("cls"), given.get("func")
    if isinstance(cls, FunctionValue) and function is None:
        cls, function = _annotated(it, cls), cls
    if function is None:
        return HandlerValue("register", lambda it, call: _add(it, made, cls, call.argument(0, "func")))
    return _add(it, made, cls, function)


def _annotated(it: Interpreter, function: FunctionValue) -> Value:
    """The class that the first parameter of a function is annotated with."""
    spec = function.node.args
    first = next(iter((*spec.posonlyargs, *spec.args)), None) if parameters(function.node) else None
    if first is None or first.annotation is None:
        return it.unknown("a class that is not said")
    with it.quietly(), it.in_frame(function.frame):
        return it.evaluate(first.annotation, function.frame)


def _add(it: Interpreter, made: InstanceValue, cls: Value, function: Value) -> Value:
    it.journal.touch(made)
    made.attributes["_cases"] = (*_cases(made), *((member, function) for member in _members(cls)))
    return function


def _members(cls: Value) -> tuple[Value, ...]:
    """The classes of a union, for each of which a function is registered."""
    if isinstance(cls, ClassUnion):
        return tuple(cls.members)
    is_union = isinstance(cls, types.UnionType) or typing.get_origin(cls) is typing.Union
    return typing.get_args(cls) if is_union else (cls,)


def _cases(made: InstanceValue) -> tuple[Case, ...]:
    found = made.attributes.get("_cases")
    return found if type(found) is tuple else ((MISSING, MISSING),)  # registered on some paths only


def _call(it: Interpreter, made: InstanceValue, call: Call) -> Value:
    if not call.args:
        return it.fail(call.node, "array-call", "TypeError: a single-dispatch function requires at least 1 argument")
    function = _chosen(it, made, call.args[0], is_instance)
    if function is MISSING:
        it.engines.havoc(it, [case[1] for case in _cases(made)] + call.values)
        return it.unknown("a function that is chosen by its argument's type")
    return it.call(function, *call)


def _chosen(it: Interpreter, made: InstanceValue, value: Value, is_of: Any) -> Value:
    """The function for a value: that of the class which derives from all others that fit; MISSING if it is unknown."""
    fits: list[Case] = []
    for cls, function in _cases(made):
        found = None if cls is MISSING else is_of(it, value, cls)
        if found is None:
            return MISSING
        if found:
            fits = [*(fit for fit in fits if fit[0] is not cls), (cls, function)]
    if not fits:
        return made.attributes.get("__wrapped__", MISSING)
    for cls, function in fits:
        if all(other is cls or is_subclass(it, cls, other) for other, _ in fits):
            return function
    return MISSING
