"""Executables over several devices: one program, of which each device runs its part.

Source: `jax/_src/compiler.py` and `jax/_src/interpreters/pxla.py` of jax 0.10.2, for the options that XLA wants.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from jaxlib.mlir import ir

from arraytyping.runtime.xla.jaxlib_api.buffers import JaxRuntimeError, buffer_aval, raise_clear
from arraytyping.runtime.xla.jaxlib_api.clients import Device, check_not_forked, targets
from arraytyping.runtime.xla.jaxlib_api.executables import Executable, check_module, options_on
from arraytyping.runtime.xla.jaxlib_api.extension import hlo, xla
from arraytyping.semantics.avals import ShapedArray

__all__ = ["compile_partitioned", "result_handler", "result_tiles"]


def compile_partitioned(
    module: ir.Module, out_avals: Sequence[ShapedArray], devices: tuple[Device, ...],
    callbacks: Sequence[Callable[..., Any]] = (), is_free: Sequence[bool] = (),
) -> Executable:  # fmt: skip
    """Compile a module for these devices, in this order; `is_free` says of which results the compiler decides.

    Raises:
        As `compile_module`.
    """
    check_not_forked()
    check_module(module, out_avals)
    options = options_on(devices)
    build = options.executable_build_options
    build.use_spmd_partitioning = True
    build.use_shardy_partitioner = True
    build.allow_spmd_sharding_propagation_to_parameters = [False]
    build.allow_spmd_sharding_propagation_to_output = list(is_free) or [True]
    where = targets[devices[0]]
    try:
        loaded = where.client.compile_and_load(module, xla.DeviceList(devices), options, list(callbacks))
    except JaxRuntimeError as error:
        raise_clear(
            error, f"the compilation of a program for {', '.join(map(str, out_avals)) or 'nothing'}", devices[0]
        )
    return Executable(loaded, [], tuple(out_avals), devices[0], devices)


def result_tiles(executable: Executable) -> list[list[tuple[int, ...]] | None]:
    """Which part of each result each device holds, in order; None where each holds all of it."""
    count = len(executable.devices)
    found = executable._loaded.get_output_shardings()
    if found is None or not executable.out_avals:
        return [None] * len(executable.out_avals)
    return [_tiles(hlo.HloSharding.from_proto(one), count) for one in found]


def _tiles(sharding: Any, count: int) -> list[tuple[int, ...]] | None:
    if sharding.is_replicated() or not sharding.is_tiled():
        return None
    counts = list(sharding.tile_assignment_dimensions())
    held = np.array(list(sharding.tile_assignment_devices())).reshape(counts)
    rank = len(counts) - len(sharding.subgroup_types()) - sharding.replicate_on_last_tile_dim()
    tiles: list[tuple[int, ...]] = [()] * count
    for place in np.ndindex(*counts):
        tiles[int(held[place])] = tuple(place[:rank])
    return tiles


def result_handler(aval: ShapedArray, sharding: Any) -> Any:
    """What makes a buffer of a result that lies so."""
    return xla.array_result_handler(buffer_aval(aval), sharding, True, True)
