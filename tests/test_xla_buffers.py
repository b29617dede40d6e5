"""Buffers and executables: values there and back, errors with a sentence, nothing leaked, jax left alone."""

from __future__ import annotations

import gc
import math
import subprocess
import sys
import textwrap
import threading
import weakref
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from arraytyping.scalars import DTYPES
from arraytyping.semantics.avals import ShapedArray

pytest.importorskip("jaxlib", reason="the runtime needs jaxlib")

from jaxlib.mlir import ir

from arraytyping.runtime.xla import jaxlib_api as xla
from arraytyping.runtime.xla.jaxlib_api import clients, host
from arraytyping.runtime.xla.jaxlib_api.buffers import REFUSED
from arraytyping.runtime.xla.jaxlib_api.executables import ELEMENT_TYPES
from arraytyping.runtime.xla.jaxlib_api.extension import xla as extension

HELD = [name for name in DTYPES if name not in REFUSED]
F32 = ShapedArray((4,), "float32")
ONES = np.ones(4, np.float32)


@pytest.fixture(scope="module", params=["cpu", "gpu"])
def device(request: pytest.FixtureRequest) -> Any:
    try:
        return xla.devices(request.param)[0]
    except RuntimeError as error:
        pytest.skip(str(error))


def compiled(text: str, *out: ShapedArray, device: Any = None, **options: Any) -> xla.Executable:
    with xla.mlir_context(), ir.Location.unknown():
        return xla.compile_module(ir.Module.parse(text), out, device, **options)


def add(dtype: str = "f32", first: str = "", **options: Any) -> xla.Executable:
    """`x + y` of four elements; `first` holds attributes of x."""
    t = f"tensor<4x{dtype}>"
    body = f"%z = stablehlo.add %x, %y : {t}\n return %z : {t}"
    name = next(n for n, e in ELEMENT_TYPES.items() if e == dtype)
    return compiled(
        f"func.func public @main(%x: {t} {first}, %y: {t}) -> {t} {{ {body} }}", ShapedArray((4,), name), **options
    )


def filled(name: str, shape: Sequence[int]) -> np.ndarray[Any, Any]:
    """Small numbers, which every dtype but the scale factors holds."""
    return (np.arange(math.prod(shape)).reshape(shape) % 2).astype(xla.np_dtype(name))


# ---- there and back -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", HELD)
def test_every_dtype_there_and_back(name: str, device: Any) -> None:
    for shape in ((), (3,), (2, 5), (0,), (3, 0, 2), (1, 1)):
        value = filled(name, shape)
        aval = ShapedArray(shape, name)
        buffer = xla.put(value, aval, device)
        back = xla.to_numpy(buffer)
        assert back.dtype == value.dtype
        assert back.shape == shape
        assert back.tobytes() == value.tobytes()
        assert not back.flags.writeable
        assert xla.nbytes(buffer) == value.nbytes
        assert xla.device_of(buffer) == device
        assert buffer.aval is xla.buffer_aval(aval)


@pytest.mark.parametrize("name", ["float4_e2m1fn", "float8_e4m3fn", "bfloat16", "uint4", "int2", "complex64"])
def test_every_bit_pattern(name: str) -> None:
    dtype = xla.np_dtype(name)
    width = {"float4_e2m1fn": 4, "uint4": 4, "int2": 2}.get(name, 8)
    value = np.arange(2**width, dtype=np.uint8)
    value = value.view(dtype) if dtype.itemsize == 1 else np.repeat(value, dtype.itemsize).view(dtype)
    if name == "int2":
        value = np.array([-2, -1, 0, 1], dtype)
    back = xla.to_numpy(xla.put(value, ShapedArray(value.shape, name)))
    assert back.tobytes() == value.tobytes()


STRIDED: dict[str, Callable[[np.ndarray[Any, Any]], np.ndarray[Any, Any]]] = {
    "transposed": lambda a: a.T,
    "backwards": lambda a: a[::-1, ::-2],
    "broadcast": lambda a: np.broadcast_to(a[0], (3, *a[0].shape)),
    "big-endian": lambda a: a.astype(a.dtype.newbyteorder(">")),
    "Fortran": np.asfortranarray,
    "unaligned": lambda a: np.frombuffer(b"x" + a.tobytes(), a.dtype, offset=1).reshape(a.shape),
}


