"""`arraytyping.facts`: what is done by threads, while the program goes on.

What a thread writes may be there in part, wherever it is looked at, so nothing is known of it; but what it puts into a
queue comes out of it as a whole.
"""

from __future__ import annotations

from typing import Any, Final

from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.state.forgetting import forget_contents, forget_reachable
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.journal import Mark
from arraytyping.checker.flow.state.run_slots import RunSlot
from arraytyping.checker.flow.values import (
    BoundMethod,
    FunctionValue,
    InstanceValue,
    ListValue,
    PartialValue,
    UnionValue,
    Unknown,
    Value,
)
from arraytyping.checker.flow.values.calls import Call

__all__: list[str] = []

_WHY: Final = "what a thread may have changed"
_IS_MEANWHILE: Final[RunSlot[bool]] = RunSlot("whether what a thread does is followed", bool)
_QUEUED: Final[RunSlot[dict[int, ListValue]]] = RunSlot("the items of queues", dict)


@handles("arraytyping.facts.queued")
def _queued(it: Interpreter, call: Call) -> Value:
    made = ListValue([])
    _QUEUED.of(it)[id(made)] = made
    return made


@handles("arraytyping.facts.is_meanwhile")
def _is_meanwhile(it: Interpreter, call: Call) -> Value:
    return _IS_MEANWHILE.of(it)


@handles("arraytyping.facts.call_meanwhile")
def _call_meanwhile(it: Interpreter, call: Call) -> Any:
    function = call.argument(0, "function")
    is_meanwhile, before, mark = _IS_MEANWHILE.of(it), it.havocked, it.journal.mark
    _IS_MEANWHILE.put(it, True)
    it.havocked = {}  # it goes on, with what has been changed since
    try:
        it.engines.havoc(it, [function])
    finally:
        it.havocked = before
        _IS_MEANWHILE.put(it, is_meanwhile)
    _forget_written(it, mark)
    for one in function.values if isinstance(function, UnionValue) else (function,):
        _forget_given(it, one)


def _forget_written(it: Interpreter, mark: Mark) -> None:
    """Forget what was written since, of what was there before."""
    for place, old in list(it.journal.before_round(mark)):
        owner = place.owner
        if id(owner) in _QUEUED.of(it):
            continue
        if place.name is not None:
            if owner.variables.get(place.name) is not old:
                it.journal.bind(owner, place.name, Unknown(_WHY))
            continue
        it.journal.touch(owner)
        if isinstance(owner, InstanceValue) and isinstance(old, dict):
            kept = {n: v if n in old and old[n] is v else Unknown(_WHY) for n, v in owner.attributes.items()}
            owner.attributes = kept
        else:
            forget_contents(owner, _WHY)


def _forget_given(it: Interpreter, function: Value) -> None:
    """Forget what a function is given that is not followed."""
    given: list[Value] = []
    while isinstance(function, PartialValue | BoundMethod):
        given += function.args if isinstance(function, PartialValue) else [function.receiver]
        given += function.kwargs.values() if isinstance(function, PartialValue) else []
        function = function.function
    if not isinstance(function, FunctionValue) or not function.frame.module.is_program:
        for value in [*given, function]:
            forget_reachable(it.journal.touch, value, _WHY)
