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
from arraytyping.runtime.sharding import Shard, SingleDeviceSharding
from arraytyping.runtime.xla import jaxlib_api

__all__: list[str] = []


def _buffer(x: Any, what: str, error: type[Exception] = ConcretizationTypeError) -> Any:
    """The buffer of a concrete array.

    Raises:
        ConcretizationTypeError: or `error`, for a tracer.
    """
    found = concrete(x)
    if found is None or found is not x:
        raise error(f"{what} is not there for a tracer of {x.aval}, which stands for values that are not computed yet")
    return found._buffer if isinstance(found, ArrayImpl) else buffer_of(found)


@attribute
def device(x: Any) -> Any:
    """The device that holds the array."""
    return jaxlib_api.device_of(_buffer(x, "the device", AttributeError))


@method()
def devices(x: Any) -> set[Any]:
    """The devices that hold the array: one."""
    return {jaxlib_api.device_of(_buffer(x, "the set of devices"))}


@attribute
def sharding(x: Any) -> SingleDeviceSharding:
    """How the array is laid out over devices: all of it on one."""
    return SingleDeviceSharding(jaxlib_api.device_of(_buffer(x, "the sharding", AttributeError)))


@method()
def platform(x: Any) -> str:
    """The platform of the device: `cpu` or `gpu`."""
    return jaxlib_api.device_of(_buffer(x, "the platform", AttributeError)).platform


@attribute
def committed(x: Any) -> bool:
    """Whether computations go where the array is: none do, they go to the default device."""
    _buffer(x, "whether it is committed")
    return False


@attribute
def is_fully_addressable(x: Any) -> bool:
    """Whether this process has all of the array: it does."""
    _buffer(x, "whether it is addressable")
    return True


@attribute
def is_fully_replicated(x: Any) -> bool:
    """Whether each device has all of the array: the one does."""
    _buffer(x, "whether it is replicated")
    return True


@method()
def addressable_data(x: Any, index: int) -> Any:
    """The part of the array on a device by its number: all of it."""
    _buffer(x, "the addressable data")
    return x


@attribute
def addressable_shards(x: Any) -> list[Shard]:
    """The parts of the array on the devices of this process: one."""
    return [Shard(x, jaxlib_api.device_of(_buffer(x, "the list of shards")))]


@attribute
def global_shards(x: Any) -> list[Shard]:
    """The parts of the array on all devices: one."""
    return [Shard(x, jaxlib_api.device_of(_buffer(x, "the list of shards")))]


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
    return jaxlib_api.pointer(_buffer(x, "the address"))


@method()
def clone(x: Any) -> Any:
    """The same array as another object, over the same memory."""
    buffer = _buffer(x, "clone()", AttributeError)
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
    buffer = _buffer(x, "a DLPack capsule")
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
    return jaxlib_api.dlpack_device(_buffer(x, "the device", AttributeError))


@attribute
def __cuda_array_interface__(x: Any) -> dict[str, Any]:
    """The array's memory on a GPU, for libraries that share it.

    Raises:
        AttributeError: for an array elsewhere.
    """
    buffer = _buffer(x, "__cuda_array_interface__", AttributeError)
    if jaxlib_api.device_of(buffer).platform != "gpu":
        raise AttributeError("__cuda_array_interface__ is only there for arrays on a GPU")
    return {
        "shape": x.shape,
        "typestr": np_dtype(x.aval.dtype).str,
        "data": (jaxlib_api.pointer(buffer), False),
        "strides": None,
        "version": 2,
    }