@pytest.mark.parametrize("how", STRIDED)
def test_any_strides_and_byte_order(how: str, device: Any) -> None:
    for name in ("float32", "int64", "complex128", "bfloat16"):
        value = STRIDED[how](np.arange(12).reshape(3, 4).astype(xla.np_dtype(name)))
        back = xla.to_numpy(xla.put(value, ShapedArray(value.shape, name), device))
        np.testing.assert_array_equal(back.astype(complex), value.astype(complex))


def test_the_values_are_copied_unless_sharing_was_asked_for() -> None:
    for value in (np.zeros((), np.float32), np.zeros(3, np.float32), np.zeros(100_000, np.float32)):
        buffer = xla.put(value, ShapedArray(value.shape, "float32"))
        value[...] = 1
        assert not xla.to_numpy(buffer).any()
    memory = np.zeros(4096, np.uint8)
    aligned = memory[(-memory.ctypes.data) % 64 :][:16].view(np.float32)
    shared = xla.put(aligned, F32, share=True)
    assert xla.to_numpy(shared).ctypes.data == aligned.ctypes.data


def test_numpy_looks_at_the_buffers_own_memory() -> None:
    for name in ("float32", "bfloat16", "float8_e5m2"):
        buffer = xla.put(filled(name, (4,)), ShapedArray((4,), name))
        one, two = xla.to_numpy(buffer), xla.to_numpy(buffer)
        assert one.ctypes.data == two.ctypes.data
        del buffer
        xla.delete(xla.put(ONES, F32))
        assert one.tobytes() == filled(name, (4,)).tobytes()


def test_avals_are_interned_and_compare() -> None:
    aval = xla.buffer_aval(ShapedArray((2, 3), "bfloat16", True))
    assert aval is xla.buffer_aval(ShapedArray((2, 3), "bfloat16", True))
    assert (aval.shape, aval.dtype.name, aval.weak_type) == ((2, 3), "bfloat16", True)
    assert aval.aval == ShapedArray((2, 3), "bfloat16", True)
    known = xla.buffer_aval(ShapedArray((), "float32", value=2.0))
    assert known is xla.buffer_aval(ShapedArray((), "float32"))
    assert known.aval.value is None
    assert len({aval, known, xla.Aval(aval.aval)}) == 2
    assert repr(known) == "float32[]"


# ---- what is refused ----------------------------------------------------------------------------

