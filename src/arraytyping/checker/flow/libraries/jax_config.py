"""JAX's configuration, devices and debugging: what a program sets and prints, and what moves arrays."""

from __future__ import annotations

import contextlib
from typing import Any, Final

from arraytyping.checker.flow.engines import numpy as numpy_engine
from arraytyping.checker.flow.engines.conversion import Abort
from arraytyping.checker.flow.libraries.jax_devices import set_devices
from arraytyping.checker.flow.libraries.registry import Handler, handles
from arraytyping.checker.flow.python.run_attributes import FOLLOWED_SETTINGS
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.x64_sides import X64, is_settled, settled_x64
from arraytyping.checker.flow.syntax.traced_arguments import map_arrays, to_array
from arraytyping.checker.flow.syntax.with_blocks import ContextValue
from arraytyping.checker.flow.values import ArrayValue, TreeValue, Unknown, Value, is_concrete
from arraytyping.checker.flow.values.calls import Call
from arraytyping.checker.swallowed import swallow

__all__ = ["moved"]


_OF_KEYS: Final = ("jax_enable_custom_prng", "jax_default_prng_impl")
"""The settings that say what keys are."""


@handles("jax.config.update")
def _update(it: Interpreter, call: Call) -> Value:
    values = call.named("name", "val")
    name, value = values.get("name"), values.get("val")
    if not isinstance(name, str):
        return it.unknown("a setting of jax that is not known")
    if name == "jax_num_cpu_devices":
        set_devices(it, value)
    if name not in FOLLOWED_SETTINGS or name not in it.engines.jax.jax.config.values:
        if name not in it.engines.jax.jax.config.values:
            return it.fail(call.node, "array-call", f"AttributeError: jax has no setting {name!r}")
        return None
    if name == X64:
        value = settled_x64(it, value)
    if name in _OF_KEYS and not is_settled(it, value, getattr(it.engines.jax.config, name)):
        raise Abort(f"it sets {name} to what is not known before it runs")
    if not is_concrete(value):
        return it.unknown(f"the setting {name} gets a value that is not known")
    try:
        it.engines.jax.configure(name, value)
    except Exception as error:
        swallow(error)
        return it.fail(call.node, "array-call", f"{type(error).__name__}: {error}")
    return None


def _setting(name: str) -> Handler:
    def handle(it: Interpreter, call: Call) -> Value:
        value = call.args[0] if call.args else next(iter(call.kwargs.values()), True)
        if name == X64 and not is_concrete(value):
            value = settled_x64(it, value)
        jax = it.engines.jax

        @contextlib.contextmanager
        def manager() -> Any:
            before = getattr(jax.jax.config, name)
            jax.configure(name, value)
            try:
                yield
            finally:
                jax.configure(name, before)

        return ContextValue(name, None, manager if is_concrete(value) else None)

    return handle


handles("jax.enable_x64", "jax.experimental.enable_x64")(_setting("jax_enable_x64"))
handles("jax.numpy_dtype_promotion")(_setting("jax_numpy_dtype_promotion"))
handles("jax.numpy_rank_promotion")(_setting("jax_numpy_rank_promotion"))


@handles(
    "jax.profiler.trace", "jax.profiler.TraceAnnotation", "jax.profiler.StepTraceAnnotation",
    "jax.default_matmul_precision", "jax.default_device", "jax.debug_nans", "jax.debug_infs", "jax.checking_leaks",
    "jax.transfer_guard", "jax.log_compiles", "jax.threefry_partitionable",
)  # fmt: skip
def _context(it: Interpreter, call: Call) -> Value:
    return ContextValue("context", None)


@handles(
    "jax.debug.print",
    "jax.debug.breakpoint",
    "jax.debug.visualize_array_sharding",
    "jax.debug.inspect_array_sharding",
    "jax.numpy.save",
    "jax.numpy.savez",
    "jax.profiler.start_server",
    "jax.profiler.stop_server",
    "jax.profiler.save_device_memory_profile",
    "jax.clear_caches",
    "jax.effects_barrier",
    "jax.profiler.start_trace",
    "jax.profiler.stop_trace",
    "jax.monitoring.record_event",
)
def _nothing(it: Interpreter, call: Call) -> Value:
    return None


@handles("jax.numpy.load", "jax.numpy.fromfile", "jax.profiler.device_memory_profile")
def _from_outside(it: Interpreter, call: Call) -> Value:
    return it.unknown("what is read from outside of the program")


@handles("jax.block_until_ready")
def moved(it: Interpreter, call: Call) -> Value:
    """The same pytree of arrays, elsewhere; NumPy arrays and scalars become arrays."""
    value = call.args[0] if call.args else next(iter(call.kwargs.values()), None)

    def change(leaf: Value) -> Value:
        array = to_array(it, leaf, call.node)
        if isinstance(array, ArrayValue) and it.staged and not array.traced:
            return array.as_traced(True)
        return array

    return map_arrays(it, value, change, call.node)


@handles("jax.device_get")
def _device_get(it: Interpreter, call: Call) -> Value:
    """The same pytree of NumPy arrays."""

    def change(leaf: Value) -> Value:
        if isinstance(leaf, ArrayValue):
            if leaf.traced:
                return it.fail(call.node, "array-traced", f"device_get of a tracer {leaf.aval}, which has no value yet")
            return numpy_engine.from_aval(leaf)
        return leaf

    value = call.args[0] if call.args else Unknown("device_get without an argument")
    return (
        it.unknown("an object of a library on the host")
        if isinstance(value, TreeValue)
        else map_arrays(it, value, change, call.node)
    )
