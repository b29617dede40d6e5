"""The rules of polynomials, covariances, packed bits, equality, windows and samples, against JAX."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from typing import Any

import pytest
from oracle import Call, array, differences_of_whole, elements
from rule_families import a_few_of_each, parameters_of_both

from arraytyping.semantics.avals import NumPyArray, ShapedArray
from arraytyping.semantics.rules import covariances, equality, packing, polynomials, sampling, window_shapes
from arraytyping.semantics.rules.registry import RULES

FAMILIES = {m.__name__ for m in (covariances, equality, packing, polynomials, sampling, window_shapes)}
NAMES = sorted(n for n, r in RULES.items() if r.function.__module__ in FAMILIES)
F, I, C, U = "float32", "int32", "complex64", "uint8"
PYTHON: tuple[Any, ...] = (2, 2.5, 1j, True, None, "a", NumPyArray((3,), "float64"), NumPyArray((2,), "int8"))
WINDOWS = ("bartlett", "blackman", "hamming", "hanning")


def _polynomials() -> Iterator[Call]:
    operands = (
        array(F, 3),
        array(F, 1),
        array(F, 0),
        array(F, weak=True),
        array(F, 2, weak=True),
        array(I, 4),
        array("bool", 2),
        array(C, 2),
        array("bfloat16", 2),
        array("int4", 3),
        array(F, 3, 2),
        array("uint8", 2),
        2.0,
        None,
    )
    for a, b in product(operands, operands):
        for name in ("polyadd", "polysub", "polymul", "polydiv", "polyval"):
            if name != "polydiv" or not any(isinstance(x, ShapedArray) and len(x.shape or ()) > 1 for x in (a, b)):
                yield Call(f"numpy.{name}", (a, b))
    for x in operands:
        for unroll in (1, 0, True, [1]):
            yield Call("numpy.polyval", (array(F, 3), x), {"unroll": unroll})
        for m in (0, 1, 2, 5, -1, 1.5, None, [1], True):
            yield Call("numpy.polyder", (x, m))
            yield Call("numpy.polyint", (x, m))
        for k in (1, 2.5, 1j, array(F, 1), array(F, 2), array(I, 3), array(C), [1.0, 2.0]):
            yield Call("numpy.polyint", (x, 2, k))
        yield Call("numpy.poly", (x,))
    for shape in ((2, 3), (0, 0), (0, 2), (2, 2, 2)):
        yield Call("numpy.poly", (array(F, *shape),))


def _fits() -> Iterator[Call]:
    ys = (
        array(F, 5),
        array(F, 5, 2),
        array(F, 4),
        array(I, 5),
        array(F, 5, weak=True),
        array(C, 5),
        array(F),
        array(F, 1, 5, 1),
    )
    for x in (
        array(F, 5),
        array("bfloat16", 5),
        array(I, 5),
        array(F, 5, weak=True),
        array(F, 5, 1),
        array(F, 0),
        array(F),
    ):
        for y in ys:
            yield Call("numpy.polyfit", (x, y, 2))
            yield Call("numpy.polyfit", (x, y, 1), {"rcond": 1e-3, "full": True})
            yield Call("numpy.polyfit", (x, y, 1), {"cov": True, "w": array(F, 5)})
    x, y = array(F, 5), array(F, 5)
    for deg in (0, -1, 4, 7, None, "a", [1]):
        yield Call("numpy.polyfit", (x, y, deg))
        yield Call("numpy.polyfit", (x, y, deg), {"cov": True})
        yield Call("numpy.polyfit", (x, y, deg), {"cov": "unscaled"})
    for w in (array(I, 5), array("bfloat16", 5), array(F, 4), array(F, 5, 1), array(F, 5, weak=True), array(C, 5)):
        for more in ({}, {"full": True}, {"cov": "unscaled"}, {"cov": True}):
            yield Call("numpy.polyfit", (x, array(F, 5, 3), 1), {"w": w, **more})
            yield Call("numpy.polyfit", (array("bfloat16", 5), y, 1), {"w": w, **more})


def _covariances() -> Iterator[Call]:
    operands = (
        array(F, 2, 3),
        array(F, 3),
        array(F, 1, 3),
        array(F),
        array(F, 0, 3),
        array(F, 3, 0),
        array(F, 2, 2, 2),
        array(I, 2, 3),
        array(C, 2, 3),
        array("bfloat16", 3, 2),
        array("bool", 2, 3),
        array(F, 2, 3, weak=True),
        array("int4", 2, 3),
        2.0,
    )
    weighted: tuple[dict[str, Any], ...] = (
        {"fweights": array(I, 3)},
        {"fweights": array("uint8", 3), "ddof": 0},
        {"aweights": array(F, 3)},
        {"aweights": array("bfloat16", 3), "bias": True},
        {"fweights": array(I, 3), "aweights": array(F, 3)},
        {"fweights": array(F, 3)},
        {"fweights": array(I)},
        {"aweights": array(F, 3, 1)},
        {"aweights": array(F, 2)},
        {"fweights": array(I, 3), "aweights": array("int8", 3), "ddof": 2},
        {"fweights": array("int4", 3)},
        {"aweights": array(F, 3, weak=True)},
        {"aweights": array(C, 3)},
    )
    for x in operands:
        for y in (None, array(F, 3), array(F, 2, 3), array(C, 1, 3), array(F, 3, 2), array(I, 3), array(F, 1, 1, 1)):
            for rowvar in (True, False):
                yield Call("numpy.cov", (x, y, rowvar))
                yield Call("numpy.corrcoef", (x, y, rowvar))
        for dtype in ("float16", "bfloat16", "int32", float, "complex64", "bool", complex, int):
            yield Call("numpy.cov", (x,), {"dtype": dtype})
            yield Call("numpy.corrcoef", (x,), {"dtype": dtype})
            yield Call("numpy.cov", (x,), {"dtype": dtype, "aweights": array(F, 3)})
        for more in weighted:
            yield Call("numpy.cov", (x,), more)
        for ddof in (0, 1, 5, 1.5, True):
            yield Call("numpy.cov", (x,), {"ddof": ddof})
        yield Call("numpy.cov", (x,), {"bias": True})
        yield Call("numpy.cov", (x,), {"bias": True, "rowvar": 0})


def _bits() -> Iterator[Call]:
    for dtype, shape in product(("uint8", "bool", I, F), ((), (0,), (3,), (16,), (2, 9), (2, 0, 3))):
        x = array(dtype, *shape)
        for axis in (None, 0, 1, -1, 5, 1.0, (0,), [0]):
            yield Call("numpy.packbits", (x, axis))
            for count in (None, 0, 5, 100, -1, -20, 1.5):
                yield Call("numpy.unpackbits", (x, axis, count))
        for order in ("little", "big", "x", None):
            yield Call("numpy.packbits", (x,), {"bitorder": order})
            yield Call("numpy.unpackbits", (x,), {"bitorder": order})
    for value in PYTHON:
        yield Call("numpy.packbits", (value,))
        yield Call("numpy.unpackbits", (value,))


def _equalities() -> Iterator[Call]:
    operands = (
        array(F, 3),
        array(F, 2),
        array(F),
        array(I, 3),
        array(C, 3),
        array("bool", 3),
        array(F, 2, 3),
        array("int4", 3),
        array("bfloat16", 3),
        array("float8_e4m3fn", 3),
        array(F, 3, weak=True),
        *PYTHON,
        [1, 2, 3],
    )
    for a, b in product(operands, operands):
        yield Call("numpy.allclose", (a, b))
        yield Call("numpy.array_equal", (a, b))
        yield Call("numpy.array_equal", (a, b, True))
        yield Call("numpy.array_equiv", (a, b))
    for tolerance in (1e-3, array(F), array(F, 3), 1, 1j, None):
        yield Call("numpy.allclose", (operands[0], operands[0], tolerance))
        yield Call("numpy.allclose", (operands[0], operands[0]), {"atol": tolerance, "equal_nan": True})


def _windows() -> Iterator[Call]:
    for size in (0, 1, 2, 7, -1, 3.5, None, "a", True, [3]):
        for name in WINDOWS:
            yield Call(f"numpy.{name}", (size,))
        for beta in (2, 2.5, array(F), array(I), array("bfloat16"), array(F, weak=True), array(F, 2), array(C), None):
            yield Call("numpy.kaiser", (size, beta))


def _samples() -> Iterator[Call]:
    vectors = (
        array(F, 5),
        array(F, 3),
        array(F, 1),
        array(F, 0),
        array(F, 2, weak=True),
        array(I, 3),
        array("bool", 4),
        array(C, 3),
        array("bfloat16", 3),
        array("int4", 3),
        array("uint8", 2),
        array(F, 2, 2),
        2.0,
        None,
    )
    for a, v in product(vectors, vectors):
        for name in ("convolve", "correlate"):
            for mode in ("full", "same", "valid"):
                yield Call(f"numpy.{name}", (a, v, mode))
            for preferred in (F, "bfloat16", C):
                yield Call(f"numpy.{name}", (a, v), {"preferred_element_type": preferred})
    for name in ("convolve", "correlate"):
        for more in ({"precision": "highest"}, {"precision": "x"}, {"mode": "x"}, {"mode": None}):
            yield Call(f"numpy.{name}", (vectors[0], vectors[1]), more)
    for x, xp, fp in product(
        (*vectors, array(F)), (array(F, 3), array(I, 3), array("bfloat16", 3), array(F, 3, weak=True)), vectors
    ):
        yield Call("numpy.interp", (x, xp, fp))
    x, xp, fp = array(F, 2, 2), array(F, 3), array(F, 3)
    for end in (1, 2.5, array(C), array("bfloat16"), "extrapolate", "x", array(F, 2, 2), array(F, 3)):
        yield Call("numpy.interp", (x, xp, fp, end))
        yield Call("numpy.interp", (array(F, 2, 2, weak=True), array(F, 3, weak=True), fp), {"right": end})
        yield Call("numpy.interp", (x, xp, array(I, 3, weak=True)), {"left": "extrapolate", "right": end})
        if not isinstance(end, str):
            for at in (x, array("bfloat16", 4), array(F, weak=True), array(I, 2)):
                yield Call("numpy.interp", (at, xp, fp), {"period": end})
                yield Call("numpy.interp", (at, array("bfloat16", 3), array(C, 3)), {"period": end, "left": 1.0})


def _integrals() -> Iterator[Call]:
    ys = (
        array(F, 5),
        array(F, 1),
        array(F, 2, 3),
        array(I, 4),
        array(F, 3, weak=True),
        array(C, 3),
        array("bfloat16", 3),
        array("bool", 3),
        array("int4", 3),
        array(F, 3, 2, 4),
        array(F, 5, 1),
    )
    for y in ys:
        for dx in (
            1.0,
            2,
            1j,
            array(F),
            array("bfloat16"),
            array(F, 4, weak=True),
            array(F, 1),
            array(F, 2),
            array(F, 2, 3),
        ):
            yield Call("numpy.trapezoid", (y,), {"dx": dx})
            yield Call("numpy.trapezoid", (y, None, dx, 0))
        for x in (
            array(F, 5),
            array(F, 3),
            array(I, 3),
            array("bfloat16", 4),
            array(F, 2, 3),
            array(F, 3, 2, 4),
            array(F, 2),
        ):
            yield Call("numpy.trapezoid", (y, x))
            yield Call("numpy.trapezoid", (y, x), {"axis": 0})
        for axis in (1, -2, 5, [0], None, 1.0):
            yield Call("numpy.trapezoid", (y,), {"axis": axis})


GROUPS = (_polynomials, _fits, _covariances, _bits, _equalities, _windows, _samples, _integrals)


def by_dtype(x64: bool) -> Iterator[Call]:
    every = elements(x64)
    for (dtype, weak), other in product(every, (None, F, "int8", "bfloat16", *(("float64",) if x64 else ()))):
        x = ShapedArray((3,), dtype, weak)
        y = x if other is None else array(other, 3)
        for name in (
            "polyadd",
            "polysub",
            "polymul",
            "polydiv",
            "polyval",
            "polyint",
            "polyfit",
            "cov",
            "corrcoef",
            "convolve",
            "correlate",
            "allclose",
            "array_equal",
            "array_equiv",
            "trapezoid",
        ):
            yield Call(f"numpy.{name}", (x, y, 1) if name == "polyfit" else (x, 3, y) if name == "polyint" else (x, y))
        yield Call("numpy.interp", (x, y, y))
        yield Call("numpy.interp", (y, y, x))
    for dtype, weak in every:
        x, matrix = ShapedArray((3,), dtype, weak), ShapedArray((2, 3), dtype, weak)
        for name in ("polyder", "polyint", "poly", "packbits", "unpackbits"):
            yield Call(f"numpy.{name}", (x,))
        yield Call("numpy.cov", (matrix,))
        yield Call("numpy.cov", (matrix,), {"aweights": array(F, 3)})
        yield Call("numpy.cov", (array(F, 2, 3),), {"aweights": x, "fweights": array(I, 3)})
        yield Call("numpy.cov", (array(F, 2, 3),), {"fweights": x})
        yield Call("numpy.corrcoef", (matrix,))
        yield Call("numpy.kaiser", (5, ShapedArray((), dtype, weak)))
        yield Call("numpy.trapezoid", (matrix,))
        yield Call("numpy.trapezoid", (array(F, 3),), {"dx": ShapedArray((), dtype, weak)})
        yield Call("numpy.interp", (array(F, 3), x, x), {"period": ShapedArray((), dtype, weak)})
        yield Call("numpy.polyfit", (array(F, 3), array(F, 3), 1), {"w": x, "cov": True})


LEAST = 2000


@cache
def every_call() -> tuple[Call, ...]:
    """The calls of all groups."""
    return tuple(call for group in GROUPS for call in group())


def calls() -> tuple[Call, ...]:
    """The calls of each rule that are tried with unknown parts."""
    return a_few_of_each(NAMES, every_call())


@pytest.mark.parametrize("group", GROUPS, ids=lambda g: g.__name__)
def test_calls(group: Callable[[], Iterator[Call]]) -> None:
    count, lines = differences_of_whole(group())
    print(f"{group.__name__}: {count} calls compared, {len(lines)} differ")
    assert lines == []
    assert count > 100


@pytest.mark.parametrize("x64", [False, True])
def test_every_dtype(x64: bool) -> None:
    count, lines = differences_of_whole(by_dtype(x64), x64=x64)
    print(f"{count} calls compared, {len(lines)} differ")
    assert lines == []
    assert count > LEAST


@pytest.mark.parametrize("name", NAMES)
def test_signature(name: str) -> None:
    ours, real = parameters_of_both(name)
    assert ours == real
