"""Devices, and values put onto them and fetched from them.

Source: https://docs.jax.dev/en/latest/jax.html, "Transferring and waiting for data", "Device management".
"""

from __future__ import annotations

import gc
from typing import Any

import numpy as np

from arraytyping import config
from arraytyping.basearray import Array
from arraytyping.runtime import tree
from arraytyping.runtime.array import ArrayImpl, buffer_of
from arraytyping.runtime.array_likes import array_from, materialized
from arraytyping.runtime.core import Tracer
from arraytyping.runtime.lax.constraints import constrained
from arraytyping.runtime.placed_array import PlacedArray, placed
from arraytyping.runtime.sharding import NamedSharding, PartitionSpec, Sharding, SingleDeviceSharding, get_mesh
from arraytyping.runtime.xla.jaxlib_api import (
    block_until_all_ready as wait_for_all,
    copy_to_device,
    default_device as the_default_device,
    devices as devices_of,
    is_deleted,
    is_device,
    platforms,
)
from arraytyping.runtime.xla.jaxlib_api.structures import flatten

__all__ = [
    "block_until_ready",
    "copy_to_host_async",
    "default_backend",
    "device_count",
    "device_get",
    "device_put",
    "devices",
    "live_arrays",
    "local_device_count",
    "local_devices",
    "process_count",
    "process_index",
]


def devices(backend: str | None = None) -> list[Any]:
    """The devices of a platform, by default of the one that programs run on.

    Raises:
        RuntimeError: if the platform does not exist, or cannot be used here.
    """
    return devices_of(backend)


def local_devices(
    process_index: int | None = None, backend: str | None = None, host_id: int | None = None
) -> list[Any]:
    """The devices of this process: all."""
    return devices_of(backend)


def device_count(backend: str | None = None) -> int:
    """How many devices there are."""
    return len(devices_of(backend))


local_device_count = device_count


def process_count(backend: str | None = None) -> int:
    """How many processes there are: one."""
    return 1


def process_index(backend: str | None = None) -> int:
    """The number of this process: 0."""
    return 0


def default_backend() -> str:
    """The platform that programs run on: `cpu` or `gpu`."""
    return the_default_device().platform


def device_put(
    x: Any, device: Any = None, *, src: Any = None, donate: bool = False, may_alias: bool | None = None
) -> Any:
    """The leaves of a tree as arrays, on a device if one is given; a traced one stays where the program puts it.

    The device may be a sharding, a spec over the mesh in force, or a tree of these and devices, a prefix of the tree of
    arrays, in which None is any.  A traced array is laid out so by the program.

    Raises:
        TypeError: for a leaf that is no array-like.
        ValueError: for what is no device, where they are no prefix, and for an array that cannot be cut so.
    """
    if device is None or isinstance(device, Sharding | PartitionSpec) or is_device(device):
        wanted = _place(device)
        return tree.map(lambda leaf: _put(leaf, wanted), x)
    leaves, treedef = tree.flatten(x)
    try:
        places = tree.broadcast_prefix(device, x, is_leaf=lambda d: d is None)
    except ValueError:
        raise ValueError(tree.prefix_mismatch("device_put device", device, treedef)) from None
    return tree.unflatten(treedef, [_put(leaf, _place(place)) for leaf, place in zip(leaves, places)])


def _place(given: Any) -> Sharding | None:
    """A sharding for what is given as a place.

    Raises:
        ValueError: for what is none, and a spec where no mesh is in force.
    """
    if given is None or isinstance(given, Sharding):
        return given
    if isinstance(given, PartitionSpec):
        if (mesh := get_mesh()) is None:
            raise ValueError("Please set a mesh via `set_mesh` if a PartitionSpec is passed to device_put")
        return NamedSharding(mesh, given)
    if is_device(given):
        return SingleDeviceSharding(given)
    raise ValueError(f"Received invalid value for the device of device_put: {given!r:.80}; devices() lists them")


def _put(leaf: Any, where: Sharding | None) -> Any:
    if where is None:
        with config._set_here("device_mesh", None):  # it stays where it is, and what is new is not copied to a mesh
            return materialized(array_from(leaf))
    array = materialized(array_from(leaf))
    if isinstance(array, Tracer):
        return constrained(array, where) if isinstance(where, NamedSharding) else array
    where.check_divides(array.aval.shape, "an array")
    if isinstance(where, SingleDeviceSharding) and _is_only(where._device):
        if type(array) is not ArrayImpl:  # a constant: it has no memory of its own yet
            array = ArrayImpl(buffer_of(array))
        return ArrayImpl(copy_to_device(array._buffer, where._device))
    return placed(array, where)


def _is_only(device: Any) -> bool:
    """Whether no array can lie elsewhere than on this device, so that it is the same whether one has to stay there."""
    return device == the_default_device() and len(platforms()) == 1 and len(devices_of()) == 1


def device_get(x: Any) -> Any:
    """The leaves of a tree as NumPy arrays.

    Raises:
        TracerArrayConversionError: for a leaf that is traced.
    """
    return tree.map(lambda leaf: np.asarray(leaf) if isinstance(leaf, Array) else leaf, x)


def block_until_ready(x: Any) -> Any:
    """The same tree, when all of its arrays are computed.

    Raises:
        RuntimeError: if one of them is deleted, or its computation failed.
    """
    try:
        leaves = flatten(x)[0]
    except Exception:  # a dict without an order: the other registry says so
        leaves = tree.leaves(x)
    buffers = [leaf._buffer for leaf in leaves if type(leaf) is ArrayImpl]
    if len(buffers) < len(leaves):
        buffers += [leaf._placed for leaf in leaves if type(leaf) is PlacedArray]
    if buffers:  # jaxlib takes a while to wait for none
        wait_for_all(buffers)
    return x


def live_arrays(platform: str | None = None) -> list[Any]:
    """`jax.live_arrays`: the arrays that there are on a platform, by default on the one that programs run on.

    Raises:
        RuntimeError: if the platform does not exist, or cannot be used here.
    """
    there = frozenset(devices_of(platform))
    found: dict[int, Any] = {}
    for value in gc.get_objects():
        if issubclass(type(value), ArrayImpl):  # not `isinstance`, which asks an object for its class
            buffer = getattr(value, "_placed" if type(value) is PlacedArray else "_buffer", None)
            if buffer is not None and not is_deleted(buffer) and there.issuperset(value.devices()):
                found.setdefault(id(buffer), value)
    return list(found.values())


def copy_to_host_async(x: Any) -> Any:
    """The same tree; what is on the CPU needs no copying, and other leaves do what they do for this."""
    for leaf in tree.leaves(x):
        if not isinstance(leaf, Array) and hasattr(leaf, "copy_to_host_async"):
            leaf.copy_to_host_async()
    return x
