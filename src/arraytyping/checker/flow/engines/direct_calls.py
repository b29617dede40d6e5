"""Calls of a library's function as it is, where no abstract value is among the arguments."""

from __future__ import annotations

import ast
from typing import Any

from arraytyping.checker.flow.engines.conversion import Abort, from_jax, is_callable_value
from arraytyping.checker.flow.engines.questions import Question
from arraytyping.checker.flow.engines.refusals import is_trusted
from arraytyping.checker.flow.engines.sharding_sentences import is_of_spec, sharding_sentence
from arraytyping.checker.flow.engines.together import Together
from arraytyping.checker.flow.real_calls.costs import is_affordable
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import (
    BaseValue,
    ClassValue,
    DictValue,
    InstanceValue,
    ListValue,
    ScalarValue,
    Value,
)
from arraytyping.checker.flow.values.calls import Call
from arraytyping.checker.swallowed import swallow

__all__ = ["call_directly", "from_real", "is_plain"]


def is_plain(values: list[Value]) -> bool:
    """Whether no abstract value is among the arguments, so that the library's function can be called as it is."""
    for v in values:
        if isinstance(v, tuple):
            if not is_plain(list(v)):
                return False
        elif isinstance(v, ListValue):
            if v.items is None or not is_plain(v.items):
                return False
        elif isinstance(v, DictValue):
            if v.items is None or not is_plain(list(v.items.values())):
                return False
        elif (isinstance(v, InstanceValue) and v.cls.pytree is not None) or (
            isinstance(v, BaseValue) and not is_callable_value(v) and not isinstance(v, ClassValue)
        ):
            return False
    return True


def call_directly(engines: Together, it: Interpreter, function: Any, call: Call) -> Value:
    """What a function of a library gives that is called as it is, with real objects for the arguments."""
    if not engines.has_jax:
        raise Abort("jax is not installed")
    question = Question(engines.asker.callbacks, it, call.node)
    try:
        given = [question.convert(a) for a in call.args]
        named = {k: question.convert(v) for k, v in call.kwargs.items()}
        if not is_affordable(function, given, named):
            return it.unknown(f"{getattr(function, '__name__', function)} of what is too large")
        result = function(*given, **named)
    except (TypeError, ValueError) as error:
        if not is_trusted(error):
            return it.unknown("what stands for a value of the program is refused")
        if is_of_spec(error):
            return it.fail(call.node, "array-sharding", sharding_sentence(error) or str(error))
        return it.fail(call.node, "array-call", f"{type(error).__name__}: {error}")
    except Exception as error:
        swallow(error)
        return it.unknown(f"{getattr(function, '__name__', function)} failed: {type(error).__name__}")
    if question.callables and hasattr(result, "__enter__"):
        engines.havoc(it, call.values)  # which may be called inside
    if question.callables and type(result) is bool:
        return ScalarValue(bool)  # what stands for a function of the program is not equal to itself
    return from_real(engines, it, result, call.node)


def from_real(engines: Together, it: Interpreter, result: Value, node: ast.AST | None) -> Value:
    """The value of what a library returned."""
    made = (it.frame.module.shown, getattr(node, "lineno", 0)) if node is not None else None
    return from_jax(engines.jax, result, lambda _: it.staged > 0, made, engines.asker.callbacks.build(it, node))
