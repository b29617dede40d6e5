"""Devices, and values put onto them and fetched from them.

Source: https://docs.jax.dev/en/latest/jax.html, "Transferring and waiting for data", "Device management".
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arraytyping.basearray import Array
from arraytyping.runtime import tree
from arraytyping.runtime.array import ArrayImpl, buffer_of
from arraytyping.runtime.array_likes import array_from, materialized
from arraytyping.runtime.core import Tracer
from arraytyping.runtime.sharding import SingleDeviceSharding
from arraytyping.runtime.xla.jaxlib_api import (
    block_until_all_ready as wait_for_all,
    copy_to_device,
    default_device as the_default_device,
    devices as devices_of,
    is_device,
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
    "local_device_count",
    "local_devices",
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


def default_backend() -> str:
    """The platform that programs run on: `cpu` or `gpu`."""
    return the_default_device().platform


def device_put(
    x: Any, device: Any = None, *, src: Any = None, donate: bool = False, may_alias: bool | None = None
) -> Any:
    """The leaves of a tree as arrays, on a device if one is given; a traced one stays where the program puts it.

    The device may be a tree of devices, a prefix of the tree of arrays, in which None is any.

    Raises:
        TypeError: for a leaf that is no array-like.
        ValueError: for what is no device, and where they are no prefix.
    """

    def put_leaf(leaf: Any, device: Any = None) -> Any:
        where = device._device if isinstance(device, SingleDeviceSharding) else device
        if where is not None and not is_device(where):
            raise ValueError(
                f"Received invalid value for the device of device_put: {where!r:.80}; devices() lists them"
            )
        array = materialized(array_from(leaf))
        if isinstance(array, Tracer) or where is None:
            return array
        if type(array) is not ArrayImpl:  # a constant: it has no memory of its own yet
            array = ArrayImpl(buffer_of(array))
        return ArrayImpl(copy_to_device(array._buffer, where))

    if device is None or isinstance(device, SingleDeviceSharding) or is_device(device):
        return tree.map(lambda leaf: put_leaf(leaf, device), x)
    leaves, treedef = tree.flatten(x)
    try:
        places = tree.broadcast_prefix(device, x, is_leaf=lambda d: d is None)
    except ValueError:
        raise ValueError(tree.prefix_mismatch("device_put device", device, treedef)) from None
    return tree.unflatten(treedef, map(put_leaf, leaves, places))


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
    wait_for_all([leaf._buffer for leaf in leaves if type(leaf) is ArrayImpl])
    return x


def copy_to_host_async(x: Any) -> Any:
    """The same tree; what is on the CPU needs no copying, and other leaves do what they do for this."""
    for leaf in tree.leaves(x):
        if not isinstance(leaf, Array) and hasattr(leaf, "copy_to_host_async"):
            leaf.copy_to_host_async()
    return x