BAD: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "dtype": (lambda: xla.put(np.ones(4), F32), TypeError, r"expected .* dtype float32.*float32\[4\].*float64"),
    "shape": (lambda: xla.put(ONES[:3], F32), ValueError, r"expected .* shape \(4,\).*got one of \(3,\)"),
    "objects": (lambda: xla.put(np.array([None] * 4), F32), TypeError, "got one of object"),
    "a list": (lambda: xla.put([1, 2], F32), TypeError, "got one of int64"),  # type: ignore[arg-type]
    "unknown shape": (lambda: xla.buffer_aval(ShapedArray(None, "int8")), TypeError, "needs a known shape and dtype"),
    "unknown size": (lambda: xla.buffer_aval(ShapedArray((None,), "int8")), TypeError, r"known shape.*int8\[\?\]"),
    "unknown dtype": (lambda: xla.buffer_aval(ShapedArray((3,), None)), TypeError, "needs a known shape and dtype"),
    "negative size": (lambda: xla.buffer_aval(ShapedArray((-1,), "int8")), TypeError, "needs a known shape"),
    "int1": (lambda: xla.buffer_aval(ShapedArray((3,), "int1")), NotImplementedError, "cannot compute with int1.*int2"),
    "float6": (lambda: xla.buffer_aval(ShapedArray((), "float6_e2m3fn")), NotImplementedError, "use float8_e4m3fn"),
    "absurd": (lambda: xla.buffer_aval(ShapedArray((2**40, 2**40), "int8")), xla.JaxRuntimeError, "more elements"),
    "a device": (lambda: xla.put(ONES, F32, "cpu"), TypeError, "expected a device.*got str"),  # type: ignore[arg-type]
    "platform": (lambda: xla.devices("tpu"), RuntimeError, "unknown platform 'tpu'; expected one of cpu, gpu, cuda"),
    "too large": (
        lambda: xla.put(np.broadcast_to(np.int8(0), (2**50,)), ShapedArray((2**50,), "int8")),
        xla.JaxRuntimeError,
        r"not enough memory on .*cpu.* for an array of int8\[1125899906842624\]: Out of memory allocating",
    ),
    "dlpack of nothing": (lambda: xla.from_dlpack(3), TypeError, "takes a DLPack capsule or an object.*got int"),
    "dlpack of objects": (lambda: xla.from_dlpack(np.array([None])), BufferError, "DLPack"),
    "dlpack of int4": (
        lambda: xla.to_dlpack(xla.put(filled("int4", (2,)), ShapedArray((2,), "int4"))),
        BufferError,
        r"no dtype for int4\[2\]; convert it to int8",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", BAD)
def test_bad_input_gets_a_sentence(what: str) -> None:
    call, kind, text = BAD[what]
    with pytest.raises(kind, match=text) as caught:
        call()
    assert "\n" not in str(caught.value)


DELETED: dict[str, Callable[[Any], Any]] = {
    "to_numpy": xla.to_numpy,
    "to_dlpack": xla.to_dlpack,
    "is_ready": xla.is_ready,
    "block_until_ready": xla.block_until_ready,
    "copy_to_device": lambda b: xla.copy_to_device(b, xla.default_device()),
    "an executable": lambda b: add("i8" if b.aval.dtype == np.int8 else "bf16")([b, b]),
}


@pytest.mark.parametrize("what", DELETED)
def test_a_deleted_buffer_is_said_to_be_deleted(what: str) -> None:
    for name in ("int8", "bfloat16"):
        buffer = xla.put(filled(name, (4,)), ShapedArray((4,), name))
        assert not xla.is_deleted(buffer)
        xla.delete(buffer)
        xla.delete(buffer)
        assert xla.is_deleted(buffer)
        with pytest.raises(RuntimeError, match=rf"^Array has been deleted with shape={name}\[4\]\. ") as caught:
            DELETED[what](buffer)
        assert type(caught.value) is RuntimeError
        assert (xla.nbytes(buffer), xla.device_of(buffer)) == (filled(name, (4,)).nbytes, xla.default_device())


def test_jax_says_the_same_of_a_deleted_array() -> None:
    jnp = pytest.importorskip("jax.numpy")
    array = jnp.ones(4)
    array.delete()
    with pytest.raises(RuntimeError) as theirs:
        array + 1
    buffer = xla.put(ONES, F32)
    xla.delete(buffer)
    with pytest.raises(RuntimeError) as ours:
        xla.to_numpy(buffer)
    assert type(theirs.value) is type(ours.value)
    assert str(ours.value).startswith(str(theirs.value))


# ---- executables --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", HELD)
def test_every_dtype_is_computed_with(name: str, device: Any) -> None:
    element = ELEMENT_TYPES[name]
    operation = "or" if name == "bool" else "add"
    t = f"tensor<3x{element}>"
    run = compiled(
        f"func.func public @main(%x: {t}) -> {t} {{ %y = stablehlo.{operation} %x, %x : {t}\n return %y : {t} }}",
        ShapedArray((3,), name),
        device=device,
    )
    value = np.array([0, 1, 0]).astype(xla.np_dtype(name))
    (result,) = run([xla.put(value, ShapedArray((3,), name), device)])
    expected = value | value if name == "bool" else (value.astype(complex) * 2).real.astype(value.dtype)
    if name == "int2":
        expected = np.array([0, -2, 0], value.dtype)
    np.testing.assert_array_equal(xla.to_numpy(result).astype(complex), expected.astype(complex))


def test_no_arguments_no_results_and_many(device: Any) -> None:
    assert compiled("func.func public @main() { return }", device=device)([]) == []
    run = compiled(
        "func.func public @main() -> (tensor<f32>, tensor<0x3xi1>) {"
        "%a = stablehlo.constant dense<2.5> : tensor<f32>\n"
        "%b = stablehlo.constant dense<> : tensor<0x3xi1>\n return %a, %b : tensor<f32>, tensor<0x3xi1> }",
        ShapedArray((), "float32", True),
        ShapedArray((0, 3), "bool"),
        device=device,
    )
    two, none = run([])
    assert two.aval.weak_type is True
    assert xla.to_numpy(two) == 2.5
    assert xla.to_numpy(none).shape == (0, 3)
    assert run.device == device
    assert "2.5" in run.text()


def test_results_can_be_wrapped() -> None:
    class Wrapped:
        def __init__(self, buffer: Any) -> None:
            self.buffer = buffer

    x = xla.put(ONES, F32)
    (result,) = add(wrap=Wrapped)([x, x])
    assert type(result) is Wrapped
    assert xla.to_numpy(result.buffer).tolist() == [2, 2, 2, 2]


@pytest.mark.parametrize("attribute", ["{tf.aliasing_output = 0 : i32}", "{jax.buffer_donor = true}"])
def test_donated_arguments_are_deleted(attribute: str, device: Any) -> None:
    run = add(first=attribute, device=device)
    x, y = xla.put(ONES, F32, device), xla.put(ONES, F32, device)
    (result,) = run([x, y])
    assert xla.is_deleted(x)
    assert not xla.is_deleted(y)
    assert xla.to_numpy(result).tolist() == [2, 2, 2, 2]
    with pytest.raises(RuntimeError, match=r"Array has been deleted with shape=float32\[4\].*donate_argnums"):
        run([x, y])
    with pytest.raises(xla.JaxRuntimeError, match="donated in the same call"):
        run([y, y])


def test_an_array_of_numpy_survives_donation() -> None:
    x = xla.put(ONES, F32)
    view = xla.to_numpy(x)
    (result,) = add(first="{tf.aliasing_output = 0 : i32}")([x, xla.put(ONES, F32)])
    assert view.tolist() == [1, 1, 1, 1]
    assert xla.to_numpy(result).tolist() == [2, 2, 2, 2]


def test_wrong_arguments_of_an_executable() -> None:
    run, x = add(), xla.put(ONES, F32)
    with pytest.raises(TypeError, match="argument 1 of an executable must be a buffer, got ndarray"):
        run([x, ONES])  # type: ignore[list-item]
    with pytest.raises(xla.JaxRuntimeError, match=r"XLA failed on .* 1 arguments but compiled program expected 2"):
        run([x])


MODULES = {
    "another dtype": ("() -> tensor<f32>", "%c = stablehlo.constant dense<1.0> : tensor<f32>\n return %c : tensor<f32>",
                      [ShapedArray((), "float64")], ValueError, r"returns \(tensor<f32>\), .* say \(tensor<f64>\)"),
    "another number": ("()", "return", [F32], ValueError, r"main returns \(\), .* say \(tensor<4xf32>\)"),
    "an absurd size": ("(%x: tensor<9223372036854775807xi8>)", "return", [], xla.JaxRuntimeError, "more elements than"),
    "an absurd size within": ("()", "%a = stablehlo.iota dim = 0 : tensor<4294967296x4294967296xf64>\n return", [],
                              xla.JaxRuntimeError, r"tensor<4294967296x4294967296xf64> has more elements"),
    "a custom call that is not there": ("()", "stablehlo.custom_call @none_such() {has_side_effect = true, "
                                        "api_version = 4 : i32} : () -> ()\n return", [], xla.JaxRuntimeError,
                                        "XLA failed on .* the compilation of a program for nothing: .*none_such"),
}  # fmt: skip


@pytest.mark.parametrize("what", MODULES)
def test_modules_that_cannot_be_compiled(what: str) -> None:
    signature, body, out, kind, text = MODULES[what]
    with pytest.raises(kind, match=text):
        compiled(f"func.func public @main{signature} {{ {body} }}", *out)


def test_a_module_without_main() -> None:
    with pytest.raises(ValueError, match="needs a function named main"):
        compiled("func.func public @other() { return }")
    with pytest.raises(TypeError, match="expected an MLIR module, got str"):
        xla.compile_module("module {}", [])  # type: ignore[arg-type]


def test_a_computation_that_needs_too_much_memory() -> None:
    t = f"tensor<{2**48}xi8>"
    run = compiled(
        f"func.func public @main(%x: tensor<i8>) -> {t} {{"
        f"%y = stablehlo.broadcast_in_dim %x, dims = [] : (tensor<i8>) -> {t}\n return %y : {t} }}",
        ShapedArray((2**48,), "int8"),
    )
    with pytest.raises(xla.JaxRuntimeError, match=r"not enough memory on .* for .*int8\[281474976710656\]: Out of mem"):
        xla.block_until_ready(run([xla.put(np.int8(1), ShapedArray((), "int8"))])[0])  # type: ignore[arg-type]


def test_copies_to_a_device(device: Any) -> None:
    for name in ("float32", "bfloat16", "int4"):
        value = filled(name, (4,))
        buffer = xla.put(value, ShapedArray((4,), name))
        copy = xla.copy_to_device(buffer, device)
        xla.delete(buffer)
        assert xla.device_of(copy) == device
        assert xla.to_numpy(copy).tobytes() == value.tobytes()
        xla.block_until_ready(copy)
        assert xla.is_ready(copy)


def test_what_is_not_on_the_cpu_is_copied_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another client stands for a GPU: the same functions copy from one to the other."""
    other = extension.get_tfrt_cpu_client().local_devices()[0]
    real = xla.device_of
    monkeypatch.setattr(host, "device_of", lambda b: SimpleNamespace(platform="gpu") if real(b) == other else real(b))
    for name in ("bfloat16", "int4", "float4_e2m1fn"):
        buffer = xla.put(filled(name, (5,)), ShapedArray((5,), name), other)
        assert xla.device_of(buffer) == other
        assert xla.to_numpy(buffer).tobytes() == filled(name, (5,)).tobytes()
    with pytest.raises(ValueError, match=r"argument 0 of an executable .* is on .*; copy it with copy_to_device"):
        add()([xla.put(ONES, F32, other), xla.put(ONES, F32)])
    (result,) = add(device=other)([xla.put(ONES, F32, other)] * 2)
    assert xla.to_numpy(xla.copy_to_device(result, xla.default_device())).tolist() == [2, 2, 2, 2]


# ---- DLPack -------------------------------------------------------------------------------------


class Exported:
    """What a consumer of DLPack is given."""

    def __init__(self, buffer: Any) -> None:
        self.buffer = buffer

    def __dlpack__(self, **_: Any) -> Any:
        return xla.to_dlpack(self.buffer)

    def __dlpack_device__(self) -> tuple[int, int]:
        return xla.dlpack_device(self.buffer)


@pytest.mark.parametrize("name", [n for n in HELD if not n.endswith(("int2", "int4"))])
def test_dlpack_there_and_back(name: str) -> None:
    for shape in ((), (2, 3), (0, 2)):
        value = filled(name, shape)
        buffer = xla.from_dlpack(Exported(xla.put(value, ShapedArray(shape, name))))
        assert buffer.aval.aval == ShapedArray(shape, name)
        assert xla.to_numpy(buffer).tobytes() == value.tobytes()


def test_dlpack_with_numpy_shares_memory() -> None:
    buffer = xla.put(ONES, F32)
    assert np.from_dlpack(Exported(buffer)).ctypes.data == xla.to_numpy(buffer).ctypes.data
    memory = np.zeros(4096, np.uint8)
    aligned = memory[(-memory.ctypes.data) % 64 :][:1024].view(np.float32)
    assert xla.to_numpy(xla.from_dlpack(aligned)).ctypes.data == aligned.ctypes.data
    aligned.flags.writeable = False
    assert xla.to_numpy(xla.from_dlpack(aligned)).ctypes.data == aligned.ctypes.data
    strided = np.arange(12.0).reshape(3, 4).T
    np.testing.assert_array_equal(xla.to_numpy(xla.from_dlpack(strided)), strided)


@pytest.mark.parametrize("name", ["bfloat16", "float8_e4m3fn", "int32", "complex64"])
def test_dlpack_with_jax(name: str) -> None:
    jax = pytest.importorskip("jax")
    theirs = jax.numpy.asarray(filled(name, (2, 3)))
    assert xla.to_numpy(xla.from_dlpack(theirs)).tobytes() == filled(name, (2, 3)).tobytes()
    back = jax.dlpack.from_dlpack(Exported(xla.put(filled(name, (2, 3)), ShapedArray((2, 3), name))))
    assert back.dtype == xla.np_dtype(name)
    assert np.asarray(back).tobytes() == filled(name, (2, 3)).tobytes()


def test_a_capsule_is_consumed_once_and_its_owner_told() -> None:
    class Memory(np.ndarray[Any, Any]):
        pass

    value = np.ones(1 << 16, np.float32).view(Memory)
    gone = weakref.ref(value)
    capsule = np.asarray(value).view(Memory).__dlpack__()
    buffer = xla.from_dlpack(capsule)
    with pytest.raises(BufferError, match="already consumed"):
        xla.from_dlpack(capsule)
    del value, capsule
    assert xla.to_numpy(buffer).sum() == 1 << 16
    del buffer
    for _ in range(3):  # what XLA let go of is given back to Python at its next call
        gc.collect()
    assert gone() is None


# ---- nothing leaks ------------------------------------------------------------------------------


def resident() -> int:
    """The memory of this process, in bytes."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="it reads the memory's size from /proc")
def test_ten_thousand_puts_and_executions_leave_nothing() -> None:
    n = 10_000
    aval = ShapedArray((n,), "float32")
    t = f"tensor<{n}xf32>"
    run = compiled(
        f"func.func public @main(%x: {t}) -> {t} {{ %y = stablehlo.add %x, %x : {t}\n return %y : {t} }}", aval
    )
    narrow = xla.put(filled("bfloat16", (n,)), ShapedArray((n,), "bfloat16"))
    value = np.ones(n, np.float32)

    def work(times: int) -> None:
        for _ in range(times):
            xla.to_numpy(run([xla.put(value, aval)])[0])
            xla.to_numpy(narrow)
            xla.from_dlpack(value)

    work(500)
    gc.collect()
    memory, buffers = resident(), len(clients.targets[None].client.live_arrays())
    work(10_000)
    gc.collect()
    assert resident() - memory < 20e6, "of 1.2e9 bytes that were made"
    assert len(clients.targets[None].client.live_arrays()) == buffers


def test_programs_and_contexts_are_let_go() -> None:
    with xla.mlir_context() as context:
        gone = weakref.ref(context)
    run = add()
    programs = len(clients.targets[None].client.live_executables())
    del run, context
    gc.collect()
    assert gone() is None
    assert len(clients.targets[None].client.live_executables()) == programs - 1


def test_errors_let_go_of_what_they_saw() -> None:
    run, x, y = add(), xla.put(ONES, F32), xla.put(ONES, F32)
    gone = weakref.ref(y)
    xla.delete(y)
    with pytest.raises(RuntimeError, match="deleted"):
        run([x, y])
    del y
    gc.collect()
    assert gone() is None


def test_threads() -> None:
    failures: list[BaseException] = []

    def work(n: int) -> None:
        try:
            run = add()
            for i in range(200):
                x = xla.put(np.full(4, i, np.float32), F32)
                assert xla.to_numpy(run([x, x])[0]).tolist() == [2 * i] * 4
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


# ---- other processes ----------------------------------------------------------------------------

PROGRAM = """
import sys
import numpy as np
from jaxlib.mlir import ir
from arraytyping.semantics.avals import ShapedArray
from arraytyping.runtime.xla import jaxlib_api as xla
from arraytyping.scalars import DTYPES

def use():
    text = "func.func public @main(%x: tensor<3xi64>) -> tensor<3xi64> {"
    text += "%y = stablehlo.add %x, %x : tensor<3xi64> return %y : tensor<3xi64> }"
    aval = ShapedArray((3,), "int64")
    with xla.mlir_context(), ir.Location.unknown():
        run = xla.compile_module(ir.Module.parse(text), [aval])
    x = xla.put(np.array([0, 1, 2**40]), aval)
    (y,) = run([x])
    assert xla.to_numpy(y).tolist() == [0, 2, 2**41] and xla.to_numpy(y).dtype == np.int64
    for name in DTYPES:
        try:
            b = xla.put(np.zeros((2, 2), xla.np_dtype(name)), ShapedArray((2, 2), name))
        except NotImplementedError:
            continue
        assert xla.to_numpy(b).dtype == xla.np_dtype(name)
        xla.to_numpy(xla.copy_to_device(b, xla.devices("cpu")[0]))
        if not name.endswith(("int2", "int4")):
            xla.from_dlpack(xla.to_dlpack(b))
    xla.block_until_ready(y); xla.is_ready(y); xla.is_deleted(y); xla.nbytes(y); xla.device_of(y).platform
    xla.dlpack_device(y); run.text(); xla.delete(y)
    for bad in (lambda: xla.to_numpy(y), lambda: run([y]), lambda: run([]), lambda: xla.devices("gpu")):
        try:
            bad()
        except RuntimeError:
            pass
    try:
        import scipy
        xla.register_custom_calls()
    except ImportError:
        pass
"""


def run(program: str, **environment: str) -> str:
    """What a fresh interpreter prints when it runs `PROGRAM` and then this."""
    import os

    result = subprocess.run(
        [sys.executable, "-c", PROGRAM + textwrap.dedent(program)],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_jax_is_never_imported() -> None:
    program = "use(); print(sorted({m.partition('.')[0] for m in sys.modules} & {'jax', 'jaxlib'}))"
    assert run(program) == "['jaxlib']\n"


def test_an_import_of_jax_would_be_seen() -> None:
    pytest.importorskip("jax")
    program = """
    buffer = xla.put(np.zeros(2, np.float32), ShapedArray((2,), "float32"))
    buffer._single_device_array_to_np_array_did_copy()
    print("jax" in sys.modules)
    """
    assert run(program) == "True\n"


JAX = """
def use_jax(jax):
    import jax.numpy as jnp
    assert jnp.arange(3).dtype == "int32" and jnp.asarray(np.arange(3)).dtype == "int32"
    with jax.enable_x64(True):
        assert jnp.arange(3).dtype == "int64"
    x = jax.jit(lambda x: x * 2 + 1)(jnp.arange(3.0))
    assert x.tolist() == [1, 3, 5] and x.dtype == "float32"
    assert np.asarray(jnp.ones(2, jnp.bfloat16)).dtype.name == "bfloat16"
    assert jax.grad(lambda x: x**2)(3.0) == 6
    assert all(type(a.aval) is type(x.aval) for a in jax.live_arrays())
"""


@pytest.mark.parametrize("order", ["jax first", "jax last"])
def test_jax_in_the_same_process(order: str) -> None:
    pytest.importorskip("jax")
    program = "import jax; use_jax(jax); use(); use_jax(jax); use()"
    if order == "jax last":
        program = "use(); kept = xla.put(np.ones(2), ShapedArray((2,), 'float64'))\n" + program
        program += "; assert xla.to_numpy(kept).tolist() == [1, 1]"
    assert run(JAX + program + "; print('right')") == "right\n"


def test_a_forked_process_is_told_rather_than_hung() -> None:
    program = """
    import os
    use()
    aval = ShapedArray((2,), "float32")
    old = xla.put(np.ones(2, np.float32), aval)
    child = os.fork()
    if not child:
        try:
            assert xla.to_numpy(old).tolist() == [1, 1]
            xla.put(np.ones(2, np.float32), aval)
        except RuntimeError as error:
            print(error, flush=True)
        os._exit(0)
    os.waitpid(child, 0)
    use()
    """
    assert "forked from one that had used XLA" in run(program)


def test_platforms_are_read_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for text, expected in {
        "": ("cpu",),
        "cpu": ("cpu",),
        " GPU , cpu,": ("cuda", "cpu"),
        "cuda,gpu": ("cuda",),
    }.items():
        monkeypatch.setenv("ARRAYTYPING_PLATFORMS", text)
        assert clients.platforms() == expected
    monkeypatch.setenv("ARRAYTYPING_PLATFORMS", "cpu,abacus")
    with pytest.raises(RuntimeError, match="unknown platform 'abacus'"):
        clients.platforms()


def test_without_a_plugin_the_text_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clients, "_cuda_plugin", lambda: None)
    monkeypatch.delitem(clients._clients, "cuda", raising=False)
    with pytest.raises(RuntimeError, match=r"pip install 'jax-cuda13-plugin\[with-cuda\]==0\.10\."):
        xla.devices("gpu")


def test_the_plugins_library_is_found_without_importing_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if (library := clients._cuda_plugin()) is not None:
        pytest.skip(f"a real plugin is installed: {library}")
    package = tmp_path / "jax_plugins" / "xla_cuda12"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("raise AssertionError('imported')")
    (package / "xla_cuda_plugin.so").write_bytes(b"no library")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert clients._cuda_plugin() == package / "xla_cuda_plugin.so"
    monkeypatch.delitem(clients._clients, "cuda", raising=False)
    monkeypatch.setattr(clients, "_plugin_version", lambda _: "0.1.0")
    with pytest.raises(RuntimeError, match=r"of version 0\.1\.0, jaxlib of 0\.10\..*install the same version"):
        xla.devices("gpu")
    monkeypatch.undo()
    monkeypatch.setattr(clients, "_cuda_plugin", lambda: package / "xla_cuda_plugin.so")
    monkeypatch.delitem(clients._clients, "cuda", raising=False)
    with pytest.raises(RuntimeError, match=r"the CUDA plugin .*xla_cuda_plugin\.so does not start: "):
        xla.devices("gpu")
