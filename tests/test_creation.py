"""The rules that create and convert arrays, compared with JAX: every dtype, and shapes, lists, numbers, mistakes."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from oracle import Call, Raised, array, describes, differences, elements, jax_says, rule_says

from arraytyping.scalars import SCALARS, bool_, complex64, float32, float64, floating, int4, int8
from arraytyping.semantics.avals import UNKNOWN, NumPyArray, Scalar, ShapedArray, SymbolicDim
from arraytyping.semantics.promotion.jax import JaxPromotion
from arraytyping.semantics.rules.registry import RULES, evaluate
from arraytyping.semantics.sizes.dims import add_dims, max_dim

CONSTRUCTORS = (*SCALARS, "bool_", "int_", "uint", "float_", "complex_", "single", "double", "csingle", "cdouble")
NAN, INF = float("nan"), float("inf")
NUMBERS: tuple[Any, ...] = (
    True, 0, 1, -1, 7, 8, -8, -9, 127, 128, -128, -129, 255, 256, 2**15, 2**16, 2**31 - 1, 2**31, -(2**31), 2**32,
    -(2**31) - 1, 2**53 + 1, 2**63 - 1, 2**63, -(2**63), -(2**63) - 1, 2**64 - 1, 2**64, 2**100, 10**400,
    0.0, -0.5, 1.0, 1.5, -1.5, 3.5, 127.5, 255.5, 300.5, 2.0**31, 2.0**32, 2.0**63, 2.0**64, 1e20, 1e300, INF, -INF,
    NAN, 1j, 1 + 0j, complex(INF, 0),
)  # fmt: skip
"""Python scalars about the limits of the dtypes."""

DTYPE_ARGUMENTS: tuple[Any, ...] = (
    None, bool, int, float, complex, bool_, int8, int4, float32, float64, complex64, "bfloat16", "float", "i8", "<f4",
    "float8_e5m2", "uint", "n", "int", "complex", "?", ">i1", "=f8", "half",
)  # fmt: skip
BAD_DTYPES: tuple[Any, ...] = ("flaot32", "", ">f4", "<half", 3, 1.5, floating, str, object, (1, 2), ...)


def vectors(x64: bool, *shape: int) -> list[ShapedArray]:
    """An array of every dtype, weak ones included."""
    return [ShapedArray(shape, d, w) for d, w in elements(x64)]


def shape_calls() -> Iterator[Call]:
    """Shapes and sizes as arguments, valid and not."""
    shapes: tuple[Any, ...] = (
        0, 3, True, (), [], (2, 3), [2, 3], (2, 0), (True, 2), -1, (2, -1), 2.0, None, "a", ("a",), ((2,),), (2.0,),
        (None,), 1j, slice(3), ..., (2**40,),
    )  # fmt: skip
    for shape in shapes:
        for name in ("zeros", "ones", "empty"):
            yield Call(f"numpy.{name}", (shape,))
        for fill in (1, 2.5, True, array("int8"), array("float16", 3), array("int32", 2, 1), array("bool", 1)):
            yield Call("numpy.full", (shape, fill))
            yield Call("numpy.full_like", (array("float32", 3), fill), {"shape": shape})
        for name in ("zeros_like", "ones_like", "empty_like"):
            yield Call(f"numpy.{name}", (array("int16", 2, weak=True),), {"shape": shape})
        yield Call("numpy.indices", (shape,))
        yield Call("numpy.indices", (shape,), {"sparse": True})
        yield Call("numpy.eye", (shape,))
        yield Call("numpy.eye", (3, shape))
        yield Call("numpy.identity", (shape,))
        yield Call("numpy.tri", (shape,))
        yield Call("numpy.tri", (3, shape))
        yield Call("numpy.linspace", (0, 1, shape))
        yield Call("numpy.geomspace", (1, 2, shape))
    for values in ([1, 2], None, "a", int, (1,)):
        yield Call("numpy.full", (2, values))
        yield Call("numpy.full_like", (array("float32", 3), values))
        yield Call("numpy.full_like", (values, 1))
        yield Call("numpy.zeros_like", (values,))
        yield Call("numpy.empty_like", (values,))
    for like in (1, 2.5, True, 1j, 2**31, NumPyArray((2,), "float64"), NumPyArray((), "int64"), array("int8", 2)):
        for filler in (
            0,
            1.5,
            1j,
            array("int8"),
            array("int8", 2),
            array("float16", 1, 2),
            NumPyArray((2,), "complex64"),
        ):
            yield Call("numpy.full_like", (like, filler))
            yield Call("numpy.full_like", (like, filler), {"dtype": float32, "shape": (3, 2)})
        yield Call("numpy.ones_like", (like,))


def dtype_calls() -> Iterator[Call]:
    """Dtype arguments, valid and not, of every function that takes one."""
    x = array("int32", 4)
    for d in (
        *DTYPE_ARGUMENTS,
        *BAD_DTYPES,
        x,
        NumPyArray((2,), "float32"),
        NumPyArray((), "float32"),
        *SCALARS.values(),
    ):
        for name in ("zeros", "ones", "empty", "eye", "identity", "tri", "indices"):
            yield Call(f"numpy.{name}", ((2,) if name == "indices" else 2,), {"dtype": d})
        yield Call("numpy.full", (2, 1, d))
        yield Call("numpy.full", ((2, 4), x, d))
        for name in ("zeros_like", "ones_like", "empty_like"):
            yield Call(f"numpy.{name}", (x, d))
        yield Call("numpy.full_like", (array("float32", weak=True), 1, d))
        yield Call("numpy.arange", (3,), {"dtype": d})
        yield Call("numpy.arange", (1, 3, 2), {"dtype": d})
        for name in ("linspace", "logspace", "geomspace"):
            yield Call(f"numpy.{name}", (1, 2, 3), {"dtype": d})
        yield Call("numpy.linspace", (1, 2, 1), {"dtype": d, "retstep": True})
        yield Call("numpy.linspace", (1, 2, 0), {"dtype": d, "retstep": True})
        for value in (1, 2.5, True, [1, 2], [], x, [x, x], NumPyArray((2,), "float64"), array("float32", weak=True)):
            yield Call("numpy.asarray", (value, d))
        yield Call("numpy.array", (1.5, d))
        yield Call("numpy.array", ([1.5, x], d))
        yield Call("numpy.astype", (x, d))
        yield Call("numpy.astype", (1.5, d))
        yield Call("Array.astype", (x, d))
        yield Call("Array.view", (x, d))


def element_calls(x64: bool) -> Iterator[Call]:
    """Arrays of every dtype through everything that takes arrays."""
    for scalar, vector, matrix in zip(vectors(x64), vectors(x64, 3), vectors(x64, 2, 3)):
        if x64 and vector in vectors(False, 3) and vector.dtype not in ("bool", "int8", "uint32", "float32"):
            continue  # the mode does not change these
        for a in (scalar, vector, matrix):
            for name in ("zeros_like", "ones_like", "empty_like", "copy", "asarray", "array", "tril", "triu", "diag"):
                yield Call(f"numpy.{name}", (a,))
            for name in ("diagflat", "vander", "meshgrid"):
                yield Call(f"numpy.{name}", (a,))
            yield Call("Array.copy", (a,))
            yield Call("Array.view", (a,))
            yield Call("numpy.array", ([a],))
            yield Call("numpy.array", ([a, a],))
            yield Call("numpy.full_like", (a, 1))
            yield Call("numpy.full_like", (a, 1j))
            yield Call("numpy.full_like", (a, vector))
            yield Call("numpy.full", (3, a))
            yield Call("numpy.astype", (a, None))
            yield Call("numpy.asarray", (a, float32))
            yield Call("numpy.linspace", (a, 1))
            for num in (0, 1, 3):
                yield Call("numpy.linspace", (a, a, num), {"retstep": True})
                yield Call("numpy.linspace", (a, a, num, False, True))
                yield Call("numpy.logspace", (a, a, num))
                yield Call("numpy.geomspace", (a, a, num))
            yield Call("numpy.logspace", (1, 2, 3), {"base": a})
        yield Call("numpy.array", ([scalar, 1],))
        yield Call("numpy.array", ([scalar, 1.5],))
        yield Call("numpy.array", ([scalar, [1j]],))
        yield Call("numpy.eye", (3,), {"k": scalar})
        yield Call("numpy.vander", (vector, 2, True))
        yield Call("numpy.vander", (vector, 0))
        yield Call("numpy.vander", (vector, 300))
        yield Call("numpy.diag", (array(vector.dtype or "", 2, 2, weak=bool(vector.weak_type)),))
        yield Call("numpy.diag", (array(vector.dtype or "", 2, 2, weak=bool(vector.weak_type)), 1))
        yield Call("numpy.geomspace", (scalar, 1, 1, False))
        for d in SCALARS.values():
            yield Call("numpy.astype", (matrix, d))
            for a in (scalar, vector, array(vector.dtype or "", 2, 16, weak=bool(vector.weak_type))):
                yield Call("Array.view", (a, d))


def pair_calls(x64: bool) -> Iterator[Call]:
    """Pairs of dtypes, where the operands are promoted."""
    for a, b in itertools.product(vectors(x64), repeat=2):
        yield Call("numpy.array", ([a, b],))
        yield Call("numpy.linspace", (a, b, 2))
    floats = [
        a for a in vectors(x64) if a.dtype in ("int8", "int32", "float8_e5m2", "bfloat16", "float32", "complex64")
    ]
    for a, b in itertools.product(floats, repeat=2):
        yield Call("numpy.logspace", (a, b, 2))
        yield Call("numpy.geomspace", (a, b, 2))
        yield Call("numpy.logspace", (a, 2, 2), {"base": b})
        yield Call("numpy.full", (2, a, SCALARS[b.dtype or ""]))
        yield Call("numpy.full_like", (a, b))


def number_calls() -> Iterator[Call]:
    """Python scalars about the limits of the dtypes, into every dtype."""
    for value in NUMBERS:
        yield Call("numpy.asarray", (value,))
        yield Call("numpy.array", (value,), {"ndmin": 2})
        yield Call("numpy.array", ([value],))
        yield Call("numpy.array", ([value, 1.5],))
        yield Call("numpy.full", (2, value))
        yield Call("numpy.full_like", (array("int32", weak=True), value))
        yield Call("numpy.full_like", (array("float32", weak=True), value))
        yield Call("numpy.astype", (value, int8))
        yield Call("numpy.copy", (value,))
        yield Call("numpy.zeros_like", (value,))
        yield Call("numpy.linspace", (value, 1, 2))
        yield Call("numpy.tri", (3,), {"k": value})
        yield Call("numpy.eye", (3,), {"k": value})
        for name in CONSTRUCTORS:
            yield Call(f"numpy.{name}", (value,))
        for d in SCALARS.values():
            yield Call("numpy.full", (2, value, d))
            yield Call("numpy.array", ([value], d))
            yield Call("numpy.array", ([array("int8"), value], d))


def range_calls() -> Iterator[Call]:
    """Numbers given to `arange`."""
    numbers: tuple[Any, ...] = (
        0,
        1,
        -2,
        5,
        True,
        False,
        0.0,
        0.1,
        2.5,
        -0.3,
        1e10,
        INF,
        NAN,
        2**31,
        2**63,
        2**70,
        None,
    )
    for start, stop in itertools.product(numbers, repeat=2):
        yield Call("numpy.arange", (start, stop))
        for step in (1, -1, 0, 3, 0.1, -0.7, 0.0, True, INF, NAN, 2**70):
            if not (isinstance(step, float) and abs(step) < 1 and 2**31 in (start, stop)):
                yield Call("numpy.arange", (start, stop, step))
    for start in (*numbers, 1j, "a", [1], NumPyArray((2,), "int32"), slice(1)):
        yield Call("numpy.arange", (start,))
        yield Call("numpy.arange", (0, 3, start))
        yield Call("numpy.arange", (start,), {"dtype": "bfloat16"})
        yield Call("numpy.arange", (start, 3, 1), {"dtype": int8})
    for n in range(-3, 30):
        yield Call("numpy.arange", (0, 1, 1 / n if n else 1))
        yield Call("numpy.arange", (0.5, n / 3, 0.3))
        yield Call("numpy.arange", (n, 0, -0.7))
    bounds = (array("float32"), array("float32", 2), array("int8", 3, 1), 0, 1.5, [1], None)
    for a, b in itertools.product(bounds, repeat=2):
        for name in ("linspace", "logspace", "geomspace"):
            for axis in (0, 1, 2, -1, 5, None, 1.0):
                yield Call(f"numpy.{name}", (a, b), {"num": 2, "axis": axis})
            yield Call(f"numpy.{name}", (a, b), {"num": 1, "axis": 1})
        for num, endpoint in itertools.product((0, 1, 2, -1, True, 2.0, None, "a"), (True, False)):
            yield Call("numpy.linspace", (a, b, num, endpoint, True))
        yield Call("numpy.logspace", (a, 1, 4), {"base": b})
    for name in ("linspace", "logspace", "geomspace"):
        yield Call(f"numpy.{name}", (0, 1), {"num": 2, "axis": -3})
        yield Call(f"numpy.{name}", ("a", 1))


def list_calls() -> Iterator[Call]:
    """Nested lists and tuples, with and without JAX's and NumPy's arrays in them."""
    x, y, n = array("int8", 2), array("float32", 3), NumPyArray((2,), "float64")
    empty = NumPyArray((0, 3), "float32")
    values: tuple[Any, ...] = (
        [], [[]], [[], []], [[], [1]], [[1], []], [[[]], []], (), [()], [1, 2], (1, 2.5), [True, False], [True, 2],
        [1, 2j], [[1, 2], [3, 4]], [[1, 2], [3]], [1, [2]], [[1], 2], [x, x], [x, [1, 2]], [x, [1, 2.5]], [x, [1]],
        [x, y], [x, 1], [x, n], [n, n], [n, [1, 2]], [n, 1], [[x, x], [[1, 2], n]], [[x], [x, x]], [[x], [1]],
        [x, [1, [2]]], [empty, empty], [empty, []], [empty, NumPyArray((0, 4), "float32")], [x, []],
        [array("int8", 0), []], [NumPyArray((), "float64"), 1], [NumPyArray((), "bool"), True], [array("int32"), 1],
        [array("float32", weak=True), 1], [array("int32", weak=True)], [array("bool"), True], None, [None], [x, None],
        [1, None], "a", ["a"], "float32", [1, "float32"], [1, "a"], slice(2), [...], int, float32, [float32], [int],
        [x, "a"], [array("float8_e5m2"), array("float16")], [array("float8_e5m2"), 1], [1, NAN], [NAN, INF], [2**31],
        [2**31, 1.0], [x, 300], [x, 2**31], [[x], [[1, 1j]]], NumPyArray((2, 3), "uint64"), NumPyArray((), "int64"),
        NumPyArray((2,), "bfloat16"), NumPyArray((2,), "bool"), 1, 1.5, True, 1j, array("float32"), array("int8", 2, 3),
    )  # fmt: skip
    for value in values:
        yield Call("numpy.array", (value,))
        yield Call("numpy.asarray", (value,))
        yield Call("numpy.float32", (value,))
        yield Call("numpy.int8", (value,))
        yield Call("numpy.complex64", (value,))
        yield Call("numpy.bool_", (value,))
        yield Call("numpy.copy", (value,))
        for d in (bool_, int8, "int4", float32, "bfloat16", complex64, int, float):
            if not isinstance(value, str):  # NumPy reads numbers out of strings
                yield Call("numpy.array", (value,), {"dtype": d})
        for ndmin in (0, 1, 3, -1, True):
            yield Call("numpy.array", (value,), {"ndmin": ndmin})
    for order in (None, "K", "C", "F", 1):
        yield Call("numpy.array", (1,), {"order": order})
        yield Call("numpy.asarray", ([1], None, order))
        yield Call("numpy.copy", (x, order))
    yield Call("numpy.array", (x, None, False, None, 3))
    yield Call("numpy.array", (x, None, False, "C", 3))
    yield Call("numpy.array", (x, None, True, "K", 3, 4))
    yield Call("numpy.astype", ([1], int8))
    yield Call("numpy.astype", (None, int8))
    yield Call("Array.view", (x, int8, int))
    yield Call("Array.astype", (y, int8, True))
    yield Call("numpy.astype", (y, int8), {"copy": True})


def matrix_calls() -> Iterator[Call]:
    """Matrices and grids: shapes, offsets, mistakes."""
    shapes = ((), (0,), (1,), (3,), (2, 3), (3, 2), (0, 2), (2, 2), (2, 3, 4))
    offsets: tuple[Any, ...] = (0, 1, -1, 4, -4, True, 1.5, None, "a", [1], 2**31, -(2**31), NumPyArray((2,), "int32"))
    for shape, k in itertools.product(shapes, offsets):
        for name in ("tril", "triu", "diag", "diagflat"):
            yield Call(f"numpy.{name}", (array("float32", *shape), k))
    for k in (*offsets, array("int8"), array("float32"), array("bool"), array("int8", 2), array("int8", 1), 1j, 2**70):
        yield Call("numpy.eye", (3, 4), {"k": k})
        yield Call("numpy.tri", (3, 4), {"k": k})
        yield Call("numpy.vander", (array("float32", 3), k))
    for name in ("tril", "triu", "diag", "diagflat", "vander", "meshgrid"):
        for value in ([1, 2], None, "a", 1, 2.5, NumPyArray((3,), "float64"), NumPyArray((2, 2), "int64"), 2**31):
            yield Call(f"numpy.{name}", (value,))
    x, y, z = array("float32", 2), array("int8", 3, weak=False), array("int32", 4, weak=True)
    for arrays in ((), (x,), (x, y), (x, y, z), (x, array("float32", 2, 2)), (x, 1), (x, None), (x, [1]), (y, y)):
        for sparse, indexing in itertools.product((False, True, 0, 1), ("xy", "ij", "ab", None, 3)):
            yield Call("numpy.meshgrid", arrays, {"sparse": sparse, "indexing": indexing})
        yield Call("numpy.meshgrid", arrays, {"copy": False})
    for dimensions in ((), (2,), (2, 3), (0, 2), [2, 3], (2, -1), 3, (2.0,), None, "ab", NumPyArray((2,), "int32")):
        for d, sparse in itertools.product((None, bool, float, complex64, "int1"), (False, True)):
            if not isinstance(dimensions, NumPyArray):
                yield Call("numpy.indices", (dimensions, d, sparse))


def calls() -> Iterator[Call]:
    """Fully known calls of every rule of the family, some of which raise."""
    families = (shape_calls(), list_calls(), matrix_calls(), range_calls(), dtype_calls(), number_calls())
    by_name: dict[str, list[Call]] = {}
    for call in itertools.chain(*families, element_calls(False)):
        by_name.setdefault(call.name, []).append(call)
    for many in by_name.values():
        yield from many[:: max(1, len(many) // 10)]


def check(calls: Iterator[Call], *, x64: bool, least: int, mode: Any = "standard") -> None:
    n, lines = differences(calls, x64=x64, mode=mode)
    print(f"{n} calls compared, {len(lines)} differ")
    assert not lines, "\n".join(lines[:40])
    assert n > least


@pytest.mark.parametrize("x64", [False, True])
def test_shapes(x64: bool) -> None:
    check(shape_calls(), x64=x64, least=500)


@pytest.mark.parametrize("x64", [False, True])
def test_dtype_arguments(x64: bool) -> None:
    check(dtype_calls(), x64=x64, least=2000)


@pytest.mark.parametrize("x64", [False, True])
def test_elements(x64: bool) -> None:
    check(element_calls(x64), x64=x64, least=2000)


@pytest.mark.parametrize("x64", [False, True])
def test_pairs(x64: bool) -> None:
    check(pair_calls(x64), x64=x64, least=2000)


def test_pairs_strictly() -> None:
    check(itertools.islice(pair_calls(False), 0, None, 3), x64=False, mode="strict", least=600)


@pytest.mark.parametrize("x64", [False, True])
def test_numbers(x64: bool) -> None:
    check(itertools.islice(number_calls(), 0, None, 1 + x64), x64=x64, least=3000)


@pytest.mark.parametrize("x64", [False, True])
def test_ranges(x64: bool) -> None:
    check(itertools.islice(range_calls(), 0, None, 1 + 2 * x64), x64=x64, least=1500)


@pytest.mark.parametrize("x64", [False, True])
def test_lists(x64: bool) -> None:
    check(list_calls(), x64=x64, least=1000)


@pytest.mark.parametrize("x64", [False, True])
def test_matrices(x64: bool) -> None:
    check(matrix_calls(), x64=x64, least=600)


def warning_calls() -> Iterator[Call]:
    """Calls that may ask for 64 bits."""
    for call in dtype_calls():
        asked = call.kwargs.get("dtype", call.args[-1])
        if asked in (int, float, complex, bool, "int", "uint", "i8", "=f8", "n", "complex") or (
            isinstance(asked, type) and asked in SCALARS.values()
        ):
            yield call
    for name in CONSTRUCTORS:
        for value in (1, [1, 2], array("int8", 2), array("float32", weak=True), NumPyArray((2,), "float64")):
            yield Call(f"numpy.{name}", (value,))
    given: tuple[Any, ...] = (NumPyArray((2,), "float64"), NumPyArray((), "int64"), 1, 1.5)
    for x in (*given, [given[0], given[1]]):
        yield Call("numpy.asarray", (x,))
        yield Call("numpy.array", (x,), {"ndmin": 3})
    for x in given:
        for operation in ("zeros_like", "copy", "diagflat", "result_type"):
            yield Call(f"numpy.{operation}", (x,))
        yield Call("numpy.full_like", (x, 1))
        yield Call("numpy.full", (2, x))
        yield Call("numpy.astype", (x, None))
        yield Call("numpy.linspace", (x, x))
    for a in ("int64", "f8", "complex", "int32", "uint", float, int, float64, NumPyArray((2,), "float64"), None):
        yield Call("numpy.result_type", (a, 1))
        if not isinstance(a, NumPyArray):
            yield Call("numpy.promote_types", (a, "int8"))
            yield Call("numpy.can_cast", (a or "float", "int8"))
            yield Call("numpy.isdtype", (a, "numeric"))
            yield Call("numpy.dtype", (a,))


def test_a_rule_warns_of_64_bits_just_where_jax_does(monkeypatch: pytest.MonkeyPatch) -> None:
    jax.clear_caches()  # type: ignore[no-untyped-call]  # a traced function does not warn again, so each call comes once
    messages: list[str] = []
    monkeypatch.setattr(warnings, "warn", lambda message, *args, **kwargs: messages.append(str(message)))
    n = warned = 0
    lines = []
    for call in {str(c): c for c in warning_calls()}.values():
        messages.clear()
        if isinstance(jax_says(call), Raised):
            continue
        theirs = any("Explicitly requested dtype" in m for m in messages)
        outcome = evaluate(call.name, (JaxPromotion(),), call.args, call.kwargs)
        ours = any(w.code == "array-x64" for w in outcome.warnings)
        n, warned = n + 1, warned + theirs
        if ours != theirs:
            lines.append(f"{call}: jax {'warns' if theirs else 'does not warn'}")
        assert not evaluate(call.name, (JaxPromotion(x64=True),), call.args, call.kwargs).warnings
    print(f"{n} calls compared, {warned} warn, {len(lines)} differ")
    assert not lines, "\n".join(lines[:40])
    assert n > 1000
    assert warned > 150


N = SymbolicDim("n")
PARTLY_KNOWN: tuple[tuple[Call, ShapedArray], ...] = (
    (Call("numpy.zeros", (UNKNOWN,)), ShapedArray(None, "float32", False)),
    (Call("numpy.zeros", ((2, UNKNOWN),)), ShapedArray((2, None), "float32", False)),
    (Call("numpy.zeros", ((Scalar("int"), N), UNKNOWN)), ShapedArray((None, N), None)),
    (Call("numpy.zeros", (N,)), ShapedArray((N,), "float32", False)),
    (Call("numpy.zeros", (NumPyArray((2,), "int64"),)), ShapedArray((None, None), "float32", False)),
    (Call("numpy.full", ((UNKNOWN, 3), array("int8", 2, 1))), ShapedArray((2, 3), "int8", False)),
    (Call("numpy.eye", (N,)), ShapedArray((N, N), "float32", False)),
    (Call("numpy.arange", (N,)), ShapedArray((N,), "int32", False)),
    (Call("numpy.arange", (0, N)), ShapedArray((N,), "int32", False)),
    (Call("numpy.arange", (1, N)), ShapedArray((max_dim(add_dims((N, -1)), 0),), "int32", False)),
    (Call("numpy.arange", (Scalar("int"), 2.5)), ShapedArray((None,), "float32", False)),
    (Call("numpy.arange", (1, UNKNOWN), {"dtype": int8}), ShapedArray((None,), "int8", False)),
    (Call("numpy.linspace", (0, 1, Scalar("int"))), ShapedArray((None,), "float32", False)),
    (Call("numpy.array", ([Scalar("int"), Scalar("float")],)), ShapedArray((2,), "float32", False)),
    (Call("numpy.array", ([UNKNOWN, array("int8", 3)],)), ShapedArray((2, 3), None)),
    (Call("numpy.array", ([ShapedArray((None, 2), "int8"), [[1, 2]] * 3],)), ShapedArray((2, 3, 2), "int8", False)),
    (Call("numpy.float32", (UNKNOWN,)), ShapedArray(None, "float32", False)),
    (Call("Array.astype", (ShapedArray(None, None), int8)), ShapedArray(None, "int8", False)),
    (Call("numpy.diag", (ShapedArray((N,), "int8", True),)), ShapedArray((N, N), "int8", True)),
)


@pytest.mark.parametrize(("call", "result"), PARTLY_KNOWN, ids=str)
def test_what_is_known_of_the_arguments_is_known_of_the_result(call: Call, result: ShapedArray) -> None:
    assert rule_says(call) == result


def value_of(call: Call) -> Any:
    return evaluate(call.name, (JaxPromotion(),), call.args, call.kwargs).value.value


def test_an_array_made_of_a_python_scalar_holds_its_value() -> None:
    assert value_of(Call("numpy.asarray", (2,))) == 2
    assert value_of(Call("numpy.int16", (1,))) == 1
    assert value_of(Call("numpy.int8", (2.7,))) == 2
    assert value_of(Call("numpy.float32", (0.5,))) == 0.5
    assert value_of(Call("numpy.bool_", (3,))) is True
    assert value_of(Call("numpy.int4", (100,))) is None  # it wraps
    assert value_of(Call("numpy.float32", (0.1,))) is None  # it is rounded
    assert value_of(Call("numpy.array", ([2],))) is None
    assert value_of(Call("numpy.array", (2,), {"ndmin": 1})) is None
    assert value_of(Call("numpy.asarray", (Scalar("int"),))) is None
    assert value_of(Call("Array.astype", (ShapedArray((), "int32", True, 7), int8))) == 7


@pytest.mark.parametrize("x64", [False, True])
def test_held_values_are_what_the_array_holds(x64: bool) -> None:
    """Every value that a constructor's result is said to hold, read back from the array."""
    n = 0
    with jax.enable_x64(x64), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, value in itertools.product(SCALARS, NUMBERS):
            if name.startswith("float6") or name in ("int1", "uint1"):  # XLA does not run these
                continue
            outcome = evaluate(f"numpy.{name}", (JaxPromotion(x64=x64),), (value,), {})
            if outcome.error is None and outcome.value.value is not None:
                held = outcome.value.value
                made = np.asarray(getattr(jnp, name)(value)).item()
                assert type(made) is type(held), (name, value)
                assert made == held, (name, value)
                n += 1
    assert n > 250


