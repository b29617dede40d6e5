"""The parts of an array that single devices hold: `addressable_shards`, `global_shards` and `addressable_data`.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.Array.html.
"""

from __future__ import annotations

from typing import Any

from arraytyping.checker.flow.state.devices_asked import MACHINE
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import ArrayValue, HandlerValue, ListValue, ScalarValue, Value
from arraytyping.checker.flow.values.places import NOWHERE
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.shardings import part_shape

__all__ = ["part_of_device", "shards"]


def part_of_device(it: Interpreter, array: ArrayValue) -> Value:
    """What one device holds of an array; unknown where it is not known how it is cut."""
    sharding, spec, shape = _sharding(array), array.cut, array.aval.shape
    sizes = [] if shape is None else [d for d in shape if isinstance(d, int)]
    if sharding is None or spec is None or None in spec or shape is None or len(sizes) < len(shape):
        return it.unknown("the part of one device of an array that lies somewhere")
    part = part_shape(spec, dict(sharding.mesh.shape), tuple(sizes))
    return ArrayValue(ShapedArray(part, array.aval.dtype, array.aval.weak_type), False, array.origin).at(NOWHERE)


def shards(it: Interpreter, array: ArrayValue, name: str) -> Value:
    """The parts of all devices of the mesh, or of those of this process."""
    sharding = _sharding(array)
    data = part_of_device(it, array)
    shard = HandlerValue(
        "a shard",
        lambda it, call: it.fail(call.node, "array-call", "TypeError: 'Shard' object is not callable"),
        (),
        {
            "data": data,
            "device": it.unknown("a device"),
            "index": it.unknown("the index of a shard"),
            "replica_id": ScalarValue(int),
        },
    )
    processes = MACHINE.of(it).processes or 1
    if sharding is None or (name == "addressable_shards" and processes != 1):
        return ListValue(None, shard)
    return ListValue([shard] * sharding.mesh.size)


def _sharding(array: ArrayValue) -> Any:
    """How an array lies, as an object of jax; None if that is not known."""
    if array.traced or array.place is None:
        return None
    return array.sharding if array.place.axes is None else array.place.real[0]
