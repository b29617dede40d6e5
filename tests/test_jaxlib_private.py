"""What the runtime uses of jaxlib that jaxlib promises nothing about: one test for each thing, so that a release tells.

All of it is named in `arraytyping.runtime.xla.jaxlib_api`; the first tests hold that, the others call it likewise.
"""

from __future__ import annotations

import ast
import contextlib
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from arraytyping.scalars import DTYPES
from arraytyping.semantics.avals import ShapedArray

pytest.importorskip("jaxlib", reason="the runtime needs jaxlib")

from jaxlib.mlir import ir

from arraytyping.runtime.xla import jaxlib_api
from arraytyping.runtime.xla.jaxlib_api import clients, executables, extension
from arraytyping.runtime.xla.jaxlib_api.argument_memory import argument_memory, is_done
from arraytyping.runtime.xla.jaxlib_api.buffers import REFUSED, buffer_aval
from arraytyping.runtime.xla.jaxlib_api.extension import hlo, pytree, xla

SOURCES = Path(__file__).parent.parent / "src" / "arraytyping"
PRIVATE = re.compile(r"jaxlib\.(_|cpu\b|mlir\._mlir_libs)")
F32 = ShapedArray((4,), "float32")
ADD = """func.func public @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %z = stablehlo.add %x, %y : tensor<4xf32>
  return %z : tensor<4xf32>
}"""


def broken(what: str) -> str:
    """The sentence with which a test fails."""
    return f"jaxlib {version('jaxlib')} broke {what}"


@pytest.fixture(scope="module")
def target() -> clients.Target:
    return clients.targets[clients.devices("cpu")[0]]


def put(target: clients.Target, value: Any, **changes: Any) -> Any:
    aval = SimpleNamespace(shape=value.shape, dtype=value.dtype, weak_type=False)
    semantics = changes.get("semantics", xla.HostBufferSemantics.IMMUTABLE_ONLY_DURING_CALL)
    return xla.batched_device_put(aval, target.sharding, [value], target.devices, False, False, semantics, True)


# ---- where private names stand ------------------------------------------------------------------


def test_private_modules_are_named_in_one_package_only() -> None:
    places = [
        path
        for path in SOURCES.rglob("*.py")
        if "jaxlib" in (text := path.read_text())
        for node in ast.walk(ast.parse(text))
        if (isinstance(node, ast.Constant) and isinstance(node.value, str) and PRIVATE.match(node.value))
        or (isinstance(node, ast.ImportFrom) and PRIVATE.match(f"{node.module}."))
        or (isinstance(node, ast.ImportFrom) and node.module == "jaxlib")
        or (isinstance(node, ast.Import) and any(PRIVATE.match(alias.name) for alias in node.names))
    ]
    assert {path.parent.name for path in places} == {"jaxlib_api"}


def test_every_name_that_is_used_is_required() -> None:
    tree = ast.parse(Path(extension.__file__).read_text())
    asked = {
        constant.value.partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "require"
        for constant in node.args[1:]
        if isinstance(constant, ast.Constant) and isinstance(constant.value, str)
    }
    used = {
        node.attr
        for path in Path(extension.__file__).parent.glob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "xla"
    }
    assert used - asked == set()


def test_the_installed_release_is_one_of_those_declared() -> None:
    assert extension.SUPPORTED == "jaxlib==0.10.*"
    assert version("jaxlib").startswith("0.10."), broken("nothing yet: run these tests, then declare it")


def test_a_release_without_a_name_is_refused_with_a_sentence() -> None:
    with pytest.raises(
        jaxlib_api.UnsupportedJaxlib, match=r"jaxlib 0\.10.*_jax\.no_such_thing is missing.*pip install"
    ):
        extension.require("jaxlib._jax", "Client", "no_such_thing")
    with pytest.raises(jaxlib_api.UnsupportedJaxlib, match=r"ArrayImpl\.no_such_thing is missing"):
        extension.require("jaxlib._jax", "ArrayImpl.no_such_thing")
    with pytest.raises(ImportError, match=r"jaxlib\._gone cannot be imported"):
        extension.require("jaxlib._gone")


