"""Where an array is: on one device, as all arrays of this package are.

Source: https://docs.jax.dev/en/latest/jax.sharding.html.
"""

from __future__ import annotations

from typing import Any

__all__ = ["Shard", "SingleDeviceSharding"]


class SingleDeviceSharding:
    """All of an array on one device."""

    __slots__ = ("_device",)

    def __init__(self, device: Any, *, memory_kind: str | None = None) -> None:
        if memory_kind not in (None, "device"):
            raise ValueError(f"the memory of a device is of kind 'device', got {memory_kind!r}")
        self._device = device

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SingleDeviceSharding) and self._device == other._device

    def __hash__(self) -> int:
        return hash(self._device)

    def __repr__(self) -> str:
        return f"SingleDeviceSharding(device={self._device!r}, memory_kind=device)"

    memory_kind = "device"
    num_devices = 1
    has_addressable_devices = True
    is_fully_addressable = True
    is_fully_replicated = True

    @property
    def device_set(self) -> set[Any]:
        """The devices."""
        return {self._device}

    @property
    def addressable_devices(self) -> set[Any]:
        """The devices of this process: all."""
        return {self._device}

    def devices_indices_map(self, global_shape: tuple[int, ...]) -> dict[Any, tuple[slice, ...]]:
        """Which part of an array of this shape each device holds: all of it."""
        return {self._device: (slice(None),) * len(global_shape)}

    addressable_devices_indices_map = devices_indices_map

    def shard_shape(self, global_shape: tuple[int, ...]) -> tuple[int, ...]:
        """The shape of the part that a device holds: the array's."""
        return tuple(global_shape)

    def is_equivalent_to(self, other: object, ndim: int) -> bool:
        """Whether both put an array of so many dimensions in the same places."""
        return self == other

    def check_compatible_aval(self, aval_shape: tuple[int, ...]) -> None:
        """Do nothing: every shape goes onto one device."""

    def with_memory_kind(self, kind: str) -> SingleDeviceSharding:
        """The same device, with memory of this kind.

        Raises:
            ValueError: for a kind other than "device".
        """
        return SingleDeviceSharding(self._device, memory_kind=kind)


class Shard:
    """The part of an array that a device holds: all of it."""

    __slots__ = ("data", "device", "index", "replica_id")

    def __init__(self, data: Any, device: Any) -> None:
        self.data: Any = data
        self.device: Any = device
        self.index: tuple[slice, ...] = (slice(None),) * len(data.shape)
        self.replica_id: int = 0

    def __repr__(self) -> str:
        return f"Shard(device={self.device!r}, index={self.index}, replica_id={self.replica_id}, data={self.data})"
