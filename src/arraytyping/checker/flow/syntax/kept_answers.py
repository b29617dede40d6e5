"""Calls that were followed before: what is compiled once is followed once for arguments of the same types."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from arraytyping.checker.flow.state.identity import identity
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.key_effects import KeyArguments
from arraytyping.checker.flow.state.origins import forget_origin
from arraytyping.checker.flow.syntax.traced_arguments import map_arrays
from arraytyping.checker.flow.values import ArrayValue, Value, has_objects_as_keys
from arraytyping.checker.flow.values.calls import Call

__all__ = ["followed_once", "kept_answer", "key_of_answer", "made_again"]


def followed_once(it: Interpreter, answers: dict[Any, Any], call: Call, run: Callable[[], Value]) -> Value:
    """What `run` gives, or gave before for arguments of the same types; nothing is kept of what was told quietly."""
    if it.engines.is_live or it.quiet:
        return run()
    key = (tuple(map(identity, call.values)), tuple(call.kwargs), it.engines.jax.configuration(), it.staged > 0)
    keys = KeyArguments(it, call.values)
    if (kept := kept_answer(it, answers, key)) is not None:
        answer, effects = kept
        keys.again(effects)
        copied = it.engines.copy(answer, keys, effects)
        return map_arrays(it, copied, lambda leaf: made_again(it, leaf, call.node), call.node)
    suppressed, failures, mark = it.suppressed, it.failures, it.journal.mark
    result = run()
    if it.suppressed == suppressed and not has_objects_as_keys(result):
        answers[key_of_answer(it, key, it.failures > failures)] = it.engines.keep(result, keys, mark)
    return result


def key_of_answer(it: Interpreter, key: Any, is_told: bool) -> Any:
    """The key of an answer; where mistakes were told that may be certain elsewhere, it is for code as sure as this."""
    return (key, _certainty(it)) if is_told and (it.path_uncertain or it.conditions) else key


def kept_answer(it: Interpreter, answers: dict[Any, Any], key: Any) -> Any:
    """What was kept of a call, for code that is as sure to be reached as this; None if nothing was."""
    found = answers.get(key)
    return answers.get((key, _certainty(it))) if found is None else found


def _certainty(it: Interpreter) -> tuple[bool, Any]:
    return it.path_uncertain > 0, it.conditions


def made_again(it: Interpreter, leaf: Value, node: ast.AST | None) -> Value:
    """An array of an answer that was kept: as a tracer it lives as long as the trace that is under way now."""
    if it.notes_origins:
        forget_origin(it, leaf, node)
    if not isinstance(leaf, ArrayValue) or not leaf.traced:
        return leaf
    array = leaf.with_key(leaf.key)
    array.life = it.life
    return array
