"""Tracers that get out of a function which `grad` or `vmap` calls, outside of `jit`: none lives longer than the call.

Which arrays are tracers of such a transformation only jax knows (what does not depend on the arguments is none), so the
function is followed live, each operation traced by jax, once something has got out.

Source: https://docs.jax.dev/en/latest/errors.html#jax.errors.UnexpectedTracerError.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from arraytyping.checker.flow.engines.jax import JaxEngine
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import ArrayValue, End, Life, Value, walk
from arraytyping.checker.flow.values.frames import Frame

__all__ = ["end_escaped", "has_escaped", "traces_around"]


def _kept(it: Interpreter, mark: int, born: int) -> Iterator[ArrayValue]:
    """The arrays that were put, since a mark, into variables and containers which are older."""
    for place, contents in it.journal.changes(mark).values():
        if isinstance(place.owner, Frame):
            is_older = place.owner.kind == "module" or 0 < place.owner.mark < mark  # which comprehensions have not
        else:
            is_older = getattr(place.owner, "born", born) < born
        if is_older and not isinstance(place.owner, Life):
            yield from (v for v in _leaves(contents) if type(v) is ArrayValue)


def _leaves(contents: Value) -> Iterator[Value]:
    if isinstance(contents, dict):
        for value in contents.values():
            yield from walk(value)
    elif isinstance(contents, list | tuple):
        for value in contents:
            yield from _leaves(value) if isinstance(value, dict | list) else walk(value)
    else:
        yield from walk(contents)


def has_escaped(it: Interpreter, mark: int, born: int) -> bool:
    """Whether an array of floats that may be a tracer has got out since a mark."""
    return any(v.life is None for v in _kept(it, mark, born))


def traces_around(jax: JaxEngine) -> list[Value]:
    """The traces that are under way here."""
    found = []
    trace = jax.private.current_trace()
    while trace is not None:
        found.append(trace)
        trace = getattr(trace, "parent_trace", None)
    return found


def end_escaped(
    it: Interpreter,
    jax: JaxEngine,
    live: int,
    mark: int,
    born: int,
    around: list[Any],
    label: str,
    node: ast.AST | None,
) -> None:
    """What has got out since a mark, and is a tracer of none of the traces around, can be used no more."""
    for array in _kept(it, mark, born):
        if array.life is not None or array.real is None or array.real[0] != live:
            continue
        trace = jax.private.trace_of(array.real[1])
        if trace is not None and not any(trace is one for one in around):
            array.life, array.traced = Life(), True
            array.life.end = End(False, label, it.frame.module.shown, getattr(node, "lineno", 0))
