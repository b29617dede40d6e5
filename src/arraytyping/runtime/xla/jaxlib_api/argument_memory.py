"""Memory of the host that is a buffer's own, so that one buffer serves for the arguments of many calls.

To copy a small array of NumPy's into such memory takes a twentieth of the time that a new buffer takes.  Who writes
into it has to know that every program that was given the buffer has finished, as `is_done` of what it gave says.

Source: `jaxlib/py_values.cc` of jaxlib 0.10.2; `HostBufferSemantics` in XLA's `pjrt_client.h`.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from arraytyping.runtime.xla.jaxlib_api.buffers import Aval, Buffer, put_as
from arraytyping.runtime.xla.jaxlib_api.clients import default_device
from arraytyping.runtime.xla.jaxlib_api.extension import xla
from arraytyping.runtime.xla.jaxlib_api.host import pointer

__all__ = ["argument_memory", "is_done"]

_ALIGNMENT: Final = 64
_MOST_BYTES: Final = 1 << 16
"""Of larger arrays the copy takes most of the time, and to keep memory for them would be noticed."""
_SHARE: Final = xla.HostBufferSemantics.ZERO_COPY

is_done: Final = xla.ArrayImpl.is_ready
"""Whether the program that makes a buffer has finished; the process ends if the buffer was deleted."""


def argument_memory(what: Aval) -> tuple[np.ndarray[Any, Any], Buffer] | None:
    """New memory for an array of this type, and the buffer that it is; None if it is large or buffers are copies."""
    size = math.prod(what.shape) * what.dtype.itemsize
    if not 0 < size <= _MOST_BYTES or what.dtype.isbuiltin != 1 or default_device().platform != "cpu":
        return None
    whole = np.empty(size + _ALIGNMENT, np.uint8)
    first = -whole.ctypes.data % _ALIGNMENT
    memory = whole[first : first + size].view(what.dtype).reshape(what.shape)
    buffer = put_as(memory, what, None, _SHARE)
    return (memory, buffer) if pointer(buffer) == memory.ctypes.data else None
