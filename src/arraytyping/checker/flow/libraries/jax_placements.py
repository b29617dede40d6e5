"""Functions that put arrays where they lie: `device_put`, `reshard` and constraints.

What the program asks for is held against the shape first; then jax says what the type of the result is.

Source: https://docs.jax.dev/en/latest/sharded-computation.html and
https://docs.jax.dev/en/latest/notebooks/explicit-sharding.html.
"""

from __future__ import annotations

import sys
from typing import Any

from arraytyping.checker.flow.engines.structures import displaced
from arraytyping.checker.flow.libraries.registry import Handler, handles
from arraytyping.checker.flow.real_calls.removed_names import FOLLOWED
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.syntax.shardings import check_leaf, map_with, put
from arraytyping.checker.flow.syntax.traced_arguments import to_array
from arraytyping.checker.flow.values import MISSING, ArrayValue, HandlerValue, LazyName, ListValue, Value, is_concrete
from arraytyping.checker.flow.values.calls import Call
from arraytyping.semantics.shardings import ShardingError, check_names, read_spec, spec_str

__all__: list[str] = []


def _placing(name: str, second: str) -> Handler:
    """A handler of a function that takes a tree of arrays and one of shardings."""

    def handle(it: Interpreter, call: Call) -> Value:
        given = call.named("x", second)
        value = given.get("x", given.get("value", MISSING))
        wanted = given.get(second)
        if value is MISSING:
            return it.fail(call.node, "array-call", f"TypeError: {name}() missing an argument: the array")
        jax = it.engines.jax.jax
        real = {"device_put": jax.device_put, "reshard": jax.sharding.reshard}.get(
            name, jax.lax.with_sharding_constraint
        )
        # Under jit a constraint on what is not divisible is kept by padding.
        may_pad = name != "device_put" and it.staged > 0

        def change(leaf: Value, sharding: Any, path: str) -> Value:
            array = to_array(it, leaf, call.node)
            if not isinstance(array, ArrayValue):
                return array
            check_leaf(it, array, sharding, f"the array{path and f' at {path}'}", may_pad)
            return put(it, array, sharding, real, call.node)

        try:
            return map_with(it, value, wanted, change, call.node)
        except ShardingError as error:
            return it.fail(call.node, "array-sharding", f"ValueError: {name}: {error}")

    return handle


handles("jax.device_put")(_placing("device_put", "device"))
handles("jax.lax.with_sharding_constraint")(_placing("with_sharding_constraint", "shardings"))
handles("equinox.filter_shard")(_placing("filter_shard", "device_or_shardings"))
handles("jax.reshard", "jax.sharding.reshard")(_placing("reshard", "out_shardings"))


@handles("jax.sharding.NamedSharding")
def _named_sharding(it: Interpreter, call: Call) -> Value:
    """The sharding, if its spec names axes of the mesh, each at most once."""
    sharding = it.engines.jax.jax.sharding
    given: dict[str, Any] = call.named("mesh", "spec")
    mesh, spec = given.get("mesh"), given.get("spec")
    known = isinstance(mesh, sharding.Mesh | sharding.AbstractMesh) and isinstance(spec, sharding.PartitionSpec)
    if not known or not all(is_concrete(v) for v in given.values()):
        return it.unknown("a sharding of which a part is not known")
    assert mesh is not None
    assert spec is not None
    entries = read_spec(spec)
    try:
        if entries is not None:
            check_names(entries, dict(mesh.shape), spec_str(spec))
        return sharding.NamedSharding(mesh, spec, memory_kind=given.get("memory_kind"))
    except ShardingError as error:
        return it.fail(call.node, "array-sharding", f"ValueError: {error}")
    except (ValueError, TypeError) as error:
        said = " ".join(str(error).split())
        return it.fail(call.node, "array-sharding", f"{type(error).__name__}: NamedSharding: {said}")


@handles("jax.sharding.auto_axes", "jax.sharding.explicit_axes")
def _kinds(it: Interpreter, call: Call) -> Value:
    """The function itself, called without the shardings: where its results lie is not known."""
    function = call.args[0] if call.args else call.kwargs.get("f", call.kwargs.get("fun", MISSING))
    if function is MISSING:
        return HandlerValue("auto_axes", lambda i, later: _kinds(i, later.with_kwargs({**call.kwargs, **later.kwargs})))

    def called(it: Interpreter, call: Call) -> Value:
        hidden = [displaced(v) for v in call.args]
        named = {x: displaced(y) for x, y in call.kwargs.items() if x not in ("in_sharding", "out_sharding")}
        mesh = it.engines.jax.mesh
        it.engines.jax.put_mesh(None)
        try:
            return displaced(it.call(function, hidden, named, call.node))
        finally:
            it.engines.jax.put_mesh(mesh)

    return HandlerValue("auto_axes", called, (function,))


def _in_stand_in(named: LazyName) -> Handler:
    def answer(it: Interpreter, call: Call) -> Value:
        return it.call(it.importer.resolve(it, named), *call)

    return answer


for _name, _named in FOLLOWED.items():  # as long as the installed jax has them
    if _named.name is not None:
        handles(_name)(_in_stand_in(_named))
for _name in ("pad_shard_unpad", "prefetch_to_device"):
    handles(f"flax.jax_utils.{_name}")(_in_stand_in(LazyName("flax_jax_utils", _name)))


@handles("flax.jax_utils.replicate")
def _replicate(it: Interpreter, call: Call) -> Value:
    """A copy for each device, in a first axis; flax itself is asked where the number of devices is known."""
    given = call.named("tree", "devices")
    devices = given.get("devices")
    if devices is None:
        devices = it.call(it.engines.jax.jax.local_devices, [], {}, call.node)
    if not isinstance(devices, ListValue) or devices.items is not None:
        return it.engines.call(it, sys.modules["flax.jax_utils"].replicate, call)
    return _in_stand_in(FOLLOWED["jax.device_put_replicated"])(it, Call([given.get("tree"), devices], {}, call.node))
