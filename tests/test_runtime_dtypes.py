"""dtypes at run time, against jax: the scalar types, functions of dtypes, conversions, x64, narrow types, creation."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import warnings
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from runtime_pairs import OURS, THEIRS, check_same, described, outcome, raised_like

import arraytyping
import arraytyping.numpy as anp
from arraytyping import config, dtypes, scalars
from arraytyping.runtime.np_dtypes import dtype_name_of, np_dtype
from arraytyping.runtime.xla.jaxlib_api.buffers import REFUSED
from arraytyping.scalars import ABSTRACT, DTYPES, KINDS, SCALARS

RUNNING = [d for d in DTYPES if d not in REFUSED]
"""The dtypes with which XLA computes."""


def scalar(numpy: Any, dtype: str) -> Any:
    return getattr(numpy, "bool_" if dtype == "bool" else dtype)


def test_the_scalar_types_are_those_of_the_ground_floor() -> None:
    for name in scalars.__all__:
        assert getattr(anp, name) is getattr(scalars, name) is getattr(arraytyping, name)
    for name in ("bool", "int_", "uint", "single", "double", "float_", "csingle", "cdouble", "complex_"):
        assert np.dtype(getattr(anp, name)) == np.dtype(getattr(jnp, name)), name


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_scalar_type_is_a_dtype_of_numpy(dtype: str) -> None:
    ours, theirs = scalar(anp, dtype), scalar(jnp, dtype)
    numpy = np.dtype(theirs)
    assert np.dtype(ours) is numpy
    assert ours.dtype == numpy
    assert ours == numpy
    assert numpy == ours
    assert ours == numpy.type
    assert numpy.type == ours
    assert not ours == dtype  # noqa: SIM201
    assert hash(ours) == hash(scalar(anp, dtype))
    assert isinstance(numpy.type(1), ours)
    assert not isinstance("a", ours)
    assert pickle.loads(pickle.dumps(ours)) is ours
    others = [d for d in DTYPES if d != dtype]
    assert not any(ours == scalar(anp, d) or ours == np_dtype(d) for d in others)
    assert arraytyping.dtypes.itemsize_bits(ours) == jax.dtypes.itemsize_bits(theirs)
    assert dtypes.scalar_type_of(numpy.type(0)) is jax.dtypes.scalar_type_of(numpy.type(0))
    for kind in ABSTRACT:
        assert issubclass(ours, getattr(anp, kind)) == jnp.issubdtype(theirs, getattr(np, kind))


def test_classes_of_several_dtypes_are_none() -> None:
    for name, kind in ABSTRACT.items():
        with pytest.raises(TypeError, match=f"{name} stands for several dtypes, and makes no array"):
            kind(1)
        with pytest.raises(AttributeError, match="stands for several dtypes"):
            kind.dtype  # noqa: B018
    assert isinstance(np.float32(1), anp.floating)
    assert not isinstance(np.int8(1), anp.floating)


def test_calling_a_scalar_type_makes_a_strong_array() -> None:
    wrong = []
    values: list[Any] = [
        0,
        1,
        -1,
        2.5,
        True,
        300,
        1j,
        float("nan"),
        [1, 2],
        [],
        "a",
        None,
        np.int8(3),
        np.arange(2),
        2**40,
    ]
    for dtype in RUNNING:
        for value in values:

            def program(f: Any, n: Any, d: str = dtype, v: Any = value) -> Any:
                return scalar(n, d)(v)

            if text := check_same(program):
                wrong.append(f"{dtype}({value!r}): {text}")
    assert wrong == []
    with pytest.raises(TypeError):
        anp.float32()  # type: ignore[call-arg]


@pytest.mark.parametrize("dtype", sorted(REFUSED))
def test_a_dtype_that_xla_has_not_is_refused_with_a_sentence(dtype: str) -> None:
    makers: list[Callable[[], Any]] = [
        lambda: scalar(anp, dtype)(1),
        lambda: anp.zeros(3, dtype),
        lambda: anp.arange(3).astype(dtype),
    ]
    for make in makers:
        with pytest.raises(NotImplementedError, match=f"XLA cannot compute with {dtype} .*; use {REFUSED[dtype]}"):
            make()


@pytest.mark.parametrize("x64", [False, True])
def test_functions_of_dtypes_answer_as_jax(x64: bool) -> None:
    wrong = []

    def compare(name: str, program: Any) -> None:
        ours, theirs = outcome(program, OURS), outcome(program, THEIRS)
        if isinstance(theirs, Exception):
            if not raised_like(ours, theirs):
                wrong.append(f"{name}: {ours!r:.120} against {theirs!r:.120}")
        elif isinstance(ours, Exception) or repr(ours) != repr(theirs):
            wrong.append(f"{name}: {ours!r:.120} against {theirs!r:.120}")

    with config.enable_x64(x64), jax.enable_x64(x64):
        others: list[Any] = [
            int,
            float,
            complex,
            bool,
            "float32",
            np.dtype("int8"),
            np.float64,
            "<i2",
            "f",
            None,
            "str",
            3,
        ]
        for a in DTYPES:
            for b in DTYPES:
                compare(f"promote_types {a} {b}", lambda f, n, a=a, b=b: n.promote_types(scalar(n, a), scalar(n, b)))
                compare(f"can_cast {a} {b}", lambda f, n, a=a, b=b: n.can_cast(scalar(n, a), np_dtype(b)))
                compare(f"issubdtype {a} {b}", lambda f, n, a=a, b=b: n.issubdtype(np_dtype(a), scalar(n, b)))
            for b in others:
                compare(f"promote_types {a} {b}", lambda f, n, a=a, b=b: n.promote_types(a, b))
                compare(f"result_type {a} {b}", lambda f, n, a=a, b=b: n.result_type(scalar(n, a), b))
                compare(f"issubdtype {a} {b}", lambda f, n, a=a, b=b: n.issubdtype(scalar(n, a), b))
            for value in (1, 2.5, True, 1j, np.int16(1), np.ones(2)):
                compare(f"result_type {a} {value}", lambda f, n, a=a, v=value: n.result_type(np_dtype(a), v))
            for kind in ("bool", "integral", "numeric", "real floating", "complex floating", "signed integer", "nope",
                         ("bool", "unsigned integer"), np.int8, 3):  # fmt: skip
                compare(f"isdtype {a} {kind}", lambda f, n, a=a, k=kind: n.isdtype(scalar(n, a), k))
            for name in ("finfo", "iinfo"):
                compare(f"{name} {a}", lambda f, n, a=a, m=name: getattr(n, m)(scalar(n, a)))
            compare(f"canonicalize {a}", lambda f, n, a=a: f.dtypes.canonicalize_dtype(scalar(n, a)))
        for kind in ABSTRACT:
            compare(f"issubdtype {kind}", lambda f, n, k=kind: n.issubdtype(np.float32, getattr(n, k)))
            compare(f"issubdtype of {kind}", lambda f, n, k=kind: n.issubdtype(getattr(n, k), np.inexact))
        for program in (
            lambda f, n: n.result_type(),
            lambda f, n: n.result_type(2, n.int8(1)),
            lambda f, n: n.result_type(n.asarray(2), n.asarray(2.5)),
            lambda f, n: n.finfo(n.ones(3)).max,
            lambda f, n: n.iinfo(n.int8(3)).max,
            lambda f, n: n.finfo(int),
            lambda f, n: n.issubdtype(f.dtypes.float0, np.generic),
            lambda f, n: n.issubdtype(np.datetime64, np.generic),
            lambda f, n: f.dtypes.issubdtype(f.dtypes.bfloat16, np.floating),
            lambda f, n: f.dtypes.result_type(1, np.int8),
            lambda f, n: f.dtypes.float0,
            lambda f, n: f.dtypes.canonicalize_dtype(int),
        ):
            compare(program.__code__.co_consts.__repr__(), program)
    assert wrong == []


def test_every_dtype_is_converted_to_every_other() -> None:
    values = np.array([0, 1, 2, -1.5, 3.7, 100, 1e9, np.nan, np.inf, -300], np.float32)
    pairs = [(a, b) for a in RUNNING for b in RUNNING]

    def all_of(n: Any, every: int) -> Any:
        return lambda x: {f"{a} {b}": x.astype(a).astype(b) for a, b in pairs[::every]}

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected, found = jax.eval_shape(all_of(jnp, 1), values), arraytyping.eval_shape(all_of(anp, 1), values)
        theirs, ours = jax.jit(all_of(jnp, 5))(values), arraytyping.jit(all_of(anp, 5))(values)
    assert [p for p, x in expected.items() if np.dtype(found[p].dtype) != x.dtype or found[p].weak_type] == []
    wrong = [
        pair
        for pair, x in theirs.items()
        if str(ours[pair].dtype) != str(x.dtype)
        or not np.array_equal(np.asarray(ours[pair]).astype(complex), np.asarray(x).astype(complex), equal_nan=True)
    ]
    assert len(theirs) > 120
    assert wrong == []


def test_narrow_types_compute() -> None:
    def all_of(n: Any) -> Any:
        def run(x: Any, y: Any) -> Any:
            found = {}
            for d in RUNNING:
                a, b = x.astype(d), y.astype(d)
                found[f"{d} +"] = a + b
                found[f"{d} *"] = a * b
                found[f"{d} <"] = a < b if KINDS[d] != "c" else a == b
                found[f"{d} where"] = n.where(a == b, a, b)
                if d != "bool":
                    found[f"{d} neg"] = -a
                    found[f"{d} weak"] = a * 2
            return found

        return run

    x, y = np.array([0, 1, 2, 1], np.float32), np.array([1, 1, 0.5, 3], np.float32)
    theirs, ours = jax.jit(all_of(jnp))(x, y), arraytyping.jit(all_of(anp))(x, y)
    wrong = [
        f"{name}: {np.asarray(ours[name])} against {np.asarray(value)}"
        for name, value in theirs.items()
        if (str(ours[name].dtype), ours[name].weak_type) != (str(value.dtype), value.weak_type)
        or not np.array_equal(np.asarray(ours[name]).astype(complex), np.asarray(value).astype(complex), equal_nan=True)
    ]
    assert wrong == []
    for dtype in (
        "int4",
        "uint4",
        "int2",
        "float8_e4m3fn",
        "float8_e5m2",
        "float4_e2m1fn",
        "bfloat16",
    ):  # one by one, too
        assert check_same(lambda f, n, d=dtype: n.asarray([0, 1, 1], d) * n.asarray([1, 1, 0], d)) is None
        assert check_same(lambda f, n, d=dtype: n.ones((2, 3), d).astype("float32")) is None


CREATED: list[Callable[[Any, Any], Any]] = [
    lambda f, n: n.zeros(3), lambda f, n: n.zeros((2, 3), "int4"), lambda f, n: n.ones((), dtype=bool),
    lambda f, n: n.empty((0, 2)), lambda f, n: n.full((2,), 3), lambda f, n: n.full((2,), np.float32(3)),
    lambda f, n: n.full((2, 2), n.arange(2.0)), lambda f, n: n.full(2, 2**40, "float32"), lambda f, n: n.full(2, 2**40),
    lambda f, n: n.full(2, 300, "int8"), lambda f, n: n.full_like(n.asarray(2), 3.7), lambda f, n: n.zeros_like(2.0),
    lambda f, n: n.ones_like(n.zeros(3, "bfloat16"), shape=(2,)), lambda f, n: n.full_like(n.ones(2), n.arange(2)),
    lambda f, n: n.eye(3), lambda f, n: n.eye(2, 3, 1, dtype=int), lambda f, n: n.eye(3, k=n.asarray(-1)),
    lambda f, n: n.tri(3), lambda f, n: n.tri(2, 4, 1, "int8"), lambda f, n: n.identity(2, "int8"),
    lambda f, n: n.zeros(np.int64(2)), lambda f, n: n.zeros(n.asarray([2, 3])), lambda f, n: n.zeros((n.int32(2),)),
    lambda f, n: n.arange(5), lambda f, n: n.arange(5.0), lambda f, n: n.arange(1, 5), lambda f, n: n.arange(0, 1, 0.1),
    lambda f, n: n.arange(5, 0, -2), lambda f, n: n.arange(3, dtype="bfloat16"), lambda f, n: n.arange(np.int8(3)),
    lambda f, n: n.arange(0.0, 3.0, 0.3, dtype="float16"), lambda f, n: n.arange(n.asarray(3)),
    lambda f, n: n.arange(1, 2, 0), lambda f, n: n.arange(3, dtype=bool), lambda f, n: n.arange(3j),
    lambda f, n: n.arange(np.float32(0.5), 3), lambda f, n: n.arange(3, dtype="uint4"),
    lambda f, n: n.arange(np.ones(2)),
    lambda f, n: n.arange(None), lambda f, n: n.arange(float("nan")), lambda f, n: n.arange(float("inf")),
    lambda f, n: n.linspace(0, 1, 5), lambda f, n: n.linspace(0, 10, 7, dtype=int), lambda f, n: n.linspace(0, 1, 0),
    lambda f, n: n.linspace(0, 1, 5, endpoint=False, retstep=True), lambda f, n: n.linspace(0j, 1, 3),
    lambda f, n: n.linspace(n.asarray([0, 1.0]), n.asarray([3, 4.0]), 3, axis=1), lambda f, n: n.linspace(0, 1, -1),
    lambda f, n: n.linspace(0, 1, 1, retstep=True), lambda f, n: n.logspace(0, 2, 3),
    lambda f, n: n.logspace(0, 2, 4, base=2, dtype="float16"), lambda f, n: n.geomspace(0, 1, 0).shape,
    lambda f, n: n.meshgrid(n.arange(2), n.arange(3.0)), lambda f, n: n.meshgrid(), lambda f, n: n.indices((2, 3)),
    lambda f, n: n.meshgrid(n.arange(2), n.arange(3), indexing="ij", sparse=True), lambda f, n: n.indices(()),
    lambda f, n: n.indices((2, 3), sparse=True), lambda f, n: n.zeros((-1,)), lambda f, n: n.zeros("a"),
    lambda f, n: n.zeros(2.5), lambda f, n: n.zeros(3, "nope"), lambda f, n: n.full((2,), [1, 2]),
    lambda f, n: n.full((3,), n.arange(2)), lambda f, n: n.full((2,), 1j, "float32"), lambda f, n: n.full(2, 2**70),
    lambda f, n: n.zeros(3, dtype=n.ones(2)), lambda f, n: n.meshgrid(n.ones((2, 2))),
]  # fmt: skip
CONVERTED: list[Callable[[Any, Any], Any]] = [
    lambda f, n: n.array([1, 2.5]), lambda f, n: n.array([[1, 2], [3]]), lambda f, n: n.array([True, 2]),
    lambda f, n: n.array([n.float32(1), 2]), lambda f, n: n.array([n.arange(2), [3, 4]], dtype="float16"),
    lambda f, n: n.array(None), lambda f, n: n.array([None]), lambda f, n: n.array("a"), lambda f, n: n.array({}),
    lambda f, n: n.array(2**31), lambda f, n: n.array([2**31]), lambda f, n: n.array(300, "int8"),
    lambda f, n: n.array(5, ndmin=2), lambda f, n: n.array([]), lambda f, n: n.array([[], []]),
    lambda f, n: n.array([1, 2], ndmin=3), lambda f, n: n.array(range(3)), lambda f, n: n.array(b"ab"),
    lambda f, n: n.array(bytearray(b"ab")), lambda f, n: n.array(memoryview(b"ab")), lambda f, n: n.array(np.arange(3)),
    lambda f, n: n.array([np.int8(1), np.int8(2)]), lambda f, n: n.array([np.float64(1), 2]),
    lambda f, n: n.asarray(n.asarray(2), dtype="int32"), lambda f, n: n.array([1, 2], order="F"),
    lambda f, n: n.array(np.array(["a"])), lambda f, n: n.asarray(1 + 2j), lambda f, n: n.array([1, 2], "int8", False),
    lambda f, n: n.asarray(float("nan"), dtype=int), lambda f, n: n.asarray([1j], dtype="float32"),
    lambda f, n: n.copy(2), lambda f, n: n.copy([1]), lambda f, n: n.astype(n.arange(3), "bool"),
    lambda f, n: n.arange(3).astype(None), lambda f, n: n.arange(3).astype(float),
    lambda f, n: n.asarray(2).astype("int32"),
    lambda f, n: n.asarray([1.5, 0, np.nan]).astype(bool), lambda f, n: n.asarray([1 + 2j]).astype("float32"),
    lambda f, n: n.frombuffer(b"\1\0\2\0", dtype="int16"), lambda f, n: n.fromiter(iter([1]), "f"),
    lambda f, n: n.fromfunction(lambda i, j: i * 2 + j, (2, 3), dtype=float),
    lambda f, n: n.asarray([2, n.asarray(3.0)]),
    lambda f, n: n.fromstring("1 2", dtype="float32", sep=" "), lambda f, n: n.asarray(np.float64(1e300)),
    lambda f, n: n.asarray(3, "float8_e5m2"), lambda f, n: n.asarray(2, dtype="uint2"), lambda f, n: n.astype([1], int),
    lambda f, n: n.asarray([1.0, 2], dtype="float4_e2m1fn"), lambda f, n: n.asarray("3", "int8"),
    lambda f, n: n.array([[1, 2], n.arange(2)]), lambda f, n: n.array([n.arange(2), n.arange(3)]),
    lambda f, n: n.array([f.jit(lambda x: x)(1), 2.0]), lambda f, n: f.jit(lambda x: n.array([x, 2.0]))(1),
    lambda f, n: f.jit(lambda x: n.asarray([[x, x], [1, x]]))(n.int8(1)), lambda f, n: n.from_dlpack(np.arange(3)),
    lambda f, n: n.from_dlpack([1]), lambda f, n: n.array(2.0, copy=False),
    lambda f, n: n.array(np.float16(2), ndmin=1),
    lambda f, n: f.jit(lambda: (n.zeros(3), n.arange(0, 1, 0.25), n.eye(2), n.full((2,), 2), n.tri(2)))(),
    lambda f, n: f.jit(lambda x: (n.zeros_like(x), n.full((2,), x), n.eye(2, k=x), n.ones_like(x, "int8")))(1),
    lambda f, n: f.jit(n.arange)(3), lambda f, n: f.jit(n.zeros)(3), lambda f, n: f.jit(n.array)([1, 2]),
]  # fmt: skip


def test_arrays_are_made_as_jax_makes_them() -> None:
    wrong = [f"{i}: {text}" for i, program in enumerate(CREATED) if (text := check_same(program))]
    wrong += [f"converted {i}: {text}" for i, program in enumerate(CONVERTED) if (text := check_same(program))]
    assert wrong == []


def test_with_x64_they_are_of_64_bits() -> None:
    with config.enable_x64(True), jax.enable_x64(True):
        some = [*CREATED[::3], *CONVERTED[::3], lambda f, n: n.asarray(2**40), lambda f, n: n.float64(1) + n.arange(3)]
        wrong = [f"{i}: {text}" for i, program in enumerate(some) if (text := check_same(program))]
    assert wrong == []


def test_spaced_numbers_are_those_of_jax_to_rounding() -> None:
    def programs(n: Any) -> Any:
        return lambda: [
            n.linspace(-3, 5, 23), n.linspace(0, 1, 50, dtype="bfloat16"), n.logspace(0, 3, 7), n.geomspace(1, 1000, 4),
            n.geomspace(-1, -100, 3), n.geomspace(n.asarray([1.0, 2]), 8, 3, axis=-1), n.geomspace(1j, 1000j, 4),
            n.logspace(0, 1, 3, base=n.asarray([2.0, 10.0]).reshape(2, 1), axis=-1),
            n.linspace(1j, 2, 4, endpoint=False),
        ]  # fmt: skip

    for ours, theirs in zip(programs(anp)(), programs(jnp)()):
        assert (ours.shape, str(ours.dtype)) == (theirs.shape, str(theirs.dtype))
        assert np.allclose(np.asarray(ours).astype(complex), np.asarray(theirs).astype(complex), rtol=3e-6)
    grads = [
        f.jit(f.grad(lambda a, n=n: (n.linspace(a, 4.0, 5) ** 2).sum() + n.logspace(a, 2.0, 3).sum()))(1.5)
        for f, n in (OURS, THEIRS)
    ]
    assert np.allclose(float(grads[0]), float(grads[1]), rtol=1e-5)


def test_x64_by_context_by_option_and_by_variable() -> None:
    assert str(anp.zeros(1).dtype) == "float32"
    with arraytyping.enable_x64():
        assert str(anp.zeros(1).dtype) == str(anp.asarray(1.5).dtype) == "float64"
        with arraytyping.enable_x64(False):
            assert str(anp.arange(2).dtype) == "int32"
    arraytyping.config.update("jax_enable_x64", True)
    try:
        assert str((anp.arange(2) * 1.5).dtype) == "float64"
        assert arraytyping.config.x64_enabled()
    finally:
        arraytyping.config.update("enable_x64", False)
    assert str(anp.arange(2).dtype) == "int32"
    code = "import arraytyping.numpy as n; print(n.arange(2).dtype, repr(n.asarray(1.5)))"
    for value, expected in (
        ("1", "int64 Array(1.5, dtype=float64, weak_type=True)"),
        ("0", "int32 Array(1.5, dtype=float32"),
    ):
        run = subprocess.run(
            [sys.executable, "-c", code], env={**os.environ, "ARRAYTYPING_ENABLE_X64": value}, capture_output=True,
            text=True, check=False,
        )  # fmt: skip
        assert run.stdout.startswith(expected), run.stderr
    with pytest.raises(AttributeError, match="did you mean 'enable_x64'"):
        arraytyping.config.update("jax_enable_x46", True)
    with pytest.raises(ValueError, match="expected True or False"):
        arraytyping.config.update("enable_x64", "maybe")


def test_a_64_bit_dtype_that_is_asked_for_in_vain_is_warned_of_at_the_line() -> None:
    makers: list[Callable[[], Any]] = [
        lambda: anp.zeros(2, "float64"), lambda: anp.asarray([1], "int64"), lambda: anp.arange(3, dtype="float64"),
        lambda: anp.float64(1), lambda: anp.ones(2).astype("complex128"), lambda: anp.array(2, np.int64),
    ]  # fmt: skip
    for make in makers:
        with pytest.warns(UserWarning, match="is asked for, but x64 is off") as found:
            make()
        assert len(found) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        anp.asarray(np.float64(1)), anp.zeros(2, float), anp.result_type(anp.float64, 1)
        with arraytyping.enable_x64():
            anp.zeros(2, "float64")


def test_names_of_dtypes() -> None:
    for dtype in DTYPES:
        assert dtype_name_of(np_dtype(dtype)) == dtype
        assert np.dtype(SCALARS[dtype]) == np_dtype(dtype)
    assert dtype_name_of(np.dtype("O")) is None
    assert dtype_name_of(np.dtype(">f4")) == "float32"
    assert described(anp.asarray(np.ones(2, ">f4"))) == described(jnp.ones(2))
    with pytest.raises(TypeError, match="no dtype of JAX"):
        dtypes.itemsize_bits("O")
    with pytest.raises(TypeError, match="no dtype of JAX"):
        dtypes.scalar_type_of("a")
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        dtypes.nothing  # type: ignore[attr-defined]  # noqa: B018


def test_absurd_sizes_are_refused() -> None:
    makers: list[Callable[[], Any]] = [
        lambda: anp.zeros((10**12, 10**12)),
        lambda: anp.ones(10**19),
        lambda: anp.eye(10**10),
        lambda: anp.arange(10**19),
    ]
    for make in makers:
        with pytest.raises(RuntimeError, match="more elements than can be addressed"):
            make()
