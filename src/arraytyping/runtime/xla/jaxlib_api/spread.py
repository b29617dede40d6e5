"""Buffers over several devices: made of a part for each, and taken apart again.

jaxlib's own way to the parts imports jax.  A buffer whose shards are put into another order shares their memory, and
DLPack is given the first one: that is how each is read.

Source: `jaxlib/py_array.cc` and `jaxlib/dlpack.cc` of jaxlib 0.10.2.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

import numpy as np

from arraytyping.runtime.xla.jaxlib_api.buffers import (
    Buffer,
    JaxRuntimeError,
    block_until_ready,
    buffer_aval,
    put_as,
    raise_clear,
)
from arraytyping.runtime.xla.jaxlib_api.clients import Device, check_not_forked
from arraytyping.runtime.xla.jaxlib_api.extension import hlo, xla
from arraytyping.runtime.xla.jaxlib_api.host import tensor_of
from arraytyping.semantics.avals import ShapedArray

__all__ = ["SPREAD_REFUSED", "assemble", "part_values", "spread", "spread_sharding"]

Array = np.ndarray[Any, Any]
SPREAD_REFUSED: Final = frozenset({"int2", "int4", "uint2", "uint4", "float4_e2m1fn"})
"""The dtypes, several elements of which lie in a byte, of which an array lies on one device alone."""

_SHARE: Final = xla.HostBufferSemantics.ZERO_COPY
"""The other semantics fail in jaxlib 0.10.2 where devices hold the same part (`bad_function_call`)."""


@lru_cache(maxsize=4096)
def spread_sharding(devices: tuple[Device, ...], counts: tuple[int, ...], tiles: tuple[tuple[int, ...], ...]) -> Any:
    """Jaxlib's form of a layout: in how many parts each dimension is cut, and which of them each device holds."""
    check_not_forked()
    return xla.GSPMDSharding(xla.DeviceList(devices), _hlo_sharding(counts, tiles))


def _hlo_sharding(counts: tuple[int, ...], tiles: tuple[tuple[int, ...], ...]) -> Any:
    parts = int(np.prod(counts, dtype=np.int64))
    if parts == 1:
        return hlo.HloSharding.replicate()
    held: dict[tuple[int, ...], list[int]] = {}
    for number, tile in enumerate(tiles):
        held.setdefault(tile, []).append(number)
    order = np.array([held[place] for place in np.ndindex(*counts)])  # each part's devices
    copies = order.shape[1]
    if copies == 1:
        return hlo.HloSharding.subgroup_with_device_ordering(order.reshape(counts), subgroup_types=[])
    return hlo.HloSharding.subgroup_with_device_ordering(
        order.reshape(*counts, copies), subgroup_types=[hlo.OpSharding.Type.REPLICATED]
    )


def _check(aval: ShapedArray) -> None:
    if aval.dtype in SPREAD_REFUSED:
        raise NotImplementedError(f"an array of dtype {aval.dtype} lies on one device, and not over a mesh")


def spread(values: Sequence[Array], aval: ShapedArray, devices: tuple[Device, ...], sharding: Any) -> Buffer:
    """A buffer of an array of which each device holds a copy of one of these parts.

    Raises:
        NotImplementedError: for a dtype of which several elements lie in a byte.
        JaxRuntimeError: if a device has not enough memory.
    """
    _check(aval)
    what = buffer_aval(aval)
    copies = [np.array(v, order="C", copy=True) for v in values]  # the buffers may be these: nobody writes to them
    try:
        buffer: Buffer = xla.batched_device_put(what, sharding, copies, list(devices), True, False, _SHARE, True)
    except JaxRuntimeError as error:
        raise_clear(error, f"an array of {what}", devices[0])
    return buffer


def assemble(parts: Sequence[Buffer], aval: ShapedArray, sharding: Any) -> Buffer:
    """A buffer of an array whose parts are these, one on each device in order, whose memory it shares."""
    _check(aval)
    buffer: Buffer = xla.ArrayImpl(buffer_aval(aval), sharding, list(parts), True, True)
    return buffer


def part_values(buffer: Buffer, devices: tuple[Device, ...], numbers: Sequence[int]) -> list[Array]:
    """The parts that the devices of these numbers hold, in their memory, which must not be written to.

    Raises:
        RuntimeError: if the buffer is deleted.
        JaxRuntimeError: if its computation failed.
    """
    block_until_ready(buffer)
    found = []
    for number in numbers:
        order = devices[number], *devices[:number], *devices[number + 1 :]
        first = xla.reorder_shards(buffer, _any_order(order), xla.ArrayCopySemantics.REUSE_INPUT) if number else buffer
        value = tensor_of(xla.buffer_to_dlpack_managed_tensor(first))
        value.flags.writeable = False
        found.append(value)
    return found


@lru_cache(maxsize=4096)
def _any_order(devices: tuple[Device, ...]) -> Any:
    return xla.GSPMDSharding(xla.DeviceList(devices), hlo.HloSharding.replicate())


def part(buffer: Buffer, devices: tuple[Device, ...], number: int, aval: ShapedArray) -> Buffer:
    """What the device of this number holds, as an array of its own."""
    (value,) = part_values(buffer, devices, [number])
    return put_as(value, buffer_aval(aval), devices[number])
