"""The rules of gradients, index arrays, numbered places, placing, partitions and histograms, against JAX."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from typing import Any

import pytest
from oracle import Call, array, differences_of_whole, elements
from rule_families import a_few_of_each, parameters_of_both

from arraytyping.semantics.avals import NumPyArray, ShapedArray
from arraytyping.semantics.rules import gradients, histograms, index_arrays, numbering, partitions, placing
from arraytyping.semantics.rules.registry import RULES

FAMILIES = {m.__name__ for m in (gradients, histograms, index_arrays, numbering, partitions, placing)}
NAMES = sorted(n for n, r in RULES.items() if r.function.__module__ in FAMILIES)
F, I, C, U = "float32", "int32", "complex64", "uint8"
PYTHON: tuple[Any, ...] = (2, 2.5, 1j, True, None, NumPyArray((3,), "float64"), NumPyArray((2, 2), "int8"))
OPERANDS = (
    array(F, 3),
    array(F, 2, 3),
    array(F, 2, 2),
    array(F),
    array(F, 0),
    array(F, 3, weak=True),
    array(I, 3),
    array(C, 3),
    array("bool", 3),
    array("bfloat16", 3, 3),
    array("int4", 3),
    array(U, 2, 2),
    array(F, 2, 0),
    array(F, 2, 2, 2),
)
ODD_PLACES: tuple[Any, ...] = (0, 1, -1, 5, 1.0, [0])
OFF = {"inplace": False}


def _gradients() -> Iterator[Call]:
    for x in (*OPERANDS, *PYTHON):
        yield Call("numpy.ediff1d", (x,))
        yield Call("numpy.unwrap", (x,))
        yield Call("numpy.gradient", (x,))
        for end in (1, 2.5, array(F, 2), array(C, 2, 2), array(F, weak=True), array(I, 0)):
            yield Call("numpy.ediff1d", (x, end))
            yield Call("numpy.ediff1d", (x,), {"to_begin": end, "to_end": 1.0})
            yield Call("numpy.unwrap", (x, end))
            yield Call("numpy.unwrap", (x,), {"period": end})
        for axis in (0, 1, -1, 5, (0, 1), (), (0,), [0], 1.0, (0, 0)):
            yield Call("numpy.gradient", (x,), {"axis": axis})
            yield Call("numpy.unwrap", (x,), {"axis": axis})
        for h in (2, 2.5, 1j, array(F), array("bfloat16"), array(F, 3), array(F, 2), array(I, 3), array(F, 2, 2)):
            yield Call("numpy.gradient", (x, h))
            yield Call("numpy.gradient", (x, h, 1.0))
            yield Call("numpy.gradient", (x, h), {"axis": 0})
    yield Call("numpy.gradient", (array(F, 3),), {"edge_order": 1})


def _indices() -> Iterator[Call]:
    for x, y in product((*OPERANDS, *PYTHON), (array(F, 3), array("int8", 2), 2, array(F, 0, weak=True))):
        yield Call("numpy.ix_", (x, y))
    yield Call("numpy.ix_")
    for n in (0, 1, 3, 4, -1, 2.0, None, "a", True):
        for ndim in (0, 1, 2, 3, -1, 1.5):
            yield Call("numpy.diag_indices", (n, ndim))
        for k, m in product((0, 1, -1, 3, -4, 9, 1.0, None), (None, 2, 3, 6, 0)):
            yield Call("numpy.tril_indices", (n, k, m))
            yield Call("numpy.triu_indices", (n, k, m))
    for x in (*OPERANDS, *PYTHON, [1, 2], array(F, 3, 3), array(F, 0, 0)):
        yield Call("numpy.diag_indices_from", (x,))
        for k in (0, 2, -1):
            yield Call("numpy.tril_indices_from", (x, k))
            yield Call("numpy.triu_indices_from", (x, k))


def _numbers() -> Iterator[Call]:
    for x in (*OPERANDS, *PYTHON, array(U, 3), array("int8"), array("int16", 2, weak=True)):
        for shape in ((4, 5), (4,), 3, (), [2, 3, 4], NumPyArray((2,), "int64"), (2.0, 3), (2, None), None):
            yield Call("numpy.unravel_index", (x, shape))
    indices: tuple[Any, ...] = (
        array(I, 3),
        array("int8", 3),
        array(U, 2, 3),
        array(F, 3),
        array("bool", 3),
        array(I, 3, weak=True),
        2,
        2.5,
        array(I, 2),
        array("int4", 3),
    )
    for i, j in product(indices, indices):
        for mode in ("wrap", "clip", "ignore"):
            yield Call("numpy.ravel_multi_index", ((i, j), (3, 4)), {"mode": mode})
        yield Call("numpy.ravel_multi_index", ((i, j), (3, 4), "wrap", "F"), {"dtype": "int16"})
    x = array(I, 3)
    for dtype in ("int8", "uint8", "float32", "bool", int, "int64", "x"):
        for dims in ((3, 4), (30, 40), (3,), (3.0, 4), [3, 4]):
            yield Call("numpy.ravel_multi_index", ((x, x), dims, "wrap"), {"dtype": dtype})
    odd: tuple[tuple[Any, Any], ...] = (("x", "C"), ("wrap", "x"), (None, "C"), ("clip", None))
    for mode, order in odd:
        yield Call("numpy.ravel_multi_index", ((x, x), (3, 4), mode, order))
    yield Call("numpy.ravel_multi_index", (array(I, 2, 3), (3, 4), "wrap"))
    yield Call("numpy.ravel_multi_index", ((x, x), (100_000, 100_000), "wrap"))


def _placed() -> Iterator[Call]:
    for x, new in product(
        (*OPERANDS, 2, None), (1, 2.5, array(F, 2), array(C), array(I, 3, 1), array(F, 0), None, array("bool"))
    ):
        yield Call("numpy.fill_diagonal", (x, new), OFF)
        for mask in (array("bool", 3), array(F, 2, 2), array("bool", 6), True):
            yield Call("numpy.place", (x, mask, new), OFF)
        for at in (array(I, 2), 0, array(F, 2), array(U, 1, 2), array(I, 0), array("bool", 2)):
            yield Call("numpy.put", (x, at, new), OFF)
        for at in (
            array(I, 3),
            array(I, 2, 2),
            array(I, 1, 3),
            array(F, 3),
            array(I, 2, 1),
            array(I, 3, 3),
            array(I, 0),
        ):
            for axis in (None, 0, -1, 1):
                yield Call("numpy.put_along_axis", (x, at, new, axis), OFF)
    x, at = array(F, 2, 3), array(I, 2, 1)
    for mode in ("clip", "wrap", "raise", "x"):
        for new in (1, array(F, 2)):
            yield Call("numpy.put", (x, at, new, mode), OFF)
            yield Call("numpy.put_along_axis", (x, at, 1, 1), {"mode": mode, **OFF})
    for name, args in (
        ("put", (x, at, 1)),
        ("place", (x, x, 1)),
        ("fill_diagonal", (x, 1)),
        ("put_along_axis", (x, at, 1, 1)),
    ):
        yield Call(f"numpy.{name}", args)
    yield Call("numpy.fill_diagonal", (x, 1, True), OFF)


def _choices() -> Iterator[Call]:
    for which in (*OPERANDS, 1, None, array(I, 2, 1), array(U)):
        for mode in ("wrap", "clip", "x"):
            for choices in (
                [array(F, 3), array(I, 3)],
                (1, 2),
                array(F, 2, 3),
                [array(F, 2, 1), array("bfloat16", 3)],
                [array(F, 2), array(F, 3)],
                [array(F, weak=True), 1],
                [None],
                [array("bool", 3), array("int8", 3)],
            ):
                yield Call("numpy.choose", (which, choices), {"mode": mode})


def _partitions() -> Iterator[Call]:
    for x in (*OPERANDS, *PYTHON):
        for kth, axis in product(ODD_PLACES, (-1, 0, 1, 3, None)):
            yield Call("numpy.partition", (x, kth, axis))
            yield Call("numpy.argpartition", (x, kth, axis))
        yield Call("numpy.sort_complex", (x,))
        for axis in ODD_PLACES:
            yield Call("numpy.lexsort", ((x, x), axis))
            yield Call("numpy.lexsort", ((x, array(F, 3)), axis))
            if not isinstance(x, NumPyArray):
                yield Call("numpy.lexsort", (x, axis))
    yield Call("numpy.lexsort", ((),))


def _histograms() -> Iterator[Call]:
    for x in (*OPERANDS, 2, 2.5, None):
        some_bins: tuple[Any, ...] = (4, 1, array(F, 5), array(I, 3), "auto")
        for bins in some_bins:
            yield Call("numpy.histogram", (x, bins))
            yield Call("numpy.histogram", (x, bins), {"density": True})
            yield Call("numpy.histogram", (x, bins, (0, 1)))
        for weights in (
            array(F, 3),
            array(C, 3),
            array(I, 3),
            array("bfloat16", 3),
            array(F, 3, weak=True),
            array(F, 2),
        ):
            yield Call("numpy.histogram", (x,), {"weights": weights})
            yield Call("numpy.histogram", (x,), {"weights": weights, "density": True})
            yield Call("numpy.histogramdd", (x,), {"weights": weights})
        other_bins: tuple[Any, ...] = (3, (3, 4), (array(F, 4), 5), [2], (2, 3, 4))
        for bins in other_bins:
            yield Call("numpy.histogramdd", (x, bins))
            yield Call("numpy.histogram2d", (x, x, bins))
            yield Call("numpy.histogram2d", (x, array(F, 3), bins), {"density": True})


GROUPS = (_gradients, _indices, _numbers, _placed, _choices, _partitions, _histograms)


def by_dtype(x64: bool) -> Iterator[Call]:
    for dtype, weak in elements(x64):
        x, matrix, scalar = (ShapedArray(s, dtype, weak) for s in ((3,), (3, 3), ()))
        for name in (
            "ediff1d",
            "unwrap",
            "gradient",
            "ix_",
            "diag_indices_from",
            "sort_complex",
            "histogram",
            "histogramdd",
        ):
            yield Call(f"numpy.{name}", (matrix if name in ("diag_indices_from", "histogramdd") else x,))
        for name in ("partition", "argpartition"):
            yield Call(f"numpy.{name}", (matrix, 1, 0))
        yield Call("numpy.lexsort", ((x, array(I, 3)),))
        yield Call("numpy.gradient", (array(F, 3), scalar))
        yield Call("numpy.gradient", (matrix, x, 2.0))
        yield Call("numpy.unwrap", (array(F, 3),), {"period": scalar})
        yield Call("numpy.unwrap", (array(I, 3), scalar))
        yield Call("numpy.ediff1d", (array(F, 3), x, x))
        yield Call("numpy.unravel_index", (x, (4, 5)))
        yield Call("numpy.ravel_multi_index", ((x, array(I, 3)), (3, 4), "wrap"))
        yield Call("numpy.choose", (x, [array(F, 3), array(I, 3)]), {"mode": "wrap"})
        yield Call("numpy.choose", (array(I, 3), [x, array("int8", 3)]), {"mode": "clip"})
        yield Call("numpy.histogram", (array(F, 3), 4, (0, 1), x))
        yield Call("numpy.histogram", (x,), {"density": True})
        yield Call("numpy.histogram2d", (x, array(F, 3)), {"density": True})
        for new in (1, 2.5, array("int8"), array(F)):
            yield Call("numpy.put", (x, array(I, 2), new), OFF)
            yield Call("numpy.place", (x, array("bool", 3), new), OFF)
            yield Call("numpy.fill_diagonal", (matrix, new), OFF)
            yield Call("numpy.put_along_axis", (x, array(I, 2), new, 0), OFF)
        yield Call("numpy.put", (array(F, 3), x, 1), OFF)
        yield Call("numpy.put", (array(F, 3), array(I, 2), x), OFF)
        yield Call("numpy.put_along_axis", (array(F, 3), x, 1, 0), OFF)
        yield Call("numpy.fill_diagonal", (array(F, 3, 3), x), OFF)


LEAST = 1000


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
