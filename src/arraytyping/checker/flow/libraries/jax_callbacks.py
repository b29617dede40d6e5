"""Functions of the program that JAX calls back as a compiled program runs, such as that of `jax.debug.callback`.

They are given arrays that have values, strongly typed, in the pytrees of the arguments, and are called as often as the
compiled program comes there, which may be never: what they change is joined with what was there.

Source: jax/_src/callback.py and jax/_src/debugging.py, where arguments go through `device_put`.
"""

from __future__ import annotations

import contextlib
import sys
from dataclasses import replace
from typing import Any

from arraytyping.checker.flow.engines.asking import NeedsLive
from arraytyping.checker.flow.engines.conversion import Abort
from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.state.interpreter import Interpreter, ProgramEnds, Raised, Recursion
from arraytyping.checker.flow.state.repeated import call_repeatedly
from arraytyping.checker.flow.syntax.traced_arguments import map_arrays, to_array
from arraytyping.checker.flow.values import ArrayValue, Value
from arraytyping.checker.flow.values.calls import Call


@handles("jax.debug.callback")
def _debug_callback(it: Interpreter, call: Call) -> Value:
    options = {name: call.kwargs[name] for name in ("ordered", "partitioned") if name in call.kwargs}
    named = {name: value for name, value in call.kwargs.items() if name not in options}
    if options.get("partitioned", False) is not False or "callback" in named:
        it.engines.havoc(it, call.values)  # each device shows its part of the arrays
    else:
        _called_back(it, call.args[:1], call.args[1:], named, call)
    return None


@handles("jax.experimental.io_callback")
def _io_callback(it: Interpreter, call: Call) -> Value:
    named = {name: value for name, value in call.kwargs.items() if name not in ("sharding", "ordered")}
    if "callback" in named or "result_shape_dtypes" in named:
        it.engines.havoc(it, call.values)
    else:
        _called_back(it, call.args[:1], call.args[2:], named, call)
    return it.engines.call(it, sys.modules["jax.experimental"].io_callback, call)


@handles("jax.pure_callback")
def _pure_callback(it: Interpreter, call: Call) -> Value:
    # What it gets where it is mapped, one item or all, `vmap_method` says.
    it.engines.havoc(it, call.args[:1] or call.values)
    return it.engines.call(it, sys.modules["jax"].pure_callback, call)


def _called_back(
    it: Interpreter, function: list[Value], args: list[Value], kwargs: dict[str, Value], call: Call
) -> None:
    """Call a function with the arrays that it is given where a compiled program comes to it, any number of times."""
    if not function:
        return

    def filled(value: Value) -> Value:
        return map_arrays(it, value, lambda leaf: _with_value(it, leaf, call), call.node)

    given, named = [filled(value) for value in args], {name: filled(value) for name, value in kwargs.items()}

    def run() -> None:
        with it.quietly(), contextlib.suppress(Raised, Recursion, Abort, ProgramEnds, NeedsLive):
            call_repeatedly(it, lambda: it.call(function[0], given, named, call.node))

    staged, it.staged = it.staged, 0
    try:
        it.engines.apart(run)
    finally:
        it.staged = staged


def _with_value(it: Interpreter, leaf: Value, call: Call) -> Any:
    """What a leaf of the arguments is when the function is called."""
    if leaf is None or isinstance(leaf, str):
        return leaf
    array = to_array(it, leaf, call.node)
    if not isinstance(array, ArrayValue) or str(array.aval.dtype or "").startswith("key<"):
        return it.unknown("what a function that is called back is given")
    aval = array.aval if array.aval.dtype is None else replace(array.aval, weak_type=False)
    return ArrayValue(aval, False, array.origin)