def test_numpy_scalars_as_static_arguments() -> None:
    one = NumPyArray((), "int64")
    for call in (
        Call("numpy.zeros", (one,)),
        Call("numpy.zeros", ((one, 2),)),
        Call("numpy.eye", (3, one), {"k": one}),
        Call("numpy.tri", (one,)),
        Call("numpy.diag", (array("float32", 3), one)),
        Call("numpy.diagflat", (array("float32", 3), one)),
        Call("numpy.tril", (array("float32", 3, 3), one)),
        Call("numpy.vander", (array("float32", 3), one)),
        Call("numpy.arange", (one, 3)),
        Call("numpy.linspace", (0, 1, one)),
        Call("numpy.indices", ((one, 2),)),
    ):
        assert describes(rule_says(call), jax_says(call)), call


@pytest.mark.parametrize(
    "call",
    [
        Call("numpy.arange", (array("int32"),)),
        Call("numpy.arange", (array("float32"), array("int32"), 1)),
        Call("numpy.zeros", (array("int32"),)),
        Call("numpy.zeros", (array("int32", 2),)),
        Call("numpy.zeros", ((array("int8"), 2),)),
        Call("numpy.linspace", (0, array("float32", 2), array("int32"))),
        Call("numpy.diag", (array("float32", 2, 3), array("int32"))),
    ],
    ids=str,
)
def test_arrays_as_static_arguments_outside_jit(call: Call) -> None:
    """Eagerly JAX reads the number in the array; traced it raises, which a rule cannot know."""
    concrete = jax_says(call, eager=True)
    assert isinstance(concrete, ShapedArray)
    assert describes(rule_says(call), concrete)


def test_every_rule_of_the_family_is_compared() -> None:
    modules = ("creation", "ranges", "conversion", "diagonals", "grids")
    rules = {n for n, r in RULES.items() if r.function.__module__.rpartition(".")[2] in modules}
    assert {c.name for c in calls()} >= rules
