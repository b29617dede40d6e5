"""`in_shardings` and `out_shardings` of `jax.jit`: held against the arguments and the results of each call.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.jit.html.
"""

from __future__ import annotations

import ast
from collections.abc import Collection
from typing import Any

from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.syntax.held_arrays import note_held
from arraytyping.checker.flow.syntax.jit import call_jitted
from arraytyping.checker.flow.syntax.shardings import TreeError, check_leaf, map_with, put
from arraytyping.checker.flow.syntax.static_arguments import static_positions
from arraytyping.checker.flow.syntax.traced_arguments import to_array
from arraytyping.checker.flow.values import ArrayValue, BaseValue, JitValue, Value
from arraytyping.checker.flow.values.calls import Call
from arraytyping.semantics.shardings import ShardingError, spec_str

__all__ = ["call_placed"]


def call_placed(it: Interpreter, jitted: JitValue, call: Call) -> Value:
    """Call a jitted function, with its arguments and results where the program asks for them."""
    options = jitted.options
    if options.get("in_shardings") is None and options.get("out_shardings") is None:
        result = call_jitted(it, jitted, call)
        note_held(it, jitted.function, call, result)
        return result
    label = getattr(jitted.function, "name", None) or "the function"
    static = static_positions(jitted.function, options, len(call.args))
    try:
        if static is not None:
            call = call.with_args(_put_arguments(it, options, call.args, static[0], label, call.node))
        result = call_jitted(it, jitted, call)
        result = _put_results(it, options, result, label, call.node)
    except ShardingError as error:
        return it.fail(call.node, "array-sharding", f"ValueError: jit: {error}")
    note_held(it, jitted.function, call, result)
    return result


def _put_arguments(
    it: Interpreter, options: dict[str, Value], args: list[Value], static: Collection[int], label: str,
    node: ast.AST | None,
) -> list[Value]:  # fmt: skip
    """The arguments where `in_shardings` puts them; static ones have no sharding.

    Raises:
        ShardingError: if one cannot lie so.
    """
    given = options.get("in_shardings")
    if given is None:
        return args
    moved = [i for i in range(len(args)) if i not in static]
    names = {position: f"argument {i} of {label}" for position, i in enumerate(moved)}

    def change(leaf: Value, sharding: Any, path: str) -> Value:
        array = to_array(it, leaf, node)
        if not isinstance(array, ArrayValue) or sharding is None:
            return leaf
        number, _, rest = path.removeprefix("[").partition("]")
        what = names[int(number)] if number else f"an argument of {label}"
        check_leaf(it, array, sharding, f"{what}{rest and f' at {rest}'}")
        if (clash := _clash(array, sharding)) is not None:
            said = f"{what} lies as {clash}, and in_shardings asks for {sharding.spec}"
            what_to_do = "put it there with jax.device_put, or leave it out of in_shardings"
            raise ShardingError(spec_str(f"{said}: {what_to_do}"))
        return put(it, array, sharding, it.engines.jax.jax.device_put, node)

    try:
        found = map_with(it, tuple(args[i] for i in moved), given, change, node)
    except TreeError as error:
        raise ShardingError(f"in_shardings of {label}: {error}") from None
    placed = list(args)
    for i, value in zip(moved, found if isinstance(found, tuple) else ()):
        placed[i] = value
    return placed


def _clash(array: ArrayValue, wanted: Value) -> Value:
    """How an array lies that was put elsewhere than it is asked for; None if it was not, or that is not known."""
    own, shape = array.sharding, array.aval.shape
    if own is None or array.traced or shape is None or isinstance(wanted, BaseValue) or not hasattr(wanted, "mesh"):
        return None
    return None if own.is_equivalent_to(wanted, len(shape)) else own.spec


def _put_results(it: Interpreter, options: dict[str, Value], result: Value, label: str, node: ast.AST | None) -> Value:
    """The results where `out_shardings` puts them.

    Raises:
        ShardingError: if one cannot lie so.
    """
    given = options.get("out_shardings")
    if given is None:
        return result

    def change(leaf: Value, sharding: Any, path: str) -> Value:
        array = to_array(it, leaf, node)
        if not isinstance(array, ArrayValue) or sharding is None:
            return leaf
        check_leaf(it, array, sharding, f"the result{path} of {label}")
        return put(it, array, sharding, it.engines.jax.jax.device_put, node)

    try:
        return map_with(it, result, given, change, node)
    except TreeError as error:
        raise ShardingError(f"out_shardings of {label}: {error}") from None
