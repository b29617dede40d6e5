"""Buffers as NumPy arrays, and buffers to and from DLPack.

On the CPU all of it shares memory.  NumPy's own dtypes go through the buffer protocol; the narrow floats, which that
protocol does not know, through a DLPack capsule that is read here; the narrow integers, which jaxlib gives to neither,
are widened by XLA first.  jaxlib's own conversions are not used, since they import jax.

Source: https://dmlc.github.io/dlpack/latest/c_api.html and .../python_spec.html; `jaxlib/dlpack.cc` of jaxlib 0.10.2.
"""

from __future__ import annotations

import ctypes
from functools import lru_cache
from typing import Any, Final

import numpy as np
from jaxlib.mlir import ir

from arraytyping.runtime.xla.jaxlib_api.buffers import (
    Aval,
    Buffer,
    JaxRuntimeError,
    block_until_ready,
    buffer_aval,
    copy_to_device,
    device_of,
    put,
)
from arraytyping.runtime.xla.jaxlib_api.clients import Device, devices
from arraytyping.runtime.xla.jaxlib_api.executables import Executable, compile_module, mlir_context, tensor_type
from arraytyping.runtime.xla.jaxlib_api.extension import xla
from arraytyping.semantics.avals import ShapedArray

__all__ = ["dlpack_device", "from_dlpack", "pointer", "tensor_of", "to_dlpack", "to_numpy"]

Array = np.ndarray[Any, Any]


def to_numpy(buffer: Buffer) -> Array:
    """The array in host memory, read-only: on the CPU the buffer's own memory, which lives as long as either.

    It waits for the computation that makes the buffer.

    Raises:
        RuntimeError: if the buffer is deleted.
        JaxRuntimeError: if its computation failed, or there is not enough memory.
    """
    dtype = buffer.aval.dtype
    block_until_ready(buffer)  # first: the buffer protocol ends the process where an allocation failed meanwhile
    if dtype.isbuiltin == 1:
        try:
            return np.asarray(memoryview(buffer))  # type: ignore[arg-type]
        except BufferError:
            pass  # it is not on the CPU
    if device_of(buffer).platform != "cpu":
        return to_numpy(copy_to_device(buffer, devices("cpu")[0]))
    if dtype.isbuiltin == 1:
        return np.asarray(memoryview(buffer))  # type: ignore[arg-type]
    aval = buffer.aval
    if aval.dtype.name in _WIDENED:
        wide = _widening(aval.aval, device_of(buffer))([buffer])[0]
        value = np.asarray(memoryview(wide)).astype(aval.dtype)
        value.flags.writeable = False
        return value
    if aval.dtype.name == "float4_e2m1fn" or 0 in aval.shape:
        value = _Tensor(xla.buffer_to_dlpack_managed_tensor(buffer)).array()
        value.flags.writeable = False
        return value
    return np.asarray(_View(buffer, aval)).view(aval.dtype)


class _View:
    """The memory of a buffer of bytes or wider elements, for NumPy; a view holds it, and it the memory."""

    __slots__ = ("__array_interface__", "_capsule")

    def __init__(self, buffer: Buffer, aval: Aval) -> None:
        self._capsule = xla.buffer_to_dlpack_managed_tensor(buffer)  # when it dies unused, it lets go of the buffer
        tensor = _Managed.from_address(_pointer(self._capsule, b"dltensor")).tensor
        self.__array_interface__ = {
            "version": 3,
            "data": (tensor.data + tensor.byte_offset, True),
            "typestr": f"|V{aval.dtype.itemsize}",
            "shape": aval.shape,
        }


_WIDENED: Final = {"int2": "int8", "int4": "int8", "uint2": "uint8", "uint4": "uint8"}


@lru_cache(maxsize=256)
def _widening(aval: ShapedArray, device: Device) -> Executable:
    """The computation that converts an array of a narrow integer type to bytes."""
    assert aval.dtype is not None
    wide = ShapedArray(aval.shape, _WIDENED[aval.dtype])
    narrow_type, wide_type = tensor_type(aval), tensor_type(wide)
    with mlir_context(), ir.Location.unknown():
        module = ir.Module.parse(
            f"func.func public @main(%x: {narrow_type}) -> {wide_type} {{\n"
            f"  %y = stablehlo.convert %x : ({narrow_type}) -> {wide_type}\n"
            f"  return %y : {wide_type}\n}}"
        )
        return compile_module(module, [wide], device)


def dlpack_device(buffer: Buffer) -> tuple[int, int]:
    """Where a buffer is, as `__dlpack_device__` says it: the kind of device and its number."""
    device = device_of(buffer)
    return (_CPU, 0) if device.platform == "cpu" else (_CUDA, device.local_hardware_id)


def to_dlpack(buffer: Buffer, stream: int | None = None) -> Any:
    """A DLPack capsule that shares a buffer's memory, which the consumer must not write to.

    Raises:
        RuntimeError: if the buffer is deleted.
        JaxRuntimeError: if its computation failed.
        BufferError: for a dtype that DLPack does not know.
    """
    block_until_ready(buffer)
    try:
        return xla.buffer_to_dlpack_managed_tensor(buffer, stream)
    except JaxRuntimeError as error:
        if "no DLPack equivalent" in str(error):
            raise BufferError(f"DLPack has no dtype for {buffer.aval}; convert it to int8 or uint8 first") from None
        raise


def pointer(buffer: Buffer) -> int:
    """The address of a buffer's memory, which holds as long as the buffer lives and is not deleted.

    Raises:
        RuntimeError: if the buffer is deleted.
        BufferError: for a dtype that DLPack does not know, by which the address is found.
    """
    tensor = _Managed.from_address(_pointer(to_dlpack(buffer), b"dltensor")).tensor
    return (tensor.data or 0) + int(tensor.byte_offset)


