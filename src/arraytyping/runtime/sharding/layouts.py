"""Shardings: which part of an array each device holds.

Source: https://docs.jax.dev/en/latest/jax.sharding.html.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from arraytyping.runtime.sharding.mesh_axes import AbstractMesh
from arraytyping.runtime.sharding.meshes import Mesh
from arraytyping.runtime.sharding.specs import PartitionSpec, entries_of
from arraytyping.semantics.shardings import Spec, check_fit, check_names, padded, spec_str

__all__ = ["NamedSharding", "Sharding", "SingleDeviceSharding", "Tiles", "spec_of_tiles"]

Index = tuple[slice, ...]
Tiles = tuple[tuple[int, ...], ...]
"""For each device, in order, the number of its part along each dimension."""


def _checked_kind(memory_kind: str | None) -> None:
    if memory_kind not in (None, "device"):
        raise ValueError(f"the memory of a device is of kind 'device', got {memory_kind!r}")


class Sharding:
    """How an array is laid out over devices; those of this process, which are all that there are."""

    __slots__ = ("__weakref__", "_devices")
    _devices: tuple[Any, ...]

    memory_kind = "device"
    has_addressable_devices = True
    is_fully_addressable = True

    @property
    def num_devices(self) -> int:
        """How many devices there are."""
        return len(self._devices)

    @property
    def device_set(self) -> set[Any]:
        """The devices."""
        return set(self._devices)

    @property
    def addressable_devices(self) -> set[Any]:
        """The devices of this process: all."""
        return set(self._devices)

    @property
    def is_fully_replicated(self) -> bool:
        """Whether each device holds all of the array."""
        raise NotImplementedError

    def counts(self, ndim: int) -> tuple[int, ...]:
        """In how many parts each dimension is cut."""
        raise NotImplementedError

    def tiles(self, ndim: int) -> Tiles:
        """Which part each device holds."""
        raise NotImplementedError

    def check_compatible_aval(self, aval_shape: tuple[int, ...]) -> None:
        """Refuse a shape that cannot lie so.

        Raises:
            ValueError: if the rank is too small.
        """

    def check_divides(self, shape: tuple[int, ...], what: str = "the array") -> None:
        """Refuse a shape that cannot lie so, or that is not cut into equal parts.

        Raises:
            ValueError: then.
        """

    def devices_indices_map(self, global_shape: tuple[int, ...]) -> dict[Any, Index]:
        """Which part of an array of this shape each device holds.

        Raises:
            ValueError: if it is not cut into equal parts.
        """
        return dict(zip(self._devices, self.indices(global_shape)))

    addressable_devices_indices_map = devices_indices_map

    def indices(self, shape: tuple[int, ...]) -> tuple[Index, ...]:
        """The part of each device, in order."""
        self.check_divides(shape)
        return _indices(self.tiles(len(shape)), self.counts(len(shape)), tuple(shape))

    def shard_shape(self, global_shape: tuple[int, ...]) -> tuple[int, ...]:
        """The shape of the part that a device holds.

        Raises:
            ValueError: if the array is not cut into equal parts.
        """
        self.check_divides(tuple(global_shape))
        return tuple(size // count for size, count in zip(global_shape, self.counts(len(global_shape))))

    def is_equivalent_to(self, other: object, ndim: int) -> bool:
        """Whether both put an array of so many dimensions in the same places."""
        return self == other or (
            isinstance(other, Sharding) and self._devices == other._devices and self.tiles(ndim) == other.tiles(ndim)
        )


@lru_cache(maxsize=1024)
def _indices(tiles: Tiles, counts: tuple[int, ...], shape: tuple[int, ...]) -> tuple[Index, ...]:
    return tuple(
        tuple(
            slice(None) if count == 1 else slice(n * (size // count), (n + 1) * (size // count))
            for n, count, size in zip(tile, counts, shape)
        )
        for tile in tiles
    )


class SingleDeviceSharding(Sharding):
    """All of an array on one device."""

    __slots__ = ("_device",)

    def __init__(self, device: Any, *, memory_kind: str | None = None) -> None:
        _checked_kind(memory_kind)
        self._device = device
        self._devices = (device,)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SingleDeviceSharding) and self._device == other._device

    def __hash__(self) -> int:
        return hash(self._device)

    def __repr__(self) -> str:
        return f"SingleDeviceSharding(device={self._device!r}, memory_kind=device)"

    is_fully_replicated = True

    def counts(self, ndim: int) -> tuple[int, ...]:
        """One part along each dimension."""
        return (1,) * ndim

    def tiles(self, ndim: int) -> Tiles:
        """The one part."""
        return ((0,) * ndim,)

    def with_memory_kind(self, kind: str) -> SingleDeviceSharding:
        """The same device, with memory of this kind.

        Raises:
            ValueError: for a kind other than "device".
        """
        return SingleDeviceSharding(self._device, memory_kind=kind)


class NamedSharding(Sharding):
    """An array cut along the axes of a mesh as a spec says; of one without devices a program has yet to say which.

    Raises:
        ValueError: if the spec names an axis twice, or one that the mesh does not have.
        TypeError: for what is no mesh and no spec.
    """

    __slots__ = ("_entries", "_hash", "mesh", "spec")

    def __init__(self, mesh: Mesh | AbstractMesh, spec: PartitionSpec, *, memory_kind: str | None = None) -> None:
        if not isinstance(mesh, Mesh | AbstractMesh):
            raise TypeError(f"NamedSharding takes a Mesh, got {mesh!r:.60} of type {type(mesh).__name__}")
        if not isinstance(spec, PartitionSpec):
            raise TypeError(f"NamedSharding takes a PartitionSpec, got {spec!r:.60} of type {type(spec).__name__}")
        _checked_kind(memory_kind)
        self.mesh: Any = mesh  # a Mesh, but for specs over axes alone
        self.spec: PartitionSpec = spec
        self._entries: Spec = entries_of(spec)
        check_names(self._entries, mesh.shape, spec_str(spec))
        if isinstance(mesh, Mesh):
            self._devices = mesh._flat
        self._hash = hash((mesh, spec))

    def __getattr__(self, name: str) -> Any:
        if name == "_devices":
            raise ValueError(f"{self} has no devices, since its mesh has none; use one over a Mesh, such as get_mesh()")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, NamedSharding):
            return False
        is_same: bool = self.mesh == other.mesh
        return self is other or (is_same and self.spec is other.spec)

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return f"NamedSharding(mesh={self.mesh!s}, spec={self.spec}, memory_kind=device)"

    @property
    def is_fully_replicated(self) -> bool:
        """Whether each device holds all of the array."""
        sizes = self.mesh.shape
        return all(sizes[name] == 1 for entry in self._entries for name in entry or ())

    def counts(self, ndim: int) -> tuple[int, ...]:
        """In how many parts each dimension is cut."""
        sizes = self.mesh.shape
        return tuple(math.prod(sizes[name] for name in entry or ()) for entry in padded(self._entries, ndim))

    def tiles(self, ndim: int) -> Tiles:
        """Which part each device holds."""
        return _tiles(self.mesh, padded(self._entries, ndim))

    def check_compatible_aval(self, aval_shape: tuple[int, ...]) -> None:
        """Refuse a shape of a rank that the spec is too long for.

        Raises:
            ValueError: then.
        """
        check_fit(self._entries, {}, aval_shape, spec_str(self.spec), "the array")

    def check_divides(self, shape: tuple[int, ...], what: str = "the array") -> None:
        """Refuse a shape that cannot lie so, or that is not cut into equal parts.

        Raises:
            ValueError: then.
        """
        check_fit(self._entries, self.mesh.shape, shape, spec_str(self.spec), what)

    def with_memory_kind(self, kind: str) -> NamedSharding:
        """The same, with memory of this kind.

        Raises:
            ValueError: for a kind other than "device".
        """
        return NamedSharding(self.mesh, self.spec, memory_kind=kind)

    def update(self, *, mesh: Mesh | None = None, spec: Any = None) -> NamedSharding:
        """The same with another mesh or spec."""
        given = self.spec if spec is None else spec
        given = given if isinstance(given, PartitionSpec) else PartitionSpec(*given)
        return NamedSharding(self.mesh if mesh is None else mesh, given)


@lru_cache(maxsize=1024)
def _tiles(mesh: Mesh, entries: Spec) -> Tiles:
    places = np.indices(mesh.devices.shape).reshape(len(mesh.axis_names), mesh.size)
    numbers = []
    for entry in entries:
        number = np.zeros(mesh.size, int)
        for name in entry or ():  # the first axis is the slowest
            axis = mesh.axis_names.index(name)
            number = number * mesh.devices.shape[axis] + places[axis]
        numbers.append(number)
    return tuple(tuple(int(n[i]) for n in numbers) for i in range(mesh.size))


def spec_of_tiles(mesh: Mesh, tiles: Sequence[Sequence[int]], ndim: int) -> PartitionSpec | None:
    """The spec with which the devices of a mesh hold these parts; None if there is none.

    A dimension is cut along the axes in whose direction the number of the part changes, the one with the longest
    steps first.
    """
    numbers = np.array(tiles, int).reshape(*mesh.devices.shape, ndim)
    entries: list[Any] = []
    for dim in range(ndim):
        steps = {}
        for axis, (name, size) in enumerate(mesh.shape.items()):
            if size > 1 and (step := int(np.take(numbers[..., dim], 1, axis).flat[0]) - int(numbers[..., dim].flat[0])):
                steps[name] = step
        entries.append(tuple(sorted(steps, key=lambda name: -steps[name])))
    while entries and not entries[-1]:
        entries.pop()
    spec = PartitionSpec(*entries)
    try:
        sharding = NamedSharding(mesh, spec)
    except ValueError:  # an axis would cut two dimensions
        return None
    return spec if sharding.tiles(ndim) == tuple(map(tuple, tiles)) else None
