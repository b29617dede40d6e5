"""Calls of a library's function as it is, where no abstract value is among the arguments."""

from __future__ import annotations

import ast
import functools
import types
from typing import Any, Final

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

__all__ = ["call_directly", "from_real", "holds_symbols", "is_plain"]

_DEEPEST: Final = 6
"""How far functions are looked for in what functions close over, as schedules in a schedule that joins them."""
_MOST_HELD: Final = 16


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


def holds_symbols(engines: Together, function: Any, depth: int = 0) -> bool:
    """Whether a function closes over a symbol that stands for a size, so that it can be called in a trace only."""
    if depth > _DEEPEST:
        return False
    held: list[Any] = []
    if isinstance(function, functools.partial):
        held = [function.func, *function.args, *function.keywords.values()]
    elif isinstance(function, types.MethodType):
        held = [function.__func__]
    elif isinstance(function, types.FunctionType):
        held = [cell.cell_contents for cell in function.__closure__ or () if _is_filled(cell)]
    elif isinstance(function, (list, tuple)):
        held = list(function[:_MOST_HELD])
    elif isinstance(function, dict):
        held = [*function.values()][:_MOST_HELD]
    return any(engines.jax.is_symbolic(one) or holds_symbols(engines, one, depth + 1) for one in held)


def _is_filled(cell: types.CellType) -> bool:
    try:
        _ = cell.cell_contents
    except ValueError:
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
