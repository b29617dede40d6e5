"""Reductions, means, variances and quantiles, against JAX."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from oracle import Call, array, differences, elements

from arraytyping.scalars import DTYPES, SCALARS, bool_, complex64, float16, float32, float64, int8, int32, int64
from arraytyping.semantics.avals import NumPyArray, ShapedArray

SUMS = ("sum", "prod", "nansum", "nanprod")
EXTREMES = ("max", "min", "amax", "amin", "nanmax", "nanmin")
AVERAGES = ("mean", "nanmean", "average")
SPREADS = ("var", "std", "nanvar", "nanstd")
MEDIANS = ("median", "nanmedian")
FUNCTIONS = (*SUMS, *EXTREMES, *AVERAGES, *SPREADS, *MEDIANS, "all", "any", "ptp", "count_nonzero")
METHODS = ("sum", "prod", "max", "min", "mean", "var", "std", "all", "any", "ptp")
NAMES = (*(f"numpy.{f}" for f in FUNCTIONS), *(f"Array.{m}" for m in METHODS))
QUANTILES = ("quantile", "nanquantile", "percentile", "nanpercentile")
PYTHON = (bool, int, float, complex)

MATRIX = array("float32", 2, 3)
MASK = array("bool", 2, 3)


def check(calls: Iterator[Call], at_least: int, *, x64: bool = False, mode: Any = "standard") -> None:
    n, lines = differences(calls, x64=x64, mode=mode)
    print(f"{n} calls compared, {len(lines)} differ")
    assert lines == []
    assert n >= at_least


@pytest.mark.parametrize("x64", [False, True])
@pytest.mark.parametrize("mode", ["standard", "strict"])
def test_every_dtype(mode: str, x64: bool) -> None:
    def calls() -> Iterator[Call]:
        for name, (dtype, weak) in product(NAMES, elements(x64)):
            yield Call(name, (array(dtype, 2, 3, weak=weak),), {"axis": 0})
        for name, (dtype, weak) in product(QUANTILES, elements(x64)):
            yield Call(f"numpy.{name}", (array(dtype, 3, weak=weak), 0.5))
            yield Call(f"numpy.{name}", (array("float32", 3), array(dtype, weak=weak)))
        for name, (dtype, weak) in product(("sum", "prod"), elements(x64)):
            yield Call(f"numpy.{name}", (array(dtype, 2, 3, weak=weak),), {"promote_integers": False})

    if mode == "strict" and not x64:
        return  # one mode of x64 shows it
    check(calls(), 1000, x64=x64, mode=mode)


@pytest.mark.parametrize("x64", [False, True])
@pytest.mark.parametrize("name", ["sum", "prod", "mean", "var", "nanvar"])
def test_every_dtype_as_every_dtype(name: str, x64: bool) -> None:
    asked = (*(SCALARS[d] for d in DTYPES), *PYTHON)
    if name not in ("sum", "prod", "mean"):
        asked = asked[x64::3]
    n, lines = differences(
        (
            Call(f"numpy.{name}", (array(dtype, 2, weak=weak),), {"dtype": wanted})
            for (dtype, weak), wanted in product(elements(x64), asked)
        ),
        x64=x64,
    )
    print(f"{name}: {n} calls compared, {len(lines)} differ")
    assert lines == []
    assert n == len(elements(x64)) * len(asked) > 300


@pytest.mark.parametrize("name", ["std", "nanstd", "nanmean", "nansum", "nanprod"])
def test_some_dtypes_as_every_dtype(name: str) -> None:
    some = ("bool", "uint4", "int1", "int32", "bfloat16", "float32", "complex64")
    asked = (*(SCALARS[d] for d in DTYPES), *PYTHON, "float16", "f4", "no dtype", list, 1)
    check((Call(f"numpy.{name}", (array(d, 2),), {"dtype": w}) for d, w in product(some, asked)), 250)


SHAPES = [(), (3,), (0,), (2, 3), (0, 3), (1, 3), (2, 3, 4)]
AXES = (None, 0, -1, 1, 2, 3, -4, (), (0,), (0, 1), (0, -1), (2, 0), (1, 1), True, [0], [0, 1], 1.5, "0", (0, 1.5),
        ((0,), 1))  # fmt: skip


ALIKE = {"numpy.amax", "numpy.amin", "numpy.prod", "numpy.min", "numpy.nanprod", "numpy.nanmin", "numpy.any"}


@pytest.mark.parametrize("name", NAMES)
def test_axes_and_shapes(name: str) -> None:
    shapes = SHAPES[1::3] if name in ALIKE or name.startswith("Array") else SHAPES  # they share another's code in JAX
    check(
        (
            Call(name, (array("float32", *shape),), {"axis": axis, "keepdims": keepdims})
            for shape, axis, keepdims in product(shapes, AXES, (False, True))
            if axis != "0"  # the name of a mapped axis
        ),
        70,
    )


@pytest.mark.parametrize("name", ["numpy.mean", "numpy.nanmean", "numpy.nanvar", "numpy.sum"])
def test_axes_of_integers(name: str) -> None:
    check((Call(name, (array("int32", *s),), {"axis": a}) for s, a in product(SHAPES, AXES) if a != "0"), 100)


MASKS = [(2, 3), (3,), (2, 1), (1,), (), (4, 2, 3), (2,), (0,)]


@pytest.mark.parametrize("name", [*SUMS, "max", "nanmin", "mean", "nanmean", *SPREADS, "all"])
def test_masks(name: str) -> None:
    given = {"initial": 0} if name in EXTREMES else {}

    def calls() -> Iterator[Call]:
        for shape, mask in product(((2, 3), (1, 3), (3,), ()), MASKS):
            for axis, keepdims in ((None, False), (0, True), (-1, False)):
                where = array("bool", *mask)
                yield Call(
                    f"numpy.{name}",
                    (array("float32", *shape),),
                    {"axis": axis, "keepdims": keepdims, "where": where, **given},
                )
        for odd in (True, False, 1, None, "mask", [True], array("int32", 3), NumPyArray((3,), "bool")):
            yield Call(f"numpy.{name}", (array("int32", 3),), {"where": odd, **given})

    check(calls(), 100)


def arguments() -> Iterator[Call]:
    """Calls with the other arguments, right ones and wrong ones."""
    for name, x in product(("sum", "max", "nanmax", "nanprod"), (MATRIX, array("int8", 2), array("bool", 2))):
        for initial in (0, 1.5, 1j, 300, True, array("float32"), array("float32", 1), NumPyArray((), "float64"), [1]):
            yield Call(f"numpy.{name}", (x,), {"initial": initial})
        yield Call(f"numpy.{name}", (array("float32", 0, 3),), {"axis": 0, "initial": 0, "keepdims": True})
        yield Call(f"numpy.{name}", (x,), {"where": array("bool", 2, 1)})
        yield Call(f"numpy.{name}", (x,), {"initial": 0, "where": None})
    for name in ("sum", "max"):
        yield Call(f"Array.{name}", (MATRIX,), {"initial": array("float32", 2)})
    for name in FUNCTIONS:
        for odd in (None, [1, 2], (1,), 1, 2.5, True, 1j, NumPyArray((2,), "float64"), NumPyArray((), "int64"), "text"):
            yield Call(f"numpy.{name}", (odd,))
        for keepdims in (None, 0, 1, (), [], [True]):
            yield Call(f"numpy.{name}", (MATRIX,), {"keepdims": keepdims})
        if name not in ("count_nonzero", "average"):
            yield Call(f"numpy.{name}", (MATRIX,), {"out": MATRIX})
    for promote, dtype in product((True, False, None, 0), ("bool", "int8", "uint8", "int4", "int32", "float16")):
        yield Call("numpy.sum", (array(dtype, 3),), {"promote_integers": promote})
        yield Call("Array.prod", (array(dtype, 3),), {"promote_integers": promote, "dtype": int32})
    for name, promote in product(("sum", "prod"), (True, False)):
        yield Call(f"Array.{name}", (array("uint16", 2, 2), -1, None, None, True, None, None, promote))


def spreads() -> Iterator[Call]:
    """Calls of variances with what only they have."""
    means = (0.0, 1, array("float32"), array("float32", 1, 1), array("float32", 1, 3), array("int32", 2, 1),
             array("bool", 1, 1), array("complex64", 1, 3), array("float32", 3), array("float32", 4, 3), [1], "text",
             array("float32", 2, 3))  # fmt: skip
    counts = (0, 1, 1.5, 1j, True, None, array("int32"), array("float32"), array("float16"), array("int32", 3), [1])
    for name, x in product(SPREADS, (MATRIX, array("int32", 2, 3), array("complex64", 2, 3), array("float16", 1, 3))):
        for mean, axis in product(means, (None, 0)):
            yield Call(f"numpy.{name}", (x,), {"mean": mean, "axis": axis})
        for ddof in counts:
            yield Call(f"numpy.{name}", (x,), {"ddof": ddof, "axis": 0})
        yield Call(f"numpy.{name}", (x,), {"mean": 0, "axis": 5})
        yield Call(f"numpy.{name}", (x,), {"mean": 0, "axis": (0, 0)})
        yield Call(f"numpy.{name}", (x,), {"mean": array("float32", 2, 3), "where": MASK, "axis": 1, "keepdims": True})
    for name, ddof, correction in product(("numpy.var", "Array.std"), (0, 1, False, True, 0.0, None), counts):
        yield Call(name, (MATRIX,), {"ddof": ddof, "correction": correction})
    for mean in means:
        yield Call("numpy.var", (array("float32"),), {"mean": mean, "keepdims": True})


def averages() -> Iterator[Call]:
    """Calls of average with weights."""
    for x, w in product(((2, 3), (3,), ()), ((2, 3), (3,), (2,), (), (3, 2))):
        for axis, returned, keepdims in ((None, False, False), (0, True, False), (-1, False, True),
                                         ((0, 1), True, True), ((1, 0), 0, 0), (5, False, False),
                                         ([0], 1, None)):  # fmt: skip
            yield Call("numpy.average", (array("float32", *x), axis, array("int8", *w), returned, keepdims))
    for dtype, (other, weak) in product(("int32", "int1", "bfloat16", "float32", "complex64"), elements(False)):
        yield Call("numpy.average", (array(dtype, 3), None, array(other, 3, weak=weak), True))
    for weights in (1, 2.5, None, [1, 2], True):
        yield Call("numpy.average", (array("int32", 2),), {"weights": weights})
        yield Call("numpy.average", (3,), {"weights": weights})


def quantiles() -> Iterator[Call]:
    """Calls of quantiles."""
    methods = ("linear", "lower", "higher", "midpoint", "nearest", "inverted_cdf", "median", None, 1)
    fractions: list[Any] = [0.5, 1, True, 1j, array("float32", 4), array("float16", 2), array("float32", 1, 2),
                            array("int32"), array("uint1"), array("float8_e4m3"), array("complex64"),
                            array("float32", 0), [0.5], None]  # fmt: skip
    for name, method, q in product(("quantile", "nanpercentile"), methods, fractions):
        yield Call(f"numpy.{name}", (MATRIX, q), {"method": method})
    for name, q in product(("nanquantile", "percentile"), fractions):
        yield Call(f"numpy.{name}", (MATRIX, q), {"method": "inverted_cdf"})
    for name, dtype, q in product(QUANTILES, ("float16", "int32", "int1"), fractions[:6]):
        yield Call(f"numpy.{name}", (array(dtype, 3), q))
    for name, method in product(("quantile", "nanpercentile"), ("linear", "inverted_cdf")):
        for shape, axis, keepdims in product(SHAPES, (None, 0, (), (1, 0), (0, 0), 5, [0]), (False, True)):
            for q in (array("float32"),) if method == "linear" and keepdims else (array("float32", 5),):
                yield Call(
                    f"numpy.{name}",
                    (array("float32", *shape), q),
                    {"axis": axis, "keepdims": keepdims, "method": method},
                )
    for weights, axis in product((array("float32", 2, 3), array("int32", 3), array("float32", 2), array("complex64", 3),
                                  array("float16", 2, 3), array("float32", 3, 2), 1.0, [1]),
                                 (None, 0, 1, (0, 1), (1, 0))):  # fmt: skip
        for method in ("inverted_cdf", "linear"):
            yield Call(
                "numpy.quantile", (MATRIX, array("float32")), {"weights": weights, "axis": axis, "method": method}
            )
    for name in ("quantile", "percentile"):
        yield Call(f"numpy.{name}", (MATRIX, 0.5), {"overwrite_input": True})
        yield Call(f"numpy.{name}", (MATRIX, 0.5), {"out": MATRIX})
    for name in MEDIANS:
        yield Call(f"numpy.{name}", (MATRIX, 0, None, True))


@pytest.mark.parametrize("part", [arguments, spreads, averages, quantiles], ids=lambda part: part.__name__)
def test_other_arguments(part: Any) -> None:
    check(part(), 150)


def test_strict_promotion() -> None:
    def calls() -> Iterator[Call]:
        for name, dtype in product(SPREADS, (None, int8, int32, float16, float32, complex64, float64, int)):
            for x in (MATRIX, array("int32", 2, 3), array("int8", 3), array("float32", 3, weak=True)):
                yield Call(f"numpy.{name}", (x,), {"dtype": dtype})
        yield from [*spreads()][::2]
        yield from [*averages()][::2]

    check(calls(), 400, mode="strict")


def calls() -> Iterator[Call]:
    """A few hundred calls of every function, for properties that hold of all rules."""
    cube = array("float16", 2, 3, 4)
    for name in NAMES:
        for x in (array("int8", 3), MATRIX, cube, array("bool", 2, 1), array("float32", 0, 3), array("uint8")):
            yield Call(name, (x,))
        yield Call(name, (cube,), {"axis": (0, -1)})
        yield Call(name, (cube,), {"axis": 1, "keepdims": True})
        yield Call(name, (array("int32", 2, 3, weak=True),), {"axis": -2})
        yield Call(name, (MATRIX,), {"axis": 2})
        yield Call(name, (array("complex64", 2, 2),), {"axis": ()})
    for name in ("sum", "nanprod", "mean", "nanmean", "var", "std", "nanvar", "nanstd"):
        for dtype in (float32, float64, int8, int64, bool_, complex64, float16, int, float):
            yield Call(f"numpy.{name}", (array("float16", 2, 3), 0, dtype))
            yield Call(f"numpy.{name}", (array("complex64", 2),), {"dtype": dtype})
        yield Call(f"numpy.{name}", (MATRIX, 0), {"where": array("bool", 3), "keepdims": True})
        yield Call(f"numpy.{name}", (array("float32", 3),), {"where": array("bool", 2, 3)})
    every: list[Call] = [*arguments(), *spreads(), *averages(), *quantiles()]
    yield from every[::9]


def test_calls_are_representative() -> None:
    made = list(calls())
    assert {c.name for c in made} >= {*NAMES, *(f"numpy.{q}" for q in QUANTILES)}
    assert all(isinstance(c.args[0], ShapedArray | int | float | NumPyArray | None | list | tuple | str | complex)
               for c in made)  # fmt: skip
    check(iter(made), 500, x64=True)
