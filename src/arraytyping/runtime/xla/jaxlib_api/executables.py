"""Executables: a StableHLO module compiled for one device, and called.

Source: `jax/_src/compiler.py` and `jax/_src/interpreters/pxla.py` of jax 0.10.2, for the options that XLA wants.
"""

from __future__ import annotations

import itertools
import os
import weakref
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Final, NoReturn

import numpy as np
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import chlo, func, sdy, stablehlo

from arraytyping.runtime.xla.jaxlib_api.buffers import (
    Buffer,
    JaxRuntimeError,
    buffer_aval,
    check_addressable,
    deleted,
    device_of,
    raise_clear,
)
from arraytyping.runtime.xla.jaxlib_api.clients import Device, Target, check_not_forked, cuda_data_directory, targets
from arraytyping.runtime.xla.jaxlib_api.extension import hlo, mlir_extension, translation, xla
from arraytyping.semantics.avals import ShapedArray

__all__ = ["Executable", "collect_garbage", "compile_module", "hlo_of", "hlo_text", "mlir_context", "turns"]

collect_garbage: Final = xla.collect_garbage
"""Let go of the Python objects that XLA's threads have dropped: they cannot themselves, and put them on a list.

Python's own collector does so too, which a loop without reference cycles never starts: whoever executes calls it when
`turns` says so.
"""
turns: Final = itertools.cycle((*[False] * 255, True))


@lru_cache(maxsize=1)
def _registry() -> Any:
    registry = ir.DialectRegistry()
    mlir_extension.register_dialects(registry)
    return registry


def mlir_context() -> ir.Context:
    """A new context that knows the dialects `func`, `stablehlo`, `chlo` and `sdy`.

    It costs a fifth of a millisecond.  A context keeps every type and constant that was ever made in it, and is not
    safe to use from two threads at once: make one for each module, and drop it with the module.
    """
    context = ir.Context()
    context.enable_multithreading(False)
    context.append_dialect_registry(_registry())
    stablehlo.register_dialect(context)
    chlo.register_dialect(context)
    sdy.register_dialect(context)
    context.dialects["func"]  # loads it
    return context


_living: Final[weakref.WeakSet[Executable]] = weakref.WeakSet()


def _refuse_after_fork() -> None:
    def refuse(buffers: Sequence[Buffer]) -> NoReturn:
        check_not_forked()
        raise AssertionError("unreachable")

    for executable in list(_living):
        executable._execute = refuse


if hasattr(os, "register_at_fork"):  # not on Windows
    os.register_at_fork(after_in_child=_refuse_after_fork)


class Executable:
    """A compiled computation: call it with a list of buffers on its device to get a list of buffers.

    The arguments are not checked against the module, since that would cost as much as the call: XLA compares their
    number and sizes in bytes, not their dtypes.

    Attributes:
        device: where it runs, the first one.
        devices: all of these.
        out_avals: what it returns.
    """

    __slots__ = ("__weakref__", "_execute", "_handlers", "_loaded", "device", "devices", "out_avals")

    def __init__(
        self, loaded: Any, handlers: list[Any], out_avals: tuple[ShapedArray, ...], device: Device,
        devices: tuple[Device, ...] | None = None,
    ) -> None:  # fmt: skip
        self._loaded = loaded
        self._execute = loaded.execute_sharded
        self._handlers = handlers
        self.out_avals: tuple[ShapedArray, ...] = out_avals
        self.device: Device = device
        self.devices: tuple[Device, ...] = (device,) if devices is None else devices
        _living.add(self)

    def __call__(self, buffers: Sequence[Buffer]) -> list[Any]:
        """Run on these buffers.

        Raises:
            RuntimeError: if one of them is deleted.
            JaxRuntimeError: if the computation fails, for want of memory for example.
            TypeError: if one of them is not a buffer.
            ValueError: if one of them is on another device.
        """
        try:
            return self._execute(buffers).consume_with_handlers(self._handlers)  # type: ignore[no-any-return]
        except Exception as error:
            self._explain(error, buffers)
            raise

    def _explain(self, error: Exception, buffers: Sequence[Buffer]) -> None:
        """Raise a clear error in place of XLA's, where the reason can be seen."""
        for n, buffer in enumerate(buffers):
            if not isinstance(buffer, xla.ArrayImpl):
                raise TypeError(
                    f"argument {n} of an executable must be a buffer, got {type(buffer).__name__}"
                ) from None
            if buffer.is_deleted():
                raise deleted(buffer) from None
            if len(self.devices) == 1 and device_of(buffer) != self.device:
                raise ValueError(
                    f"argument {n} of an executable for {self.device!r} is on {device_of(buffer)!r}, perhaps of "
                    "another client; copy it with copy_to_device"
                ) from None
        if isinstance(error, JaxRuntimeError | MemoryError):
            raise_clear(error, f"a computation of {_listed(self.out_avals)}", self.device)

    def cost_analysis(self) -> dict[str, float]:
        """What XLA thinks that it costs: operations, bytes."""
        return dict(self._loaded.cost_analysis())

    def memory_analysis(self) -> Any:
        """The bytes of arguments, results, temporary values and code."""
        return self._loaded.get_compiled_memory_stats()

    def text(self) -> str:
        """The optimized HLO, as XLA prints it."""
        return "\n".join(module.to_string() for module in self._loaded.hlo_modules())


