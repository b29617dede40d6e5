"""Where an array's values are: its device and its memory there, which can be waited for, freed and shared.

A tracer has no memory: what asks for it raises, by JAX's classes.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.Array.html.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from arraytyping.errors import ConcretizationTypeError
from arraytyping.runtime.array import ArrayImpl, buffer_of
from arraytyping.runtime.core import TypedScalar
from arraytyping.runtime.interface.host import concrete
from arraytyping.runtime.interface.installing import attribute, method
from arraytyping.runtime.np_dtypes import np_dtype
from arraytyping.runtime.placed_array import PlacedArray, Shard
from arraytyping.runtime.sharding import Sharding, SingleDeviceSharding
from arraytyping.runtime.xla import jaxlib_api

__all__: list[str] = []


def _array(x: Any, what: str, error: type[Exception] = ConcretizationTypeError) -> Any:
    """A concrete array, itself.

    Raises:
        ConcretizationTypeError: or `error`, for a tracer.
    """
    found = concrete(x)
    if found is None or found is not x:
        raise error(f"{what} is not there for a tracer of {x.aval}, which stands for values that are not computed yet")
    return found


def _buffer(x: Any, what: str, error: type[Exception] = ConcretizationTypeError) -> Any:
    """The buffer of a concrete array.

    Raises:
        ConcretizationTypeError: or `error`, for a tracer.
    """
    found = _array(x, what, error)
    return found._placed if isinstance(found, PlacedArray) else buffer_of(found)


def _whole(x: Any, what: str, error: type[Exception] = ConcretizationTypeError) -> Any:
    """The same of an array that lies on one device.

    Raises:
        ValueError: for one that lies on several.
    """
    buffer = _buffer(x, what, error)
    if len(_lies(x).device_set) > 1:
        raise ValueError(f"{what} is there for an array on one device, and this one lies on {len(_lies(x).device_set)}")
    return buffer


def _lies(x: Any) -> Sharding:
    return x._sharding if isinstance(x, PlacedArray) else SingleDeviceSharding(jaxlib_api.device_of(buffer_of(x)))


@attribute
def device(x: Any) -> Any:
    """The device that holds the array; the sharding of one that lies on several."""
    lies = _lies(_array(x, "the device", AttributeError))
    return next(iter(lies.device_set)) if lies.num_devices == 1 else lies


@method()
def devices(x: Any) -> set[Any]:
    """The devices that hold the array."""
    return _lies(_array(x, "the set of devices")).device_set


@attribute
def sharding(x: Any) -> Sharding:
    """How the array is laid out over devices."""
    return _lies(_array(x, "the sharding", AttributeError))


@method()
def platform(x: Any) -> str:
    """The platform of the devices: `cpu` or `gpu`."""
    return _lies(_array(x, "the platform", AttributeError))._devices[0].platform  # type: ignore[no-any-return]


@attribute
def committed(x: Any) -> bool:
    """Whether computations go where the array is; else they go to the default device."""
    return isinstance(found := _array(x, "whether it is committed"), PlacedArray) and found._committed


@attribute
def is_fully_addressable(x: Any) -> bool:
    """Whether this process has all of the array: it does."""
    _array(x, "whether it is addressable")
    return True


@attribute
def is_fully_replicated(x: Any) -> bool:
    """Whether each device that the array lies on has all of it."""
    return _lies(_array(x, "whether it is replicated")).is_fully_replicated


@method()
def addressable_data(x: Any, index: int) -> Any:
    """The part of the array on a device by its number; where all hold the same, that of the first one."""
    found = _array(x, "the addressable data")
    if isinstance(found, PlacedArray):
        return found._part(0 if found._sharding.is_fully_replicated else index)
    return x


def _shards(x: Any) -> list[Shard]:
    found = _array(x, "the list of shards")
    lies, rank = _lies(found), len(found.aval.shape)
    copies: dict[Any, int] = {}
    shards = []
    parts = zip(lies._devices, lies.indices(found.aval.shape), lies.tiles(rank))
    for number, (device, index, tile) in enumerate(parts):
        copy = copies[tile] = copies.get(tile, -1) + 1
        shards.append(Shard(found, number, device, index, copy))
    return shards


@attribute
def addressable_shards(x: Any) -> list[Shard]:
    """The parts of the array on the devices of this process."""
    return _shards(x)


@attribute
def global_shards(x: Any) -> list[Shard]:
    """The parts of the array on all devices."""
    return _shards(x)


@attribute
def device_buffer(x: Any) -> Any:
    """Gone from JAX.

    Raises:
        AttributeError: always.
    """
    raise AttributeError("device_buffer is gone; use x.addressable_data(0)")


@attribute
def device_buffers(x: Any) -> Any:
    """Gone from JAX.

    Raises:
        AttributeError: always.
    """
    raise AttributeError("device_buffers is gone; use [s.data for s in x.addressable_shards]")


@method()
def block_until_ready(x: Any) -> Any:
    """The array, when it is computed.

    Raises:
        RuntimeError: if it is deleted, or its computation failed.
    """
    jaxlib_api.block_until_ready(_buffer(x, "block_until_ready()", AttributeError))
    return x


@method()
def is_ready(x: Any) -> bool:
    """Whether the array is computed.

    Raises:
        RuntimeError: if it is deleted.
    """
    return jaxlib_api.is_ready(_buffer(x, "is_ready()", AttributeError))


@method()
def copy_to_host_async(x: Any) -> None:
    """Begin to copy the values to the host, so that they are there when they are asked for."""
    buffer = _buffer(x, "copy_to_host_async()", AttributeError)
    if jaxlib_api.is_deleted(buffer):
        jaxlib_api.block_until_ready(buffer)  # raises, and says why


@method()
def delete(x: Any) -> None:
    """Free the memory now; the array cannot be used any more."""
    jaxlib_api.delete(_buffer(x, "delete()"))


@method()
def is_deleted(x: Any) -> bool:
    """Whether the array was deleted, or donated to a computation."""
    return jaxlib_api.is_deleted(_buffer(x, "is_deleted()"))


@method()
def on_device_size_in_bytes(x: Any) -> int:
    """The bytes that the array takes on its device."""
    return jaxlib_api.on_device_size(_buffer(x, "the size on the device"))


@method()
def unsafe_buffer_pointer(x: Any) -> int:
    """The address of the array's memory, which holds as long as the array lives."""
    return jaxlib_api.pointer(_whole(x, "the address"))


