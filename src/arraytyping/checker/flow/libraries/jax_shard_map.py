"""`shard_map`: the function is followed with the part of one device of each argument, and gives parts of the result.

It is jax's own, over the program's mesh: collectives, and along which axes a value varies, are by its rules.

Source: https://docs.jax.dev/en/latest/notebooks/shard_map.html.
"""

from __future__ import annotations

import ast
from contextlib import suppress
from typing import Any

from arraytyping.checker.flow.engines.conversion import Abort
from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.state.interpreter import Interpreter, Signal
from arraytyping.checker.flow.syntax.shardings import map_with
from arraytyping.checker.flow.syntax.traced_arguments import to_array
from arraytyping.checker.flow.values import MISSING, ArrayValue, DictValue, HandlerValue, Unknown, Value
from arraytyping.checker.flow.values.calls import Call
from arraytyping.semantics.shardings import ShardingError, axes_str, check_fit, check_names, read_spec, spec_str

__all__: list[str] = []

Kwargs = dict[str, Any]
Node = ast.AST | None


class _Refused(Signal):
    """What the function gives cannot be put together as `out_specs` say."""


@handles("jax.shard_map", "jax.experimental.shard_map.shard_map", "jax.smap")
def _shard_map(it: Interpreter, call: Call) -> Value:
    options = call.named("f", "mesh", "in_specs", "out_specs")
    function = options.pop("f", MISSING)
    if function is MISSING:
        return HandlerValue("shard_map", lambda i, call: _shard_map(i, call.with_kwargs({**options, **call.kwargs})))
    if isinstance(function, Unknown):
        return function
    return HandlerValue("shard_map", lambda i, call: _call(i, function, options, call), (function,))


def _call(it: Interpreter, function: Value, options: Kwargs, call: Call) -> Value:
    """Call a function that was mapped over the parts of its arguments."""
    sharding = it.engines.jax.jax.sharding
    mesh = options.get("mesh")
    mesh = it.engines.jax.private.mesh_in_force() if mesh is None else mesh
    if not isinstance(mesh, sharding.Mesh | sharding.AbstractMesh):
        it.engines.havoc(it, [function])
        return it.unknown("shard_map over a mesh that is not known")
    label = getattr(function, "name", None) or "the function"
    try:
        _check_inputs(it, options.get("in_specs"), dict(mesh.shape), label, call.args, call.node)
    except ShardingError as error:
        it.engines.havoc(it, [function])
        return it.fail(call.node, "array-sharding", f"ValueError: shard_map: {error}")
    checks = options.get("check_vma", options.get("check_rep", True)) is not False
    try:
        return _followed(it, function, options, mesh, checks, call)
    except _Refused as refused:
        return it.fail(call.node, "array-sharding", f"ValueError: shard_map: {refused}")
    except Abort as abort:
        why = abort.why
    if checks:  # what varies along which axis is not known of something
        with it.quietly(), suppress(Abort, _Refused):  # what jax would refuse then is no mistake
            return _followed(it, function, options, mesh, False, call)
    it.engines.havoc(it, [function])
    return it.unknown(why)


def _followed(it: Interpreter, function: Value, options: Kwargs, mesh: Any, checks: bool, call: Call) -> Value:
    """What jax's own `shard_map` gives.

    Raises:
        Abort: if something is not known well enough.
        _Refused: if the results do not fit `out_specs`.
    """
    jax = it.engines.jax.jax
    taken = {key: options[key] for key in ("in_specs", "out_specs", "axis_names") if key in options}

    def inner(it: Interpreter, call: Call) -> Value:
        found = it.call(function, *call)
        _check_outputs(
            it, found, taken.get("out_specs"), dict(mesh.shape), checks, getattr(function, "name", ""), call.node
        )
        return found

    followed = HandlerValue(getattr(function, "name", "function"), inner, (function,))
    own = options.get("mesh")

    def transformed(function: Value, chosen: Any, /, *arguments: Any) -> Value:
        return jax.shard_map(function, mesh=own, check_vma=checks, **chosen)(*arguments)

    transformed.__name__ = "shard_map"
    return it.engines.asker.ask(it, transformed, call.preceded_by(followed, DictValue(dict(taken))))


def _check_inputs(
    it: Interpreter, specs: Any, sizes: dict[str, int], label: str, args: list[Value], node: Node
) -> None:
    """Hold the arguments against their specs.

    Raises:
        ShardingError: if one cannot be cut so.
        TreeError: if the specs are others than the arguments.
    """
    kind = it.engines.jax.jax.sharding.PartitionSpec

    def check(leaf: Value, spec: Any, path: str) -> Value:
        array = to_array(it, leaf, node)
        entries = read_spec(spec) if isinstance(spec, kind) else None
        if entries is None:
            return leaf
        shown = f"in_specs {spec_str(spec)}"
        check_names(entries, sizes, shown)
        if isinstance(array, ArrayValue) and array.aval.shape is not None:
            number = path.removeprefix("[").partition("]")[0]
            what = f"argument {number} of {label}" if number else f"the argument of {label}"
            check_fit(entries, sizes, array.aval.shape, shown, what)
        return leaf

    if specs is not None:
        map_with(it, tuple(args), specs, check, node)


def _check_outputs(
    it: Interpreter, value: Value, specs: Any, sizes: dict[str, int], checks: bool, label: str, node: Node
) -> None:
    """Hold what the function gives against `out_specs`.

    Raises:
        _Refused: if it does not fit.
    """
    kind = it.engines.jax.jax.sharding.PartitionSpec

    def check(leaf: Value, spec: Any, path: str) -> Value:
        entries = read_spec(spec) if isinstance(spec, kind) else None
        array = to_array(it, leaf, node)
        if entries is None or not isinstance(array, ArrayValue) or array.aval.shape is None:
            return leaf
        what = f"result{path} of {label or 'the function'}"
        shown = f"out_specs {spec_str(spec)}"
        check_names(entries, sizes, shown)
        check_fit(entries, {}, array.aval.shape, shown, f"the {what}")
        varying = frozenset() if array.place is None else array.place.varying
        left = varying - {name for entry in entries for name in entry or ()}
        if checks and left:
            names = [name for name in sizes if name in left]
            raise ShardingError(
                f"the {what} differs along {_axis(names)} of the mesh, and {shown} says that it is the same there: "
                f"take its sum or mean (jax.lax.psum, pmean) over {axes_str(names)}, or name it in out_specs"
            )
        return leaf

    if specs is None:
        return
    try:
        map_with(it, value, specs, check, node)
    except ShardingError as error:
        raise _Refused(str(error)) from None


def _axis(names: list[str]) -> str:
    return f"the {'axis' if len(names) == 1 else 'axes'} {axes_str(names)}"
