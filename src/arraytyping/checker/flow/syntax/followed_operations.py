"""Operations of which the origin is noted, and what is looked at there: for the codes that a run has to ask for."""

from __future__ import annotations

import ast

from arraytyping.checker.flow.python.calling import call_value
from arraytyping.checker.flow.state import promotions, silent_broadcasts
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.origins import new_origins, note_call, noting_results
from arraytyping.checker.flow.values import Value
from arraytyping.checker.flow.values.calls import Call
from arraytyping.checker.flow.values.origins import Origin

__all__ = ["followed_call", "note_operation"]


def followed_call(
    it: Interpreter, function: Value, args: list[Value], kwargs: dict[str, Value], node: ast.AST
) -> Value:
    """The result of a call, with origins for what it has made."""
    with noting_results(it) as inner:
        result = call_value(it, function, Call(args, kwargs, node))
    made = note_call(it, node, function, args, kwargs, result, inner)
    _look(it, made)
    if it.enabled.intersection(promotions.CODES):
        promotions.check_64_bits(it, node, it.engines.operation_name(function), args, kwargs, made)
    return result


def note_operation(it: Interpreter, node: ast.AST, op: str, args: list[Value], result: Value) -> None:
    """Note what an operator, an attribute or an item of an array has made."""
    _look(it, new_origins(it, node, op, args, {}, result))


def _look(it: Interpreter, made: list[Origin]) -> None:
    if not made or it.frame.module.is_library or not it.frame.module.is_program:
        return
    if it.enabled.intersection(promotions.CODES):
        for origin in made[:1]:
            promotions.check_promotion(it, origin)
    if silent_broadcasts.CODE in it.enabled:
        for origin in made:
            silent_broadcasts.check_reduction(it, origin)
