"""Global arrays that are made of parts: of each process's, of each device's, or of those that a callback gives.

A process has the part of its own devices.  Which devices of a mesh are whose is not followed, so the size of a
dimension is known where all devices cut it, or none.

Source: https://docs.jax.dev/en/latest/multi_process.html and
https://docs.jax.dev/en/latest/jax.experimental.multihost_utils.html.
"""

from __future__ import annotations

import ast
from typing import Any

from arraytyping.checker.flow.libraries.jax_devices import known_count, processes_known
from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.state.devices_asked import DEVICES, MACHINE
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.syntax.shardings import Asked, asked_of, check_leaf, map_with, put
from arraytyping.checker.flow.syntax.traced_arguments import map_arrays, to_array
from arraytyping.checker.flow.values import MISSING, ArrayValue, ListValue, NumPyValue, ScalarValue, Unknown, Value
from arraytyping.checker.flow.values.calls import Call
from arraytyping.checker.flow.values.places import NOWHERE
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.shardings import ShardingError, check_local, check_part, global_shape

__all__: list[str] = []

Node = ast.AST | None


def _whole(given: Value) -> tuple[int | None, ...] | None:
    """A shape that the program gives, sizes that are not known left out; None if it is none."""
    items = given.items if isinstance(given, ListValue) else given
    return tuple(d if type(d) is int else None for d in items) if isinstance(items, tuple | list) else None


@handles("jax.make_array_from_callback")
def _from_callback(it: Interpreter, call: Call) -> Value:
    """An array of a global shape, of which the callback gives parts."""
    given = call.named("shape", "sharding", "data_callback")
    shape, callback, wanted = given.get("shape"), given.get("data_callback"), given.get("sharding")
    if not isinstance(shape, tuple) or not all(type(d) is int for d in shape):
        it.engines.havoc(it, [callback])
        return it.unknown("an array of a shape that is not known, made of parts")
    anywhere = ScalarValue(int)
    part = to_array(it, it.call(callback, [(slice(anywhere, anywhere),) * len(shape)], {}, call.node), call.node)
    dtype = part.aval.dtype if isinstance(part, ArrayValue) else None
    array = it.array(ShapedArray(shape, dtype, None if dtype is None else False), False, call.node).at(NOWHERE)
    try:
        check_leaf(it, array, wanted, "the array")
    except ShardingError as error:
        return it.fail(call.node, "array-sharding", f"ValueError: make_array_from_callback: {error}")
    array.sharding = wanted if asked_of(it, wanted) is not None else None
    return array


@handles("jax.make_array_from_process_local_data")
def _from_local(it: Interpreter, call: Call) -> Value:
    """Arrays of which each process gives its part, or all of some dimensions."""
    given = call.named("sharding", "local_data", "global_shape")
    shape = given.get("global_shape")
    known = _whole(shape)
    if shape is not None and known is None:
        return it.unknown("an array that is made of parts of processes")
    return _of_parts(
        it, "make_array_from_process_local_data", given.get("local_data"), given.get("sharding"), known, call.node
    )


@handles("jax.experimental.multihost_utils.host_local_array_to_global_array")
def _host_to_global(it: Interpreter, call: Call) -> Value:
    given = call.named("local_inputs", "global_mesh", "pspecs")
    name = "host_local_array_to_global_array"
    wanted = _over(it, given.get("global_mesh"), given.get("pspecs"), call.node)
    return _of_parts(it, name, given.get("local_inputs"), wanted, None, call.node)


def _over(it: Interpreter, mesh: Any, specs: Any, node: Node) -> Value:
    """A tree of shardings over a mesh, with these specs."""
    sharding = it.engines.jax.jax.sharding

    def change(leaf: Value) -> Value:
        if not isinstance(leaf, sharding.PartitionSpec):
            return it.unknown("a sharding of which a part is not known")
        return it.call(sharding.NamedSharding, [mesh, leaf], {}, node)

    return map_arrays(it, specs, change, node)


def _of_parts(
    it: Interpreter, name: str, local: Any, wanted: Value, shape: tuple[int | None, ...] | None, node: Node
) -> Value:
    def change(leaf: Value, sharding: Any, path: str) -> Value:
        array = to_array(it, leaf, node)
        if not isinstance(array, ArrayValue):
            return it.unknown("an array that is made of parts of processes")
        what = f"the local data{path and f' at {path}'}"
        aval = array.aval
        found = _global(it, aval.shape, asked_of(it, sharding), shape, what)
        made = it.array(ShapedArray(found, aval.dtype, aval.weak_type), False, node).at(NOWHERE)
        check_leaf(it, made, sharding, f"the array{path and f' at {path}'}")
        return put(it, made, sharding, it.engines.jax.jax.device_put, node)

    try:
        return map_with(it, local, wanted, change, node)
    except ShardingError as error:
        return it.fail(node, "array-sharding", f"ValueError: {name}: {error}")