def from_dlpack(source: Any, device: Device | None = None) -> Buffer:
    """A buffer of what a DLPack capsule or an object with `__dlpack__` holds, which shares its memory where it can.

    It can where the memory is aligned as XLA wants it, to 64 bytes, in C order, and the device is a CPU.

    Raises:
        TypeError: if it is neither a capsule nor has `__dlpack__`.
        BufferError: if it is on a device other than the CPU, or of a dtype that does not exist here.
    """
    if hasattr(source, "__dlpack__"):
        where = source.__dlpack_device__()[0] if hasattr(source, "__dlpack_device__") else _CPU
        if where not in _ON_HOST:
            raise BufferError(f"from_dlpack takes arrays on the CPU, got one on DLPack's device type {int(where)}")
        try:
            source = source.__dlpack__(max_version=(1, 0))
        except TypeError:  # from before DLPack had versions
            source = source.__dlpack__()
    if type(source).__name__ != "PyCapsule":
        raise TypeError(f"from_dlpack takes a DLPack capsule or an object with __dlpack__, got {type(source).__name__}")
    value = _Tensor(source).array()
    return put(value, ShapedArray(value.shape, value.dtype.name), device, share=True)


_CPU: Final = 1
_CUDA: Final = 2
_ON_HOST: Final = (_CPU, 3)

_NARROW: Final = {
    4: "bfloat16",
    7: "float8_e3m4",
    8: "float8_e4m3",
    9: "float8_e4m3b11fnuz",
    10: "float8_e4m3fn",
    11: "float8_e4m3fnuz",
    12: "float8_e5m2",
    13: "float8_e5m2fnuz",
    14: "float8_e8m0fnu",
    17: "float4_e2m1fn",
}
"""ml_dtypes' types by DLPack's code for them."""
_PLAIN: Final = {0: "int", 1: "uint", 2: "float", 5: "complex"}
"""NumPy's kinds by DLPack's code for them."""


def tensor_of(capsule: Any) -> Array:
    """The tensor of a DLPack capsule on the host as an array on its memory."""
    return _Tensor(capsule).array()


class _DLTensor(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    )


class _Managed(ctypes.Structure):
    _fields_ = (("tensor", _DLTensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p))


class _ManagedVersioned(ctypes.Structure):
    _fields_ = (
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("tensor", _DLTensor),
    )


def _capsule_function(name: str, result: Any, *arguments: Any) -> Any:
    function = ctypes.PYFUNCTYPE(result, *arguments)
    return function((name, ctypes.pythonapi))


_is_valid: Final = _capsule_function("PyCapsule_IsValid", ctypes.c_int, ctypes.py_object, ctypes.c_char_p)
_pointer: Final = _capsule_function("PyCapsule_GetPointer", ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)
_rename: Final = _capsule_function("PyCapsule_SetName", ctypes.c_int, ctypes.py_object, ctypes.c_char_p)
# A deleter may take the GIL itself or rely on its caller's: it is called with the GIL held, which suits both.
_deleter: Final = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)

_KINDS: Final = (
    (b"dltensor", b"used_dltensor", _Managed),
    (b"dltensor_versioned", b"used_dltensor_versioned", _ManagedVersioned),
)


class _Tensor:
    """The tensor of a capsule, consumed: its owner is told when the last array that looks at it is gone."""

    def __init__(self, capsule: Any) -> None:
        for name, used, kind in _KINDS:
            if _is_valid(capsule, name):
                self._address = _pointer(capsule, name)
                self._managed = kind.from_address(self._address)
                _rename(capsule, used)
                return
        raise BufferError("the DLPack capsule was already consumed, or is none: ask its owner for a new one")

    def __del__(self) -> None:
        managed = getattr(self, "_managed", None)
        if managed is not None and managed.deleter:
            _deleter(managed.deleter)(self._address)

    def array(self) -> Array:
        """The tensor as an array on its memory; of 4-bit elements, which lie two in a byte, a copy."""
        tensor = self._managed.tensor
        if tensor.device_type not in _ON_HOST:
            raise BufferError(f"expected a tensor on the CPU, got one on DLPack's device type {tensor.device_type}")
        dtype, shape = self._dtype(), tuple(tensor.shape[: tensor.ndim])
        size = int(np.prod(shape, dtype=np.int64))
        if not size or not tensor.data:
            return np.zeros(shape, dtype)
        packed = tensor.bits == 4
        strides = tuple(s * dtype.itemsize for s in tensor.strides[: tensor.ndim]) if tensor.strides else None
        self.__array_interface__ = {
            "version": 3,
            "data": (tensor.data + tensor.byte_offset, True),
            "typestr": f"|V{dtype.itemsize}",
            "shape": ((size + 1) // 2,) if packed else shape,
            "strides": None if packed else strides,
        }
        raw = np.asarray(self)
        if packed:
            bytes_ = raw.view(np.uint8)
            return np.stack([bytes_ & 15, bytes_ >> 4], -1).reshape(-1)[:size].view(dtype).reshape(shape)
        return raw.view(dtype)

    def _dtype(self) -> np.dtype[Any]:
        tensor = self._managed.tensor
        name = _NARROW.get(tensor.code) or ("bool" if tensor.code == 6 else f"{_PLAIN.get(tensor.code)}{tensor.bits}")
        try:
            return buffer_aval(ShapedArray((), name if tensor.lanes == 1 else None)).dtype
        except (TypeError, KeyError, NotImplementedError):
            raise BufferError(
                f"a DLPack tensor of type code {tensor.code}, {tensor.bits} bits, {tensor.lanes} lanes is no dtype here"
            ) from None
