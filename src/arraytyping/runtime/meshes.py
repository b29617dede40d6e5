"""Meshes made of the devices that there are, and arrays over them made of their parts.

Source: https://docs.jax.dev/en/latest/jax.sharding.html;
https://docs.jax.dev/en/latest/_autosummary/jax.make_array_from_callback.html.
"""

from __future__ import annotations

import contextlib
import math
import operator
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from arraytyping import config
from arraytyping.runtime.array import ArrayImpl
from arraytyping.runtime.array_likes import array_from, materialized
from arraytyping.runtime.np_dtypes import dtype_name_of, np_dtype
from arraytyping.runtime.placed_array import PlacedArray, assembled, from_parts, placed
from arraytyping.runtime.placement import devices as all_devices
from arraytyping.runtime.sharding import (
    AbstractMesh,
    AxisType,
    Mesh,
    NamedSharding,
    Sharding,
    SingleDeviceSharding,
    get_mesh,
)
from arraytyping.runtime.sharding.mesh_axes import axis_types_of
from arraytyping.runtime.trace_state import manual_here
from arraytyping.semantics.avals import ShapedArray

__all__ = [
    "create_device_mesh",
    "make_array_from_callback",
    "make_array_from_single_device_arrays",
    "make_mesh",
    "use_abstract_mesh",
]


def create_device_mesh(
    mesh_shape: Sequence[int], devices: Sequence[Any] | None = None, *, contiguous_submeshes: bool = False,
    allow_split_physical_axes: bool = False,
) -> np.ndarray[Any, Any]:  # fmt: skip
    """`jax.experimental.mesh_utils.create_device_mesh`: devices in this shape, by their number.

    Raises:
        ValueError: if there are not as many devices.
    """
    shape = tuple(map(operator.index, mesh_shape))
    found = list(all_devices() if devices is None else devices)
    if math.prod(shape) != len(found):
        raise ValueError(f"Number of devices {len(found)} must equal the product of mesh_shape {shape}")
    array = np.empty(len(found), object)
    array[:] = sorted(found, key=lambda d: d.id) if found and found[0].platform == "gpu" else found
    return array.reshape(shape)


def make_mesh(
    axis_shapes: Sequence[int], axis_names: Sequence[str], axis_types: Sequence[AxisType] | None = None, *,
    devices: Sequence[Any] | None = None,
) -> Mesh:  # fmt: skip
    """`jax.make_mesh`: a mesh of this shape, of the first devices or of those that are given.

    Raises:
        ValueError: if there are not enough devices, or not as many names as sizes.
    """
    try:
        shape = tuple(map(operator.index, axis_shapes))
    except TypeError:
        raise ValueError(
            f"`axis_shapes` passed to `make_mesh` should be a sequence of ints, got {axis_shapes}"
        ) from None
    found = list(all_devices() if devices is None else devices)
    count = math.prod(shape)
    if len(found) < count:
        raise ValueError(f"Number of devices {len(found)} must be >= the product of mesh_shape {shape}")
    if devices is not None and len(found) != count:
        raise ValueError(f"a mesh of shape {shape} takes {count} devices, got {len(found)}")
    array = np.empty(count, object)
    array[:] = found[:count]
    names = (axis_names,) if isinstance(axis_names, str) else tuple(axis_names)
    types = (AxisType.Explicit,) * len(names) if axis_types is None else axis_types_of(names, axis_types, "make_mesh")
    return Mesh(array.reshape(shape), names, types)


def get_abstract_mesh() -> AbstractMesh:
    """`jax.sharding.get_abstract_mesh`: the axes of the mesh in force, those over which a function is mapped as manual.

    Without one it is a mesh without axes.
    """
    manual = manual_here()
    mesh = get_mesh() if manual is None else manual.mesh
    if mesh is None:
        return AbstractMesh((), ())
    found: AbstractMesh = mesh.abstract_mesh
    return found if manual is None else found.update_axis_types(dict.fromkeys(manual.axes, AxisType.Manual))


@contextlib.contextmanager
def use_abstract_mesh(mesh: AbstractMesh) -> Iterator[None]:
    """`jax.sharding.use_abstract_mesh`: a context in which the mesh in force has these axes, over its own devices.

    Raises:
        ValueError: for what is no mesh without devices, and where the mesh in force has another number of devices.
    """
    if not isinstance(mesh, AbstractMesh):
        raise ValueError(f"use_abstract_mesh expects mesh argument to be a AbstractMesh. Got {type(mesh).__name__}")
    here = get_mesh()
    if mesh.empty:
        found = None
    elif here is None or here.size != mesh.size:
        raise ValueError(
            f"use_abstract_mesh: {mesh} has no devices, and those of the mesh in force, which is {here}, are not as "
            "many: use it within `with set_mesh(mesh):`"
        )
    else:
        found = Mesh(here.devices.reshape(mesh.axis_sizes), mesh.axis_names, mesh.axis_types)
    with config._set_here("mesh", found):
        yield