def _global(
    it: Interpreter, local: Any, asked: Asked | None, given: tuple[int | None, ...] | None, what: str
) -> tuple[Any, ...] | None:
    """The global shape of an array of which each process gives a part.

    Raises:
        ShardingError: if it certainly has none.
    """
    processes, count = processes_known(it), known_count(it)
    if asked is None:
        spec, sizes = None, {}
    else:
        spec, sizes = asked.spec, asked.sizes
    if given is not None:
        is_one = processes == 1 and (MACHINE.of(it).processes == 1 or bool(DEVICES.of(it).own))
        if local is not None and (is_one or processes > 1):
            check_local(spec, sizes, local, given, count, processes, what)
        return given
    return local if processes == 1 or local is None else global_shape(spec, sizes, local, count, processes)


@handles("jax.make_array_from_single_device_arrays")
def _from_devices(it: Interpreter, call: Call) -> Value:
    """An array of a global shape, of which the parts of this process's devices are given."""
    given = call.named("shape", "sharding", "arrays")
    shape, wanted, arrays = _whole(given.get("shape")), given.get("sharding"), given.get("arrays")
    items = arrays.items if isinstance(arrays, ListValue) else arrays
    some = (
        arrays.element if isinstance(arrays, ListValue) and items is None else MISSING
    )  # of each the dtype is the same
    parts = [to_array(it, item, call.node) for item in items] if isinstance(items, list | tuple) else []
    first = parts[0] if parts else some
    dtype = first.aval.dtype if isinstance(first, ArrayValue) else None
    made = it.array(ShapedArray(shape, dtype, None if dtype is None else False), False, call.node).at(NOWHERE)
    asked = asked_of(it, wanted)
    try:
        check_leaf(it, made, wanted, "the array")
        if asked is not None and shape is not None and None not in shape:
            for number, part in enumerate(parts):
                if isinstance(part, ArrayValue) and part.aval.shape is not None:
                    check_part(asked.spec, asked.sizes, shape, part.aval.shape, f"array {number}")  # type: ignore[arg-type]
    except ShardingError as error:
        return it.fail(call.node, "array-sharding", f"ValueError: make_array_from_single_device_arrays: {error}")
    return put(it, made, wanted, it.engines.jax.jax.device_put, call.node)


@handles("jax.experimental.multihost_utils.global_array_to_host_local_array")
def _global_to_host(it: Interpreter, call: Call) -> Value:
    """The part of this process, which is all of it where there is one."""
    value = call.argument(0, "global_inputs")
    if processes_known(it) != 1:
        return it.unknown("the part of one process")
    return map_arrays(it, value, lambda leaf: to_array(it, leaf, call.node), call.node)


@handles("jax.experimental.multihost_utils.process_allgather")
def _gathered(it: Interpreter, call: Call) -> Value:
    """What all processes have, as NumPy arrays: stacked, or one behind the other if `tiled`; a global array whole."""
    value, tiled = [*call.args, *[call.kwargs.get(k) for k in ("in_tree", "tiled")[len(call.args) :]]][:2]
    processes = processes_known(it)
    if not processes or not isinstance(tiled, bool | None):
        return it.unknown("what several processes have")

    def change(leaf: Any) -> Value:
        described = leaf.aval if isinstance(leaf, ArrayValue) else leaf
        if not isinstance(leaf, ArrayValue | NumPyValue) or described.shape is None or described.dtype is None:
            return it.unknown("what several processes have")
        if isinstance(leaf, ArrayValue) and processes > 1:
            return it.unknown("an array that may be of one process or of all")
        shape = described.shape
        if processes == 1:
            return NumPyValue(shape if tiled else (1, *shape), described.dtype)
        dtype = str(it.engines.jax.canonical(described.dtype))
        first = shape[0] if shape else 1
        whole = (processes * first, *shape[1:]) if type(first) is int else (None, *shape[1:])
        return NumPyValue(whole if tiled or not shape else (processes, *shape), dtype)

    return map_arrays(it, value, change, call.node)


@handles("jax.experimental.multihost_utils.broadcast_one_to_all")
def _broadcast(it: Interpreter, call: Call) -> Value:
    """The same tree of NumPy arrays, with the values of the first process."""
    value = call.argument(0, "in_tree")
    is_one = processes_known(it) == 1

    def change(leaf: Any) -> Value:
        described = leaf.aval if isinstance(leaf, ArrayValue) else leaf
        if not isinstance(leaf, ArrayValue | NumPyValue) or described.dtype is None:
            return it.unknown("what the first process has")
        dtype = described.dtype if is_one else str(it.engines.jax.canonical(described.dtype))
        return NumPyValue(described.shape, dtype)

    return Unknown("nothing to broadcast") if value is None else map_arrays(it, value, change, call.node)


@handles("jax.experimental.multihost_utils.sync_global_devices", "jax.experimental.multihost_utils.assert_equal")
def _synchronized(it: Interpreter, call: Call) -> Value:
    return None
