"""jaxlib's private interface behind one of ours: clients, buffers, executables.  Nothing else names `jaxlib._jax`.

Reading order: `extension` (what is used of jaxlib, checked), `clients` (devices), `buffers` (arrays on them),
`executables` (StableHLO compiled and called), `host` (NumPy and DLPack), `argument_memory` (buffers that many calls
use), `structures` (containers), `custom_calls` (LAPACK), `spread` and `partitioned`
(buffers and executables over several devices).

Neither this nor what it calls ever imports jax, and it sets nothing that jax reads: both live in one process.
"""

from __future__ import annotations

from arraytyping.runtime.np_dtypes import np_dtype
from arraytyping.runtime.xla.jaxlib_api.argument_memory import argument_memory, is_done
from arraytyping.runtime.xla.jaxlib_api.buffers import (
    Aval,
    Buffer,
    JaxRuntimeError,
    block_until_all_ready,
    block_until_ready,
    buffer_aval,
    copy_to_device,
    delete,
    device_of,
    is_deleted,
    is_ready,
    nbytes,
    on_device_size,
    put,
    put_as,
)
from arraytyping.runtime.xla.jaxlib_api.clients import (
    Device,
    default_device,
    devices,
    is_device,
    platforms,
    sharding_on,
)
from arraytyping.runtime.xla.jaxlib_api.custom_calls import register_custom_calls
from arraytyping.runtime.xla.jaxlib_api.effect_tokens import effects_barrier, told_of
from arraytyping.runtime.xla.jaxlib_api.executables import (
    Executable,
    collect_garbage,
    compile_module,
    hlo_of,
    hlo_text,
    mlir_context,
    turns,
)
from arraytyping.runtime.xla.jaxlib_api.extension import UnsupportedJaxlib
from arraytyping.runtime.xla.jaxlib_api.host import dlpack_device, from_dlpack, pointer, to_dlpack, to_numpy
from arraytyping.runtime.xla.jaxlib_api.partitioned import compile_partitioned, result_handler, result_tiles
from arraytyping.runtime.xla.jaxlib_api.spread import assemble, part, part_values, spread, spread_sharding

__all__ = [
    "Aval",
    "Buffer",
    "Device",
    "Executable",
    "JaxRuntimeError",
    "UnsupportedJaxlib",
    "argument_memory",
    "assemble",
    "block_until_all_ready",
    "block_until_ready",
    "buffer_aval",
    "collect_garbage",
    "compile_module",
    "compile_partitioned",
    "copy_to_device",
    "default_device",
    "delete",
    "device_of",
    "devices",
    "dlpack_device",
    "effects_barrier",
    "from_dlpack",
    "hlo_of",
    "hlo_text",
    "is_deleted",
    "is_device",
    "is_done",
    "is_ready",
    "mlir_context",
    "nbytes",
    "np_dtype",
    "on_device_size",
    "part",
    "part_values",
    "platforms",
    "pointer",
    "put",
    "put_as",
    "register_custom_calls",
    "result_handler",
    "result_tiles",
    "sharding_on",
    "spread",
    "spread_sharding",
    "told_of",
    "to_dlpack",
    "to_numpy",
    "turns",
]