def make_array_from_callback(
    shape: Sequence[int], sharding: Sharding, data_callback: Callable[[Any], Any], *, dtype: Any = None
) -> Any:
    """`jax.make_array_from_callback`: the array whose parts a function gives, each for its index in the whole.

    Raises:
        ValueError: if the array cannot be cut so, or a part has another shape than its index says.
        TypeError: for what is no sharding.
    """
    whole = tuple(map(operator.index, shape))
    if not isinstance(sharding, Sharding):
        raise TypeError(f"make_array_from_callback takes a sharding, got {sharding!r:.60}")
    wanted = sharding.shard_shape(whole)
    parts: dict[Any, np.ndarray[Any, Any]] = {}
    tiles = sharding.tiles(len(whole))
    for tile, index in zip(tiles, sharding.indices(whole)):
        if tile in parts:
            continue
        part = parts[tile] = np.asarray(materialized(array_from(data_callback(index))))
        if part.shape != wanted:
            raise ValueError(
                f"Expected shard shape {wanted} doesn't match the single device array shape {part.shape}, which the "
                f"function of make_array_from_callback gave for {index}. Shape of Array is {whole} with sharding "
                f"{sharding}"
            )
        if dtype is not None and part.dtype != np.dtype(dtype):
            raise ValueError(f"make_array_from_callback: the function gave {part.dtype}, and dtype says {dtype}")
    name = dtype_name_of(next(iter(parts.values())).dtype)
    if any(dtype_name_of(part.dtype) != name for part in parts.values()):
        raise ValueError("make_array_from_callback: the parts have different dtypes")
    values = [parts[tile] for tile in tiles]
    if sharding.num_devices == 1:
        return placed(materialized(array_from(values[0])), sharding)
    return from_parts(values, ShapedArray(whole, name, False), sharding)


def make_array_from_single_device_arrays(
    shape: Sequence[int], sharding: Sharding, arrays: Sequence[Any], *, dtype: Any = None
) -> Any:
    """`jax.make_array_from_single_device_arrays`: the array whose parts these are, in any order of the devices.

    It shares their memory.

    Raises:
        ValueError: if there is not one for each device, or one has not the shape of its part.
        TypeError: for what is no concrete array on one device.
    """
    whole = tuple(map(operator.index, shape))
    wanted = sharding.shard_shape(whole)
    found: dict[Any, ArrayImpl] = {}
    for array in arrays:
        if not isinstance(array, ArrayImpl) or len(array.devices()) != 1:  # type: ignore[attr-defined]
            raise TypeError(f"make_array_from_single_device_arrays takes arrays on one device each, got {array!r:.60}")
        found[next(iter(array.devices()))] = array  # type: ignore[attr-defined]
    if len(arrays) != sharding.num_devices:
        raise ValueError(
            f"Expected {sharding.num_devices} per-device arrays (this is how many devices are addressable by the "
            f"sharding), but got {len(arrays)}"
        )
    if found.keys() != sharding.device_set:
        raise ValueError(
            "make_array_from_single_device_arrays: the arrays lie on devices "
            f"{sorted(d.id for d in found)}, and the sharding has {sorted(d.id for d in sharding.device_set)}"
        )
    name, *others = sorted({str(a.aval.dtype) for a in found.values()})
    if others:
        raise ValueError(f"the arrays have different dtypes: {', '.join([name, *others])}; all must be the same")
    for array in found.values():
        if array.aval.shape != wanted:
            raise ValueError(
                f"Expected shard shape {wanted} doesn't match the single device array shape {array.aval.shape}. Shape "
                f"of Array is {whole} with sharding {sharding}"
            )
    if dtype is not None and np_dtype(name) != np.dtype(dtype):
        raise ValueError(f"the arrays have dtype {name}, and dtype says {dtype}")
    ordered = [found[device] for device in sharding._devices]
    if isinstance(sharding, SingleDeviceSharding) or sharding.num_devices == 1:
        return placed(ordered[0], sharding)
    assert isinstance(sharding, NamedSharding)
    assert all(isinstance(a, ArrayImpl | PlacedArray) for a in ordered)
    return assembled(ordered, ShapedArray(whole, name, False), sharding)
