"""Trials: a question is put to jax, with tracers in the place of what is not known."""

from __future__ import annotations

from typing import Any

from arraytyping.checker.flow.engines.callbacks import Callbacks
from arraytyping.checker.flow.engines.conversion import Callback, from_jax
from arraytyping.checker.flow.engines.jax import Refused
from arraytyping.checker.flow.engines.questions import Question
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.keys import origin_of
from arraytyping.checker.flow.values import ArrayValue, KeyOrigin, Value
from arraytyping.checker.flow.values.calls import Call
from arraytyping.checker.swallowed import swallow

__all__ = ["trial"]


def trial(
    callbacks: Callbacks, it: Interpreter, question: Question, function: Any, call: Call, scalars: Any, weak: bool
) -> Value:
    """One `eval_shape`: what jax gives for these arguments, with the unknown scalars among them as `scalars` says.

    Raises:
        Refused: if jax refuses them.
    """
    jax = callbacks.jax
    avals, static = question.avals(scalars, weak)
    box: list[Any] = []

    def run(*tracers: Any) -> None:
        values = dict(static)
        flags: dict[int, bool] = {}
        places: dict[int, tuple[str, int] | None] = {}
        keys: dict[int, KeyOrigin] = {}
        kept = iter(tracers)
        for number, leaf in enumerate(question.leaves):
            if number not in values:
                tracer = values[number] = next(kept)
                flags[id(tracer)] = isinstance(leaf, ArrayValue) and leaf.traced
                places[id(tracer)] = getattr(leaf, "origin", None)
                if (key := origin_of(leaf)) is not None:
                    keys[id(tracer)] = key
        base = jax.private.current_trace()
        callbacks.bases.append(base)
        callbacks.tracers.append(flags)
        callbacks.places.append(places)
        callbacks.keys.append(keys)
        try:
            asked = question.restore(function, values) if isinstance(function, Callback) else function
            result = asked(
                *(question.restore(a, values) for a in call.args),
                **{k: question.restore(v, values) for k, v in call.kwargs.items()},
            )
            traced = it.staged > 0 or question.any_traced
            made = (it.frame.module.shown, getattr(call.node, "lineno", 0)) if call.node is not None else None
            build = callbacks.build(it, call.node)
            given = {id(tracer): number for number, tracer in values.items() if number not in static}
            box.append(from_jax(jax, result, lambda _: traced, made, build, given=given))
        finally:
            callbacks.bases.pop()
            callbacks.tracers.pop()
            callbacks.places.pop()
            callbacks.keys.pop()

    try:
        jax.trace(run, avals)
    except Refused:
        raise
    except Exception as error:
        swallow(error)
        raise Refused(error, False) from None
    return box[-1]