@method()
def clone(x: Any) -> Any:
    """The same array as another object, over the same memory."""
    buffer = _buffer(x, "clone()", AttributeError)
    if isinstance(x, PlacedArray):
        return PlacedArray(buffer, x._sharding, x._committed)
    return x if isinstance(x, TypedScalar) else ArrayImpl(buffer)


@method()
def to_device(x: Any, device: Any, *, stream: Any = None) -> Any:
    """The array on a device; a traced one itself.

    Raises:
        NotImplementedError: for a stream.
    """
    if stream is not None:
        raise NotImplementedError("to_device: the argument stream is not supported; leave it out")
    return import_module("arraytyping.runtime.placement").device_put(x, device)


@method("__dlpack__")
def as_capsule(
    x: Any, *, stream: Any = None, max_version: tuple[int, int] | None = None, dl_device: tuple[Any, int] | None = None,
    copy: bool | None = None,
) -> Any:  # fmt: skip
    """A DLPack capsule that shares the array's memory, which must not be written to; with `copy`, a copy of it.

    Raises:
        BufferError: for a dtype that DLPack does not know, and for a device on which the array is not.
    """
    buffer = _whole(x, "a DLPack capsule")
    where = jaxlib_api.dlpack_device(buffer)
    if dl_device is not None and (int(dl_device[0]), dl_device[1]) != where:
        raise BufferError(
            f"the array is on DLPack's device {where}, and {tuple(dl_device)} was asked for; move it first"
        )
    if copy:
        buffer = jaxlib_api.copy_to_device(buffer, jaxlib_api.device_of(buffer))
    return jaxlib_api.to_dlpack(buffer, stream)


@method("__dlpack_device__")
def capsule_device(x: Any) -> tuple[int, int]:
    """The kind of device, as DLPack numbers them, and the device's number."""
    return jaxlib_api.dlpack_device(_whole(x, "the device", AttributeError))


@attribute
def __cuda_array_interface__(x: Any) -> dict[str, Any]:
    """The array's memory on a GPU, for libraries that share it.

    Raises:
        AttributeError: for an array elsewhere.
    """
    buffer = _whole(x, "__cuda_array_interface__", AttributeError)
    if jaxlib_api.device_of(buffer).platform != "gpu":
        raise AttributeError("__cuda_array_interface__ is only there for arrays on a GPU")
    return {
        "shape": x.shape,
        "typestr": np_dtype(x.aval.dtype).str,
        "data": (jaxlib_api.pointer(buffer), False),
        "strides": None,
        "version": 2,
    }
