"""Calls with arguments that jax has no more: each is told, and the call goes on with what stands for it."""

from __future__ import annotations

import inspect
from typing import Any

from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values.calls import Call
from arraytyping.checker.removals import REMOVED_ARGUMENTS, removed_argument_sentence

__all__ = ["with_present_arguments"]


def with_present_arguments(it: Interpreter, rule: str, function: Any, call: Call) -> Call:
    """The call of a function of the installed jax with the names that its arguments have there."""
    for name, instead in REMOVED_ARGUMENTS.get(rule, {}).items():
        if name in call.kwargs and instead not in call.kwargs and name not in inspect.signature(function).parameters:
            it.fail(call.node, "array-jax-version", removed_argument_sentence(rule, name, instead))
            call = call.with_kwargs({instead if key == name else key: value for key, value in call.kwargs.items()})
    return call
