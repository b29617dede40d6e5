"""`PlacedArray`: an array that lies elsewhere than on the default device, or that is to stay where it is.

It is a class of its own, without the attribute by which programs for the default device take arrays: those find no
program for it, and the array comes to where the places of arguments are looked at.

Source: https://docs.jax.dev/en/latest/sharded-computation.html; "committed" as in
https://docs.jax.dev/en/latest/faq.html#controlling-data-and-computation-placement-on-devices.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arraytyping import config
from arraytyping.runtime.array import ArrayImpl, buffer_of
from arraytyping.runtime.cut_types import with_sharding
from arraytyping.runtime.np_dtypes import np_dtype
from arraytyping.runtime.sharding import Mesh, NamedSharding, PartitionSpec, Sharding, SingleDeviceSharding
from arraytyping.runtime.sharding.layouts import Index
from arraytyping.runtime.xla.jaxlib_api import (
    assemble,
    copy_to_device,
    default_device,
    device_of,
    devices,
    part,
    part_values,
    put,
    sharding_on,
    spread,
    spread_sharding,
    to_numpy,
)
from arraytyping.semantics.avals import ShapedArray, static_shape

__all__ = ["PlacedArray", "Shard", "assembled", "by_default", "device_set_here", "jaxlib_sharding", "placed"]


class PlacedArray(ArrayImpl):
    """An array with a sharding; one that is `committed` takes the computations with it to where it lies."""

    __slots__ = ("_committed", "_found", "_placed", "_sharding")

    def __init__(self, buffer: Any, sharding: Sharding, committed: bool) -> None:
        self._placed: Any = buffer
        self._sharding: Sharding = sharding
        self._committed: bool = committed
        self._found: np.ndarray[Any, Any] | None = None
        self.aval: ShapedArray = with_sharding(buffer.aval.aval, sharding)

    @property
    def _value(self) -> np.ndarray[Any, Any]:
        """The values as a NumPy array that cannot be written to.

        Raises:
            RuntimeError: if the array was deleted or donated.
        """
        sharding = self._sharding
        if sharding.num_devices == 1:
            return to_numpy(self._placed)
        if sharding.is_fully_replicated:
            return part_values(self._placed, sharding._devices, [0])[0]
        if self._found is None or self._placed.is_deleted():
            shape = static_shape(self.aval)
            parts: dict[tuple[int, ...], int] = {}
            for number, tile in enumerate(sharding.tiles(len(shape))):
                parts.setdefault(tile, number)
            indices = sharding.indices(shape)
            value = np.empty(shape, np_dtype(str(self.aval.dtype)))
            numbers = list(parts.values())
            for number, found in zip(numbers, part_values(self._placed, sharding._devices, numbers)):
                value[indices[number]] = found
            value.flags.writeable = False
            self._found = value
        return self._found

    def _part(self, number: int) -> PlacedArray:
        """What the device of this number holds."""
        device = self._sharding._devices[number]
        if self._sharding.num_devices == 1:
            return PlacedArray(self._placed, SingleDeviceSharding(device), True)
        shape = self._sharding.shard_shape(static_shape(self.aval))
        aval = ShapedArray(shape, self.aval.dtype, self.aval.weak_type)
        buffer = part(self._placed, self._sharding._devices, number, aval)
        return PlacedArray(buffer, SingleDeviceSharding(device), True)


class Shard:
    """The part of an array that a device holds; `replica_id` counts those that hold the same."""

    __slots__ = ("_array", "_data", "_number", "device", "index", "replica_id")

    def __init__(self, array: Any, number: int, device: Any, index: Index, replica_id: int) -> None:
        self._array: Any = array
        self._number: int = number
        self._data: Any = None
        self.device: Any = device
        self.index: Index = index
        self.replica_id: int = replica_id

    @property
    def data(self) -> Any:
        """The part, as an array on the device."""
        if self._data is None:
            self._data = self._array._part(self._number) if isinstance(self._array, PlacedArray) else self._array
        return self._data

    def __repr__(self) -> str:
        return f"Shard(device={self.device!r}, index={self.index}, replica_id={self.replica_id}, data={self.data})"


def jaxlib_sharding(sharding: Sharding, ndim: int) -> Any:
    """A sharding in jaxlib's form, for arrays of so many dimensions."""
    if sharding.num_devices == 1:
        return sharding_on(sharding._devices[0])
    return spread_sharding(sharding._devices, sharding.counts(ndim), sharding.tiles(ndim))


def placed(value: Any, sharding: Sharding, committed: bool = True) -> PlacedArray:
    """A concrete array with its values laid out so; it shares the memory of one that already is.

    Raises:
        ValueError: if it cannot be cut so.
        NotImplementedError: for a dtype of which an array cannot be cut.
        RuntimeError: if it is deleted.
    """
    shape = static_shape(value.aval)
    sharding.check_divides(shape)
    if isinstance(value, PlacedArray) and value._sharding.is_equivalent_to(sharding, len(shape)):
        return PlacedArray(value._placed, sharding, committed)
    if sharding.num_devices > 1:
        host = value._value if isinstance(value, ArrayImpl) else to_numpy(buffer_of(value))
        parts = [host[index] for index in sharding.indices(shape)]
        return from_parts(parts, value.aval, sharding, committed)
    device = sharding._devices[0]
    if not isinstance(value, PlacedArray):
        buffer = buffer_of(value)
    elif value._sharding.num_devices == 1:
        buffer = value._placed
    else:
        return PlacedArray(put(value._value, value.aval, device), sharding, committed)
    if device_of(buffer) != device:
        buffer = copy_to_device(buffer, device)
    return PlacedArray(buffer, sharding, committed)


def from_parts(values: Any, aval: ShapedArray, sharding: Sharding, committed: bool = True) -> PlacedArray:
    """An array of which each device gets one of these NumPy arrays."""
    form = jaxlib_sharding(sharding, len(static_shape(aval)))
    return PlacedArray(spread(values, aval, sharding._devices, form), sharding, committed)


def assembled(parts: Any, aval: ShapedArray, sharding: NamedSharding) -> PlacedArray:
    """An array over the memory of these, each on the device of its number."""
    buffers = [p._placed if isinstance(p, PlacedArray) else buffer_of(p) for p in parts]
    form = jaxlib_sharding(sharding, len(static_shape(aval)))
    return PlacedArray(assemble(buffers, aval, form), sharding, True)


def device_set_here() -> Any:
    """The device, or the mesh, that is set here to be the default; None where that is the device without any setting.

    Raises:
        RuntimeError: for a platform that cannot be used.
    """
    found = config.device_here()
    if found is None:
        return None
    device = devices(found)[0] if isinstance(found, str) else found
    return None if device == default_device() else device


def by_default(array: ArrayImpl) -> ArrayImpl:
    """An array that was made on the default device, on the one that is set here, or on all of a mesh."""
    found = device_set_here()
    if found is None:
        return array
    if isinstance(found, Mesh):
        return placed(array, NamedSharding(found, PartitionSpec()))
    return placed(array, SingleDeviceSharding(found), committed=False)
