"""Buffers: arrays in a device's memory, made from NumPy's, copied, awaited and deleted.

A `Buffer` is jaxlib's own C++ array.  It is never subclassed and never given attributes, since jax patches the
same class.  Several of its methods end the process when the array was deleted, or import jax: these are not called.

Source: `jaxlib/py_array.cc` of jaxlib 0.10.2.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NoReturn

import numpy as np

from arraytyping.runtime.np_dtypes import np_dtype
from arraytyping.runtime.xla.jaxlib_api.clients import Device, targets
from arraytyping.runtime.xla.jaxlib_api.extension import xla
from arraytyping.scalars import FLOAT6
from arraytyping.semantics.avals import Shape, ShapedArray

if TYPE_CHECKING:

    class Buffer:
        """An array in a device's memory: jaxlib's C++ class."""

        @property
        def aval(self) -> Aval:
            """Its shape, dtype and weak type."""

else:
    Buffer: Final = xla.ArrayImpl

__all__ = [
    "Aval",
    "Buffer",
    "JaxRuntimeError",
    "block_until_all_ready",
    "block_until_ready",
    "buffer_aval",
    "copy_to_device",
    "delete",
    "device_of",
    "is_deleted",
    "is_ready",
    "nbytes",
    "on_device_size",
    "put",
    "put_as",
]

REFUSED: Final = {
    "int1": "int2",
    "uint1": "uint2",
    **dict.fromkeys(FLOAT6, "float8_e4m3fn"),
}
"""The dtypes with which XLA runs nothing, or of which jaxlib has no buffers, each with one to use instead."""

JaxRuntimeError: Final = xla.JaxRuntimeError
"""What XLA raises, a `RuntimeError`: the class that jax has as `jax.errors.JaxRuntimeError`."""

_MAX_SIZE: Final = 2**58
"""XLA ends the process where a size in bytes or a product of sizes does not fit 64 bits: it never gets to see them."""


def check_addressable(shape: Iterable[int], what: object) -> None:
    """Raise for an array that no memory could hold.

    Raises:
        JaxRuntimeError: if it is one.
    """
    if math.prod(max(d, 1) for d in shape) > _MAX_SIZE:
        raise JaxRuntimeError(f"{what} has more elements than can be addressed")


class Aval:
    """What jaxlib wants to find in an array's `aval`: `shape`, `dtype` (NumPy's) and `weak_type`.

    `aval` is the `ShapedArray` of which this is the form, without a known value.  `buffer_aval` makes them.
    """

    __slots__ = ("__weakref__", "aval", "dtype", "shape", "weak_type")

    aval: ShapedArray
    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    weak_type: bool

    def __init__(self, aval: ShapedArray) -> None:
        """Raise if the array is not fully known, or XLA could not hold it: see `buffer_aval`."""
        shape = tuple(d for d in aval.shape or () if type(d) is int and d >= 0)
        if aval.shape is None or aval.dtype is None or aval.weak_type is None or len(shape) < len(aval.shape):
            raise TypeError(f"a buffer needs a known shape and dtype, got {aval}")
        if aval.dtype in REFUSED:
            raise NotImplementedError(
                f"XLA cannot compute with {aval.dtype} (asked for {aval}); use {REFUSED[aval.dtype]} or a wider dtype"
            )
        check_addressable(shape, aval)
        self.aval = ShapedArray(shape, aval.dtype, aval.weak_type)
        self.shape = shape
        self.dtype = np_dtype(aval.dtype)
        self.weak_type = aval.weak_type

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Aval) and self.aval == other.aval

    def __hash__(self) -> int:
        return hash(self.aval)

    def __repr__(self) -> str:
        return str(self.aval)


@lru_cache(maxsize=8192)
def _interned(shape: Shape | None, dtype: str | None, weak_type: bool | None) -> Aval:
    return Aval(ShapedArray(shape, dtype, weak_type))


def buffer_aval(aval: ShapedArray) -> Aval:
    """An array's abstract value as jaxlib wants it; equal ones are one object, as long as they are in use.

    Raises:
        TypeError: if shape, dtype or weak type are not known.
        NotImplementedError: for a dtype that XLA cannot compute with.
        JaxRuntimeError: if the array is larger than memory can be addressed.
    """
    return _interned(aval.shape, aval.dtype, aval.weak_type)


def device_of(buffer: Buffer) -> Device:
    """The device that holds a buffer; it is known of a deleted one too."""
    device: Device = buffer._sharding._device  # type: ignore[attr-defined]
    return device


def _first_device_of(buffer: Buffer) -> Device:
    """The device that holds a buffer, or the first of several."""
    sharding: Any = buffer._sharding  # type: ignore[attr-defined]
    return device_of(buffer) if hasattr(sharding, "_device") else sharding._internal_device_list[0]


_put: Final = xla.batched_device_put
_COPY: Final = xla.HostBufferSemantics.IMMUTABLE_ONLY_DURING_CALL
_SHARE: Final = xla.HostBufferSemantics.ZERO_COPY


def put(value: np.ndarray[Any, Any], aval: ShapedArray, device: Device | None = None, *, share: bool = False) -> Buffer:
    """A buffer that holds a copy of an array; with `share`, one that may be the array's own memory.

    Any strides and byte order will do.  Who shares must never write to the array again.

    Raises:
        TypeError: if the array has not the dtype of `aval`, or as `buffer_aval`.
        ValueError: if it has not the shape of `aval`.
        JaxRuntimeError: if the device has not enough memory.
    """
    what = _interned(aval.shape, aval.dtype, aval.weak_type)
    if type(value) is not np.ndarray:
        value = np.asarray(value)
    if value.dtype is not what.dtype and value.dtype != what.dtype:  # a swapped byte order is a difference too
        if value.dtype.newbyteorder("=") != what.dtype:
            raise TypeError(f"expected a NumPy array of dtype {what.dtype}, as {aval} has, got one of {value.dtype}")
        value = value.astype(what.dtype)
    if value.shape != what.shape:
        raise ValueError(f"expected a NumPy array of shape {what.shape}, as {aval} has, got one of {value.shape}")
    return put_as(value, what, device, _SHARE if share else _COPY)


def put_as(value: np.ndarray[Any, Any], what: Aval, device: Device | None = None, how: Any = _COPY) -> Buffer:
    """The same of an array of which it is known that it has this very shape and dtype.

    Raises:
        JaxRuntimeError: if the device has not enough memory.
    """
    where = targets[device]
    try:
        # The last argument keeps 64-bit types whatever jax's own x64 mode is; the one before it forbids aliasing.
        buffer: Buffer = _put(what, where.sharding, [value], where.devices, False, False, how, True)
    except JaxRuntimeError as error:
        raise_clear(error, f"an array of {what}", where.device)
    return buffer


def raise_clear(error: Exception, what: str, device: Device) -> NoReturn:
    """Raise XLA's error anew, of the same class, with a sentence that says where and with what."""
    text = str(error)
    if "RESOURCE_EXHAUSTED" in text or isinstance(error, MemoryError):
        text = f"not enough memory on {device} for {what}: {text.partition(': ')[2] or text}"
    else:
        text = f"XLA failed on {device} with {what}: {text}"
    raise JaxRuntimeError(text) from None


