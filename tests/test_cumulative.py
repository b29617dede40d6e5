"""Cumulative functions, differences, arg-reductions, sorting, norms and traces, against JAX."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from oracle import Call, array, differences, elements

from arraytyping.scalars import DTYPES, SCALARS, bool_, complex64, float16, float32, float64, int8, int64
from arraytyping.semantics.avals import NumPyArray

CUMULATIVE = ("numpy.cumsum", "numpy.cumprod", "numpy.nancumsum", "numpy.nancumprod", "Array.cumsum", "Array.cumprod")
STANDARD = ("numpy.cumulative_sum", "numpy.cumulative_prod")
ARG = ("numpy.argmax", "numpy.argmin", "numpy.nanargmax", "numpy.nanargmin", "Array.argmax", "Array.argmin")
SORT = ("numpy.sort", "numpy.argsort", "Array.sort", "Array.argsort")
NORMS = ("numpy.linalg.norm", "numpy.linalg.vector_norm", "numpy.linalg.matrix_norm")
TRACES = ("numpy.trace", "Array.trace", "numpy.linalg.trace")
NAMES = (*CUMULATIVE, *STANDARD, *ARG, *SORT, *NORMS, *TRACES, "numpy.diff")

MATRIX = array("float32", 2, 3)
CUBE = array("float16", 2, 3, 4)
ORDERS = (None, 1, -1, 2, -2, 3, 0, 2.5, math.inf, -math.inf, "fro", "nuc", "f", "inf")


def check(calls: Iterator[Call], at_least: int, *, x64: bool = False, mode: Any = "standard") -> None:
    n, lines = differences(calls, x64=x64, mode=mode)
    print(f"{n} calls compared, {len(lines)} differ")
    assert lines == []
    assert n >= at_least


def along(name: str) -> dict[str, Any]:
    """An axis where the function needs or takes one."""
    return {} if name in TRACES or name == "numpy.linalg.matrix_norm" else {"axis": 0}


@pytest.mark.parametrize(("mode", "x64"), [("standard", False), ("standard", True), ("strict", True)])
def test_every_dtype(mode: str, x64: bool) -> None:
    check(
        (
            Call(name, (array(dtype, 2, 3, weak=weak),), along(name))
            for name, (dtype, weak) in product(NAMES, elements(x64))
        ),
        700,
        x64=x64,
        mode=mode,
    )


@pytest.mark.parametrize("x64", [False, True])
def test_every_dtype_as_every_dtype(x64: bool) -> None:
    asked = (*(SCALARS[d] for d in DTYPES), bool, int, float, complex)
    check(
        (
            Call("numpy.cumsum", (array(dtype, 2, weak=weak),), {"dtype": wanted})
            for (dtype, weak), wanted in product(elements(x64), asked)
        ),
        1000,
        x64=x64,
    )


@pytest.mark.parametrize("name", [*CUMULATIVE[1:4], *STANDARD, "numpy.trace", "numpy.argsort"])
def test_some_dtypes_as_every_dtype(name: str) -> None:
    some = ("bool", "uint4", "int1", "int32", "bfloat16", "complex64")
    asked = (*(SCALARS[d] for d in DTYPES), bool, int, float, complex, "f4", "no dtype", list)
    shape = (2, 2) if name in TRACES else (2,)
    check((Call(name, (array(d, *shape),), {"dtype": w}) for d, w in product(some, asked)), 200)


SHAPES = [(), (1,), (3,), (0,), (2, 3), (0, 3), (2, 0), (2, 3, 4)]
AXES = (None, 0, -1, 1, 2, 3, -4, (), (0,), (0, 1), (0, -1), (2, 0), (1, 1), True, [0], [0, 1], 1.5, (0, 1.5))


@pytest.mark.parametrize("name", [*CUMULATIVE, *STANDARD, *ARG, *SORT, "numpy.diff"])
def test_axes_and_shapes(name: str) -> None:
    flag = "include_initial" if name in STANDARD else "keepdims" if name in ARG else None
    check(
        (
            Call(name, (array("float32", *shape),), {"axis": axis, **({flag: set_} if flag else {})})
            for shape, axis, set_ in product(SHAPES, AXES, (False, True) if flag else (False,))
        ),
        100,
    )


@pytest.mark.parametrize("name", NORMS[:2])
def test_axes_and_shapes_of_norms(name: str) -> None:
    def calls() -> Iterator[Call]:
        for shape, axis, order in product(SHAPES[2:], AXES, (None, 1, -1, -math.inf, -2)):
            yield Call(name, (array("float32", *shape),), {"axis": axis, "ord": order})
        for axis, every in product(AXES, ORDERS):
            yield Call(name, (array("float32", 2, 3, 4),), {"axis": axis, "ord": every, "keepdims": True})

    check(calls(), 700)


def norms() -> Iterator[Call]:
    """Norms of every order and many dtypes."""
    some = ("bool", "uint1", "uint2", "uint4", "uint16", "int1", "int2", "int4", "int8", "int32", "float8_e5m2",
            "bfloat16", "float32", "complex64")  # fmt: skip
    for order, dtype in product((*ORDERS, True, 0.0, 1.0), some):
        yield Call("numpy.linalg.norm", (array(dtype, 3), order))
        yield Call("numpy.linalg.norm", (array(dtype, 2, 3), order, None, True))
        yield Call("numpy.linalg.norm", (array(dtype, 4, 2, 3),), {"ord": order, "axis": (0, -1)})
        yield Call("numpy.linalg.matrix_norm", (array(dtype, 4, 2, 3),), {"ord": order})
        yield Call("numpy.linalg.vector_norm", (array(dtype, 2, 3),), {"ord": order, "axis": -1, "keepdims": True})
    for x in (array("float32"), array("float32", 3), None, [1.0], 2.0):
        yield Call("numpy.linalg.matrix_norm", (x,))
        yield Call("numpy.linalg.norm", (x, 2))
        yield Call("numpy.linalg.vector_norm", (x,))
    yield Call("numpy.linalg.norm", (MATRIX, [1]))
    yield Call("numpy.linalg.norm", (MATRIX,), {"keepdims": []})
    yield Call("numpy.linalg.vector_norm", (MATRIX,), {"keepdims": [1]})


def traces() -> Iterator[Call]:
    """Traces of several diagonals, right and wrong."""
    for name, shape in product(TRACES[:2], ((2, 2), (2, 3, 4), (3,), (), (0, 2))):
        for a, b in ((0, 1), (1, 0), (-1, 0), (-1, -2), (0, 0), (-1, 2), (0, 3), (True, 0), (0, None), (0, (1,))):
            yield Call(name, (array("int8", *shape),), {"axis1": a, "axis2": b})
    for name, offset in product(TRACES, (1, -5, True, 1.5, None, "1", array("int32"), array("float32"), [1])):
        yield Call(name, (array("int16", 2, 3),), {"offset": offset})
    for name in TRACES[:2]:
        yield Call(name, (MATRIX,), {"out": MATRIX})
        yield Call(name, (array("int16", 2, 3, 4), 0, 1, 2, float32))
    yield Call("numpy.linalg.trace", (array("int16", 2, 3, 4),), {"dtype": float16})
    yield Call("numpy.linalg.trace", (array("int16", 2),))
    yield Call("numpy.trace", (3,))


def differences_of() -> Iterator[Call]:
    """Calls of diff."""
    some = (array("int8", 3), array("bool", 2, 3), array("bool"), array("float32", 2, weak=True))
    for n, x in product((0, 1, 2, 5, -1, True, None, 1.5, "1", [1]), some):
        yield Call("numpy.diff", (x, n))
    parts = (0, 1.5, True, 1j, array("int16"), array("float32", 1), array("float32", 2, 1), array("float32", 2, 3),
             array("float32", 1, 3), array("float32", 4, 2), array("int8", 1, weak=True), [1], None,
             NumPyArray((2,), "float64"))  # fmt: skip
    for x, part in product((array("int32", 3), array("float16", 2, 3), array("bool", 2, 3), array("int8", 2),
                            array("int32", 2, weak=True), array("uint8", 3)), parts):  # fmt: skip
        yield Call("numpy.diff", (x,), {"prepend": part})
        yield Call("numpy.diff", (x,), {"append": part, "axis": 0})
        yield Call("numpy.diff", (x, 2), {"append": part, "prepend": 2})
        yield Call("numpy.diff", (x, 0), {"append": part})


def arguments() -> Iterator[Call]:
    """Calls with the other arguments, right ones and wrong ones."""
    for name, x in product((*CUMULATIVE[:4], *STANDARD, *ARG[:4], *SORT[:2], "numpy.diff"),
                           (None, [1], (1,), 1, 2.5, True, 1j, NumPyArray((2,), "float64"),
                            NumPyArray((), "int64"), "text")):  # fmt: skip
        yield Call(name, (x,))
        yield Call(name, (x,), {"axis": 0})
    for name, dtype, weak in product(CUMULATIVE, ("float32", "int32"), (False, True)):
        for axis in (0, -1, 1, None):
            yield Call(name, (array(dtype, weak=weak), axis))
        yield Call(name, (MATRIX, 0, None, MATRIX))
    for name in ARG:
        yield Call(name, (MATRIX, 0, MATRIX))
        for keepdims in (None, 0, 1, [], [1]):
            yield Call(name, (MATRIX,), {"keepdims": keepdims})
    extras: list[dict[str, Any]] = [{"kind": "stable"}, {"order": "f"}, {"stable": False}, {"descending": True},
                                    {"kind": None, "order": None}, {"kind": [1]}, {"stable": []}]  # fmt: skip
    for name, extra in product(SORT, extras):
        yield Call(name, (CUBE,), extra)
    for name, axis, included, wanted in product(STANDARD, (None, 0, -1), (True, False, 1, None), (None, int8, float64)):
        yield Call(name, (array("int16", 3),), {"axis": axis, "include_initial": included, "dtype": wanted})
        yield Call(name, (CUBE,), {"axis": axis, "include_initial": included, "dtype": wanted})


@pytest.mark.parametrize("part", [arguments, norms, traces, differences_of], ids=lambda part: part.__name__)
@pytest.mark.parametrize("x64", [False, True])
def test_other_arguments(part: Any, x64: bool) -> None:
    check(iter([*part()][:: 3 if x64 else 1]), 40, x64=x64)


def test_strict_promotion() -> None:
    def calls() -> Iterator[Call]:
        yield from [*differences_of()][::2]
        for name, x in product(NAMES, (array("int8", 2, 2), array("int32", 2, 2, weak=True), array("complex64", 2, 2))):
            yield Call(name, (x,), along(name))

    check(calls(), 250, mode="strict")


def calls() -> Iterator[Call]:
    """A few hundred calls of every function, for properties that hold of all rules."""
    for name in NAMES:
        for x in (array("int8", 3), MATRIX, CUBE, array("bool", 2, 1), array("float32", 0, 3), array("uint8")):
            yield Call(name, (x,), along(name))
            yield Call(name, (x,))
        if along(name):
            yield Call(name, (array("int32", 2, 3, weak=True),), {"axis": -2})
            yield Call(name, (MATRIX,), {"axis": 2})
    for name in (*CUMULATIVE, *STANDARD, *TRACES, "numpy.argsort"):
        for dtype in (float32, float64, int8, int64, bool_, complex64, int, float):
            yield Call(name, (array("float16", 2, 3),), {"dtype": dtype, **along(name)})
    every: list[Call] = [*arguments(), *norms(), *traces(), *differences_of()]
    yield from every[::8]
    for axis, order in product((0, (0, 1), (1, 0), None, -1), ORDERS[::2]):
        yield Call("numpy.linalg.norm", (MATRIX,), {"axis": axis, "ord": order})
        yield Call("numpy.linalg.vector_norm", (array("int32", 2, 3),), {"axis": axis, "ord": order})


def test_calls_are_representative() -> None:
    made = list(calls())
    assert {c.name for c in made} >= set(NAMES)
    check(iter(made), 500, x64=True)
