"""`inspect.signature` and `inspect.getfullargspec`: the parameters of a callable of the program."""

from __future__ import annotations

import abc
import ast
import functools
import inspect
from typing import Any, Final

from arraytyping.checker.flow.engines.signatures import signature_of
from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.python.functions import parameters
from arraytyping.checker.flow.state.forgetting import ANY_ARGUMENTS
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.repeated import by_alternatives
from arraytyping.checker.flow.values import (
    OPEN,
    BoundMethod,
    ClassValue,
    DictValue,
    FunctionValue,
    HandlerValue,
    LazyName,
    ListValue,
    Value,
)
from arraytyping.checker.flow.values.calls import Call, RestArguments

_UNKNOWN: Final = "what is read off a function or class"
_KINDS: Final = ("POSITIONAL_ONLY", "POSITIONAL_OR_KEYWORD", "VAR_POSITIONAL", "KEYWORD_ONLY", "VAR_KEYWORD", "empty")


def _described(name: str, attributes: dict[str, Any]) -> HandlerValue:
    """An object of which attributes are read."""
    return HandlerValue(name, lambda it, call: it.unknown(f"a {name} is called"), (), attributes)


def _of(value: Value) -> inspect.Signature | None:
    if not isinstance(value, ClassValue):
        return signature_of(value)
    makes = value.find("__init__")
    is_plain = value.kind == "plain" or (OPEN in value.options and "metaclass" not in value.options)
    is_plain = is_plain and all(isinstance(base, ClassValue) or base in _BASES for base in value.mro)
    if not is_plain or not isinstance(makes, FunctionValue):
        return None
    if any(name in base.namespace for base in value.mro if isinstance(base, ClassValue) for name in _OTHER_WAYS):
        return None
    return signature_of(BoundMethod(makes, None))


_OTHER_WAYS: Final = ("__new__", "__signature__")
"""What says more than `__init__` of how a class is called."""
_BASES: Final = (object, abc.ABC)
"""Real classes that say nothing of it."""


@handles("inspect.signature")
@by_alternatives
def _signature(it: Interpreter, call: Call) -> Value:
    found = _of(call.argument(0, "obj")) if len(call.args) + len(call.kwargs) == 1 else None
    if found is None:
        return it.unknown(_UNKNOWN)
    of_parameters = {name: getattr(inspect.Parameter, name) for name in _KINDS}
    made = {
        name: _described("Parameter", {**of_parameters, "name": name, "kind": one.kind, "default": one.default})
        for name, one in found.parameters.items()
    }
    attributes: dict[str, Any] = {"parameters": DictValue(dict(made)), "empty": inspect.Signature.empty}
    for name in ("bind", "bind_partial"):
        attributes[name] = HandlerValue(name, functools.partial(_bound, getattr(found, name), found))
    return _described("Signature", attributes)


def _bound(bind: Any, signature: inspect.Signature, it: Interpreter, call: Call) -> Value:
    """The arguments of a call by the names of the parameters; values take part in it as they are."""
    if any(isinstance(a, RestArguments) or a is ANY_ARGUMENTS for a in call.args):
        return it.unknown("arguments of which the number is not known")
    try:
        found = bind(*call.args, **call.kwargs).arguments
    except TypeError as error:
        return it.fail(call.node, "array-call", f"TypeError: {error}")
    kinds, empty = {n: one.kind.name for n, one in signature.parameters.items()}, inspect.Parameter.empty
    arguments = DictValue({n: DictValue(dict(v)) if kinds[n] == "VAR_KEYWORD" else v for n, v in found.items()})
    parameters: tuple[Any, ...] = tuple(
        (name, kinds[name], one.default is not empty, None if one.default is empty else one.default)
        for name, one in signature.parameters.items()
    )
    cls = it.importer.resolve(it, LazyName("bound_arguments", "BoundArguments"))
    return it.call(cls, [arguments, parameters], {}, call.node)


@handles("inspect.getfullargspec")
@by_alternatives
def _full(it: Interpreter, call: Call) -> Value:
    value = call.argument(0, "func")
    if isinstance(value, BoundMethod):  # of which it tells the first parameter too
        value = value.function
    if not isinstance(value, FunctionValue) or "__wrapped__" in value.attributes:
        return it.unknown(_UNKNOWN)
    spec: ast.arguments = value.node.args
    return _described(
        "FullArgSpec",
        {
            "args": ListValue([*parameters(value.node)]),
            "varargs": None if spec.vararg is None else spec.vararg.arg,
            "varkw": None if spec.kwarg is None else spec.kwarg.arg,
            "defaults": tuple(value.defaults) or None,
            "kwonlyargs": ListValue([p.arg for p in spec.kwonlyargs]),
        },
    )