def test_without_jaxlib_the_text_says_what_to_install() -> None:
    program = (
        "import sys, importlib.metadata as m; real = m.version\n"
        "def version(name):\n"
        "    if name == 'jaxlib': raise m.PackageNotFoundError(name)\n"
        "    return real(name)\n"
        "m.version = version\n"
        "import arraytyping.runtime.xla.jaxlib_api"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert "needs jaxlib, which is not installed: pip install 'jaxlib==0.10.*'" in run.stderr


# ---- clients ------------------------------------------------------------------------------------


def test_the_cpu_client(target: clients.Target) -> None:
    device = target.client.local_devices()[0]
    assert (device.platform, device.id) == ("cpu", 0), broken("clients: Client.local_devices, Device.platform, .id")
    assert device.client is target.client or device.client == target.client, broken("clients: Device.client")
    assert isinstance(device.local_hardware_id, int), broken("host.dlpack_device: Device.local_hardware_id")
    assert isinstance(device, xla.Device), broken("clients.targets: Device")


def test_the_plugin_functions() -> None:
    assert xla.pjrt_plugin_loaded("none-such") is False, broken("clients: pjrt_plugin_loaded")
    with pytest.raises(xla.JaxRuntimeError, match=r"none-such\.so"):
        xla.load_pjrt_plugin("none-such", "/none-such.so", None)
    with pytest.raises(xla.JaxRuntimeError):
        xla.pjrt_plugin_initialized("none-such")  # it is only asked of a plugin that is loaded
    for name in ("initialize_pjrt_plugin", "get_c_api_client"):
        assert callable(getattr(xla, name)), broken(f"clients._cuda_client: {name}")


def test_what_a_sharding_is_asked(target: clients.Target) -> None:
    asked = []

    class Probe(xla.SingleDeviceSharding):  # type: ignore[misc]
        def __getattribute__(self, name: str) -> Any:
            asked.append(name)
            return super().__getattribute__(name)

        memory_kind = "device"

        def _to_xla_hlo_sharding(self, ndim: int) -> Any:
            return hlo.HloSharding.replicate()

    sharding = Probe(target.device)
    put(target._replace(sharding=sharding), np.ones(3))
    python = {name for name in asked if not hasattr(xla.SingleDeviceSharding, name)}
    assert python <= {"memory_kind", "_to_xla_hlo_sharding"}, broken(f"clients.sharding_on: it is asked for {python}")
    assert target.sharding._memory_kind == "device", broken("clients.sharding_on: _memory_kind")
    assert target.sharding._device == target.device, broken("buffers.device_of: SingleDeviceSharding._device")


# ---- buffers ------------------------------------------------------------------------------------


def test_batched_device_put_copies_or_shares(target: clients.Target) -> None:
    memory = np.zeros(4096, np.uint8)
    aligned = memory[(-memory.ctypes.data) % 64 :][:1024].view(np.float32)
    copied = put(target, aligned)
    shared = put(target, aligned, semantics=xla.HostBufferSemantics.ZERO_COPY)
    aligned[:] = 1
    assert np.all(np.asarray(memoryview(copied)) == 0), broken("buffers.put: IMMUTABLE_ONLY_DURING_CALL")
    assert np.all(np.asarray(memoryview(shared)) == 1), broken("buffers.put: ZERO_COPY")


def test_batched_device_put_keeps_64_bits_if_told(target: clients.Target) -> None:
    assert np.asarray(memoryview(put(target, np.arange(3)))).dtype == np.int64, broken("buffers.put: enable_x64")


def test_an_array_keeps_the_aval_that_it_was_given(target: clients.Target) -> None:
    aval = jaxlib_api.buffer_aval(F32)
    semantics = xla.HostBufferSemantics.ZERO_COPY
    value = np.ones(4, np.float32)
    buffer = xla.batched_device_put(aval, target.sharding, [value], target.devices, False, False, semantics, True)
    assert buffer.aval is aval, broken("buffers: ArrayImpl.aval")
    assert buffer._sharding is target.sharding, broken("buffers.device_of: ArrayImpl._sharding")
    buffer.delete()
    assert buffer.aval is aval, broken("buffers.deleted: ArrayImpl.aval of a deleted array")
    assert buffer._sharding is target.sharding, broken("buffers.device_of: ArrayImpl._sharding of a deleted array")


def test_deleted_arrays(target: clients.Target) -> None:
    buffer = put(target, np.ones(3))
    assert buffer.is_ready() in (True, False), broken("buffers.is_ready: ArrayImpl.is_ready")
    assert buffer.is_deleted() is False, broken("buffers.is_deleted: ArrayImpl.is_deleted")
    view = memoryview(buffer)
    buffer.delete()
    buffer.delete()
    assert buffer.is_deleted() is True, broken("buffers.delete: ArrayImpl.delete")
    assert np.asarray(view).tolist() == [1, 1, 1], broken("host.to_numpy: a view does not keep the memory")
    with pytest.raises(BufferError):
        memoryview(buffer)
    with pytest.raises(xla.JaxRuntimeError):
        buffer.block_until_ready()


def test_the_buffer_protocol_and_dlpack_know_the_dtypes_that_they_did(target: clients.Target) -> None:
    memory, dlpack, refusals = set(), set(), set()
    for name in DTYPES:
        if name in REFUSED:
            continue
        buffer = put(target, np.zeros(2, jaxlib_api.np_dtype(name)))
        buffer.block_until_ready()
        with contextlib.suppress(BufferError):
            memory.add(memoryview(buffer).format and name)
        try:
            xla.buffer_to_dlpack_managed_tensor(buffer)
            dlpack.add(name)
        except xla.JaxRuntimeError as error:
            refusals.add(str(error).partition("XLA type")[2][4:])
    builtin = {n for n in DTYPES if n not in REFUSED and jaxlib_api.np_dtype(n).isbuiltin == 1}
    assert memory == builtin, broken("host.to_numpy: the buffer protocol of ArrayImpl")
    assert dlpack == set(DTYPES) - set(REFUSED) - {"int2", "int4", "uint2", "uint4"}, broken("host: DLPack's dtypes")
    assert refusals == {"has no DLPack equivalent"}, broken("host.to_dlpack: the text of the error")


def test_copies_between_clients(target: clients.Target) -> None:
    device = xla.get_tfrt_cpu_client().local_devices()[0]
    other = clients.sharding_on(device)
    copies = xla.batched_copy_array_to_devices_with_sharding(
        [put(target, np.arange(3))], [xla.DeviceList((device,))], [other], [xla.ArrayCopySemantics.ALWAYS_COPY]
    )
    assert np.asarray(memoryview(copies[0])).tolist() == [0, 1, 2], broken("buffers.copy_to_device, host.to_numpy")
    assert copies[0]._sharding is other, broken("buffers.copy_to_device: the copy's device")


def test_jaxlibs_errors_are_runtime_errors() -> None:
    assert issubclass(xla.JaxRuntimeError, RuntimeError), broken("buffers.JaxRuntimeError")
    with pytest.raises(xla.JaxRuntimeError, match="text"):
        raise xla.JaxRuntimeError("text")


def test_the_text_of_an_error_says_that_memory_is_exhausted(target: clients.Target) -> None:
    with pytest.raises(xla.JaxRuntimeError, match="RESOURCE_EXHAUSTED"):
        put(target, np.broadcast_to(np.float32(0), (10**7, 10**7)))


# ---- executables --------------------------------------------------------------------------------


def test_the_dialects() -> None:
    registry = ir.DialectRegistry()
    extension.mlir_extension.register_dialects(registry)
    with jaxlib_api.mlir_context() as context, ir.Location.unknown():
        assert not context.is_registered_operation("stablehlo.none_such")
        for name in ("stablehlo.add", "chlo.erf", "func.return"):
            assert context.is_registered_operation(name), broken(f"executables.mlir_context: {name}")


def test_execution_and_its_handlers(target: clients.Target) -> None:
    with jaxlib_api.mlir_context(), ir.Location.unknown():
        module = ir.Module.parse(ADD)
        loaded = target.client.compile_and_load(module, target.device_list, executables.options_on([target.device]))
    x = put(target, np.ones(4, np.float32))
    aval = jaxlib_api.buffer_aval(F32)
    handler = xla.array_result_handler(aval, target.sharding, False, True)
    (result,) = loaded.execute_sharded([x, x]).consume_with_handlers([handler])
    assert result.aval is aval, broken("executables: consume_with_handlers")
    assert np.asarray(memoryview(result)).tolist() == [2] * 4, broken("executables: execute_sharded")
    (pair,) = loaded.execute_sharded([x, x]).consume_with_handlers([handler.wrap(lambda b: ("wrapped", b.aval))])
    assert pair == ("wrapped", aval), broken("executables.compile_module: ResultHandler.wrap")
    assert "HloModule" in loaded.hlo_modules()[0].to_string(), broken("executables.Executable.text")


def test_the_element_types_are_those_of_mlir() -> None:
    with jaxlib_api.mlir_context():
        for name, text in executables.ELEMENT_TYPES.items():
            assert str(ir.Type.parse(text)) == text, broken(f"executables.ELEMENT_TYPES: {name}")
    assert set(executables.ELEMENT_TYPES) == set(DTYPES) - set(REFUSED)


def test_custom_call_targets() -> None:
    pytest.importorskip("scipy", reason="LAPACK on the CPU is SciPy's")
    names = jaxlib_api.register_custom_calls()
    assert {"lapack_sgetrf_ffi", "lapack_spotrf_ffi", "lapack_dgesdd_ffi"} <= names, broken("custom_calls: the names")
    assert set(xla.custom_call_targets("Host")) >= names, broken("custom_calls: register_custom_call_target")


@pytest.mark.parametrize("element", ["si1", "ui1"])
def test_integers_of_one_bit_still_have_no_operations(element: str) -> None:
    text = f"func.func @main(%x: tensor<2x{element}>) -> tensor<2xf32> {{"
    text += f"%y = stablehlo.convert %x : (tensor<2x{element}>) -> tensor<2xf32>\n return %y : tensor<2xf32> }}"
    with jaxlib_api.mlir_context(), ir.Location.unknown(), pytest.raises(ir.MLIRError):
        ir.Module.parse(text)  # if it can: drop the dtype from buffers.REFUSED


@pytest.mark.parametrize("name", ["float6_e2m3fn", "float6_e3m2fn"])
def test_floats_of_six_bits_still_have_no_buffers(target: clients.Target, name: str) -> None:
    with pytest.raises(xla.JaxRuntimeError, match="Unknown NumPy dtype"):
        put(target, np.zeros(2, jaxlib_api.np_dtype(name)))  # if it can: drop the dtype from buffers.REFUSED


def test_one_buffer_serves_for_many_calls(target: clients.Target) -> None:
    """As programs are given small arrays of NumPy's: a buffer of our memory, which no result is in."""
    made = argument_memory(buffer_aval(F32))
    assert made is not None, broken("argument_memory: HostBufferSemantics.ZERO_COPY copies aligned memory")
    memory, buffer = made
    text = "func.func public @main(%x: tensor<4xf32>) -> tensor<4xf32> { return %x : tensor<4xf32> }"
    with jaxlib_api.mlir_context():
        given = jaxlib_api.compile_module(ir.Module.parse(text), [F32])
    results = []
    for i in range(3):
        memory[...] = i
        (result,) = given([buffer])
        results.append(result)
        jaxlib_api.block_until_ready(result)
        assert is_done(result) is True, broken("argument_memory.is_done: ArrayImpl.is_ready")
    assert [int(jaxlib_api.to_numpy(r)[0]) for r in results] == [0, 1, 2], broken(
        "argument_memory: a result may be the memory of an argument"
    )


def test_a_program_is_done_when_its_results_are(target: clients.Target) -> None:
    """What `is_done` says of results holds of what the program reads: else arguments are written over too early."""
    size = 1 << 13
    aval = ShapedArray((size,), "float32")
    made = argument_memory(buffer_aval(aval))
    assert made is not None
    memory, buffer = made
    text = f"""func.func public @main(%x: tensor<{size}xf32>) -> (tensor<{size}xf32>, tensor<{size}xf32>) {{
      %y = stablehlo.negate %x : tensor<{size}xf32>
      return %x, %y : tensor<{size}xf32>, tensor<{size}xf32>
    }}"""
    with jaxlib_api.mlir_context():
        program = jaxlib_api.compile_module(ir.Module.parse(text), [aval, aval])
    for i in range(1, 200):
        memory[...] = i
        first, second = program([buffer])
        while not (is_done(first) and is_done(second)):
            pass
        memory[...] = 0
        assert (jaxlib_api.to_numpy(first) == i).all(), broken("argument_memory: a result is done before it is")
        assert (jaxlib_api.to_numpy(second) == -i).all(), broken("argument_memory: a result is done before it is")


def test_many_buffers_are_waited_for_at_once(target: clients.Target) -> None:
    for buffers in ([], [put(target, np.ones(4, np.float32)) for _ in range(3)]):
        assert xla.batched_block_until_ready(buffers) is None, broken("buffers.block_until_all_ready")
    jaxlib_api.delete(buffers[1])
    with pytest.raises(RuntimeError, match="deleted"):
        jaxlib_api.block_until_all_ready(buffers)


def test_trees_are_taken_apart_and_put_together() -> None:
    """As `structures` has it for `arraytyping.tree`."""
    registry = pytree.PyTreeRegistry()
    registry.register_node(Held, lambda h: ((h.inside,), h.name), lambda name, children: Held(children[0], name))
    given = {"b": [1, (2, None)], "a": Held(3, "x")}
    leaves, whole = registry.flatten(given)
    assert leaves == [3, 1, 2], broken("structures: PyTreeRegistry.flatten")
    assert whole.flatten_up_to({"a": Held(4, "x"), "b": [[5, 6], (7, None)]}) == [4, [5, 6], 7], broken(
        "structures: PyTreeDef.flatten_up_to"
    )
    again = whole.unflatten([6, 5, 4])
    assert [*again] == ["a", "b"], broken("structures: PyTreeDef.unflatten sorts the keys of dicts")
    assert again["b"] == [5, (4, None)], broken("structures: PyTreeDef.unflatten")
    assert (again["a"].inside, again["a"].name) == (6, "x"), broken("structures: PyTreeRegistry.register_node")


class Held:
    """A container of one thing and its name."""

    def __init__(self, inside: Any, name: str) -> None:
        self.inside, self.name = inside, name
