"""Memory of the host that is a buffer's own, so that one buffer serves for the arguments of many calls.

To copy a small array of NumPy's into such memory takes a twentieth of the time that a new buffer takes.  Who writes
into it has to know that every program that was given the buffer has finished, as `is_done` of what it gave says.

Source: `jaxlib/py_values.cc` of jaxlib 0.10.2; `HostBufferSemantics` in XLA's `pjrt_client.h`.
"""

from __future__ import annotations

import math
import threading
import weakref
from typing import Any, Final

import numpy as np

from arraytyping.runtime.xla.jaxlib_api.buffers import Aval, Buffer, put_as
from arraytyping.runtime.xla.jaxlib_api.clients import default_device
from arraytyping.runtime.xla.jaxlib_api.extension import xla
from arraytyping.runtime.xla.jaxlib_api.host import pointer

__all__ = ["argument_memory", "is_done"]

_ALIGNMENT: Final = 64
_SMALL: Final = 1 << 16
_MOST_BYTES: Final = 1 << 26
"""How much memory is kept for arrays that are not small, of the whole process: new pages take as long as the copy."""
_SHARE: Final = xla.HostBufferSemantics.ZERO_COPY

_large_kept: Final = [0]
_lock: Final = threading.RLock()  # memory may be let go of anywhere

is_done: Final = xla.ArrayImpl.is_ready
"""Whether the program that makes a buffer has finished; the process ends if the buffer was deleted."""


def argument_memory(what: Aval) -> tuple[np.ndarray[Any, Any], Buffer] | None:
    """New memory for an array of this type, and its buffer; None if too much is kept, or buffers are copies."""
    size = math.prod(what.shape) * what.dtype.itemsize
    if not size or what.dtype.isbuiltin != 1 or default_device().platform != "cpu":
        return None
    if size > _SMALL and not _keep(size):
        return None
    whole = np.empty(size + _ALIGNMENT, np.uint8)
    if size > _SMALL:
        weakref.finalize(whole, _let_go, size).atexit = False
    first = -whole.ctypes.data % _ALIGNMENT
    memory = whole[first : first + size].view(what.dtype).reshape(what.shape)
    buffer = put_as(memory, what, None, _SHARE)
    return (memory, buffer) if pointer(buffer) == memory.ctypes.data else None


def _keep(size: int) -> bool:
    """Count memory that is not small; False if there is too much of it."""
    with _lock:
        if _large_kept[0] + size > _MOST_BYTES:
            return False
        _large_kept[0] += size
        return True


def _let_go(size: int) -> None:
    with _lock:
        _large_kept[0] -= size
