"""`jax.tree_util.Partial`: a function with its first arguments, which are the children of a pytree.

Its class is one as a program may have it: with these functions for JAX, and the real one behind it, for `isinstance`.
"""

from __future__ import annotations

import functools
from typing import Any, Final, cast

from arraytyping.checker.flow.engines.pytrees import ByFunctions
from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.run_slots import RunSlot
from arraytyping.checker.flow.values import ClassValue, DictValue, HandlerValue, InstanceValue, PartialValue, Value
from arraytyping.checker.flow.values.calls import Call

__all__: list[str] = []

_CLASS: Final = RunSlot("jax.tree_util.Partial", lambda: ClassValue("Partial", (functools.partial,), {}, None))


@handles("jax.tree_util.Partial")
def _partial(it: Interpreter, call: Call) -> Value:
    return _made(it, call.args[0], tuple(call.args[1:]), DictValue(dict(call.kwargs)))


def _made(it: Interpreter, function: Value, args: Value, keywords: Value) -> Value:
    return InstanceValue(_class(it), {"func": function, "args": args, "keywords": keywords})


def _class(it: Interpreter) -> ClassValue:
    cls = _CLASS.of(it)
    if cls.pytree is None:
        real = functools.partial if it.engines.jax is None else it.engines.jax.jax.tree_util.Partial
        cls.mro = [cls, *real.__mro__]
        cls.namespace["__call__"] = HandlerValue("__call__", _called)
        cls.pytree = ByFunctions(HandlerValue("flatten", _flattened), HandlerValue("unflatten", _unflattened))
    return cls


def _parts(value: Value) -> tuple[Any, Any, Any]:
    """The function, the arguments and the keywords of an instance."""
    held = cast(InstanceValue, value).attributes
    return held["func"], held["args"], held["keywords"]


def _called(it: Interpreter, call: Call) -> Value:
    function, args, keywords = _parts(call.args[0])
    if not isinstance(args, tuple) or not isinstance(keywords, DictValue) or keywords.items is None:
        return it.unknown("a partial function whose arguments are not known")
    return it.call(PartialValue(function, args, dict(keywords.items)), [*call.args[1:]], call.kwargs, call.node)


def _flattened(it: Interpreter, call: Call) -> Value:
    function, args, keywords = _parts(call.args[0])
    return (args, keywords), function


def _unflattened(it: Interpreter, call: Call) -> Value:
    function, children = call.args
    args, keywords = cast(tuple[Value, Value], children)
    return _made(it, function, args, keywords)