def hlo_of(module: ir.Module) -> Any:
    """A StableHLO module as a computation of XLA before it is optimized."""
    return translation.mlir_module_to_xla_computation(str(module))


def hlo_text(module: ir.Module, debug_info: bool) -> str:
    """That computation as text, perhaps with what it knows of the lines of the program."""
    options = hlo.HloPrintOptions()
    options.print_metadata = debug_info
    text: str = hlo_of(module).as_hlo_module().to_string(options)
    return text


def compile_module(
    module: ir.Module,
    out_avals: Sequence[ShapedArray],
    device: Device | None = None,
    *,
    wrap: Callable[[Buffer], Any] | None = None,
    callbacks: Sequence[Callable[..., Any]] = (),
) -> Executable:
    """Compile a module whose public function `main` takes and returns tensors.

    Arguments that carry the attribute `tf.aliasing_output` or `jax.buffer_donor` are donated: they are deleted when the
    executable is called.  `wrap` is called with each result, from C++, and its value returned instead.  `callbacks` are
    what the module calls back, by number.

    Raises:
        ValueError: if the module is not valid, or returns another number of tensors than `out_avals` says.
        JaxRuntimeError: if XLA cannot compile what it says.
        As `buffer_aval`, for each of `out_avals`.
    """
    where = targets[device]
    handlers = [_handler(aval, where, wrap) for aval in out_avals]
    check_module(module, out_avals)
    try:
        loaded = where.client.compile_and_load(module, where.device_list, options_on([where.device]), list(callbacks))
    except JaxRuntimeError as error:
        raise_clear(error, f"the compilation of a program for {_listed(out_avals)}", where.device)
    return Executable(loaded, handlers, tuple(out_avals), where.device)


def _listed(avals: Sequence[ShapedArray]) -> str:
    return ", ".join(map(str, avals)) or "nothing"


def _handler(aval: ShapedArray, where: Target, wrap: Callable[[Buffer], Any] | None) -> Any:
    handler = xla.array_result_handler(buffer_aval(aval), where.sharding, False, True)
    return handler if wrap is None else handler.wrap(wrap)


def options_on(devices: Sequence[Device]) -> Any:
    """The options for a program of which each of these devices, in this order, runs a part."""
    options = xla.CompileOptions()
    build = options.executable_build_options
    options.num_replicas = build.num_replicas = 1
    options.num_partitions = build.num_partitions = len(devices)
    build.device_assignment = xla.DeviceAssignment.create(np.array([[d.id for d in devices]], np.int32))
    if devices[0].platform != "cpu" and (directory := cuda_data_directory()) is not None:
        build.debug_options.xla_gpu_cuda_data_dir = str(directory)
    return options


ELEMENT_TYPES: Final = {
    "bool": "i1",
    **{f"int{n}": f"i{n}" for n in (2, 4, 8, 16, 32, 64)},
    **{f"uint{n}": f"ui{n}" for n in (2, 4, 8, 16, 32, 64)},
    **{f"float{n}": f"f{n}" for n in (16, 32, 64)},
    "bfloat16": "bf16",
    "complex64": "complex<f32>",
    "complex128": "complex<f64>",
    "float4_e2m1fn": "f4E2M1FN",
    "float8_e3m4": "f8E3M4",
    "float8_e4m3": "f8E4M3",
    "float8_e8m0fnu": "f8E8M0FNU",
    "float8_e4m3b11fnuz": "f8E4M3B11FNUZ",
    "float8_e4m3fn": "f8E4M3FN",
    "float8_e4m3fnuz": "f8E4M3FNUZ",
    "float8_e5m2": "f8E5M2",
    "float8_e5m2fnuz": "f8E5M2FNUZ",
}
"""The MLIR type of one element, as MLIR writes it, of each dtype with which XLA computes."""


def tensor_type(aval: ShapedArray) -> str:
    """The MLIR type of an array, as MLIR writes it: `tensor<2x3xf32>`.

    Raises:
        As `buffer_aval`.
    """
    what = buffer_aval(aval).aval
    assert what.shape is not None
    assert what.dtype is not None
    return f"tensor<{''.join(f'{d}x' for d in what.shape)}{ELEMENT_TYPES[what.dtype]}>"


def check_module(module: ir.Module, out_avals: Sequence[ShapedArray]) -> None:
    """Raise if the module is not valid or does not return what `out_avals` says: jaxlib would believe the latter."""
    if not isinstance(module, ir.Module):
        raise TypeError(f"expected an MLIR module, got {type(module).__name__}")
    functions: list[Any] = [op for op in module.body.operations if isinstance(op, func.FuncOp)]
    main = next((f for f in functions if ir.StringAttr(f.attributes["sym_name"]).value == "main"), None)
    if main is None:
        raise ValueError("a module to compile needs a function named main")
    try:
        module.operation.verify()
    except ir.MLIRError as error:
        raise ValueError(f"the module is not valid: {error}") from None
    found, expected = [str(t) for t in main.type.results], [tensor_type(aval) for aval in out_avals]
    if found != expected:
        raise ValueError(f"main returns ({', '.join(found)}), where the given avals say ({', '.join(expected)})")
    types: set[ir.Type] = set(main.type.inputs)

    def collect(operation: ir.Operation) -> ir.WalkResult:
        types.update(result.type for result in operation.results)
        return ir.WalkResult.ADVANCE

    module.operation.walk(collect)
    for tensor in types:
        if isinstance(tensor, ir.RankedTensorType):
            check_addressable(tensor.shape, tensor)