def is_deleted(buffer: Buffer) -> bool:
    """Whether a buffer was deleted, or donated to a computation."""
    return buffer.is_deleted()  # type: ignore[attr-defined, no-any-return]


def check_alive(buffer: Buffer) -> None:
    """Raise for a buffer that is deleted.

    Raises:
        RuntimeError: if it is.
    """
    if buffer.is_deleted():  # type: ignore[attr-defined]
        raise deleted(buffer)


def deleted(buffer: Buffer) -> RuntimeError:
    """What is said of a deleted buffer; the first sentence is JAX's."""
    return RuntimeError(
        f"Array has been deleted with shape={buffer.aval}. It was deleted by delete(), or donated to a computation "
        "(donate_argnums), which took over its memory: use the computation's result, or do not donate it."
    )


def delete(buffer: Buffer) -> None:
    """Free a buffer's memory now; doing it twice is no error."""
    buffer.delete()  # type: ignore[attr-defined]


def is_ready(buffer: Buffer) -> bool:
    """Whether the computation that makes a buffer has finished.

    Raises:
        RuntimeError: if the buffer is deleted.
    """
    check_alive(buffer)  # jaxlib itself would end the process
    return buffer.is_ready()  # type: ignore[attr-defined, no-any-return]


def block_until_ready(buffer: Buffer) -> None:
    """Wait until the computation that makes a buffer has finished.

    Raises:
        RuntimeError: if the buffer is deleted.
        JaxRuntimeError: if its computation failed.
    """
    check_alive(buffer)
    try:
        buffer.block_until_ready()  # type: ignore[attr-defined]
    except JaxRuntimeError as error:
        raise_clear(error, f"the computation of {buffer.aval}", _first_device_of(buffer))


_is_deleted: Final = xla.ArrayImpl.is_deleted


_wait: Final = xla.batched_block_until_ready


def block_until_all_ready(buffers: list[Buffer]) -> None:
    """Wait until the computations that make these buffers have finished.

    Raises:
        RuntimeError: if one is deleted.
        JaxRuntimeError: if a computation failed.
    """
    try:
        if not any(map(_is_deleted, buffers)):  # jaxlib itself would end the process
            _wait(buffers)
            return
    except JaxRuntimeError:
        pass
    for buffer in buffers:
        block_until_ready(buffer)


def nbytes(buffer: Buffer) -> int:
    """The size of a buffer's elements in bytes, as NumPy counts it, known of a deleted buffer too."""
    aval = buffer.aval
    return math.prod(aval.shape) * aval.dtype.itemsize


def on_device_size(buffer: Buffer) -> int:
    """The bytes that a buffer takes on its device.

    Raises:
        RuntimeError: if the buffer is deleted.
    """
    check_alive(buffer)
    return buffer.on_device_size_in_bytes()  # type: ignore[attr-defined, no-any-return]


def copy_to_device(buffer: Buffer, device: Device) -> Buffer:
    """A copy on a device, which may be of another platform, and may be the same device.

    Raises:
        RuntimeError: if the buffer is deleted.
        JaxRuntimeError: if the device has not enough memory.
        TypeError: if it is not a device.
    """
    where = targets[device]
    check_alive(buffer)
    try:
        copies = xla.batched_copy_array_to_devices_with_sharding(
            [buffer], [where.device_list], [where.sharding], [xla.ArrayCopySemantics.ALWAYS_COPY]
        )
    except JaxRuntimeError as error:
        raise_clear(error, f"a copy of {buffer.aval}", device)
    copy: Buffer = copies[0]
    return copy
