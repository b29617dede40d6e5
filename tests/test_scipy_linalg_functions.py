"""The rules of `jax.scipy.linalg` against JAX itself."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any

import pytest
from oracle import Call, array, differences, elements, rule_says
from rule_families import a_few_of_each, parameters_of_both

from arraytyping.scalars import DTYPES
from arraytyping.semantics.avals import UNKNOWN, NumPyArray, ShapedArray
from arraytyping.semantics.rules.registry import RULES

importlib.import_module("jax.scipy.linalg")
NAMES = sorted(n for n in RULES if n.startswith("scipy.linalg."))
A: tuple[Any, ...] = (
    array("float32", 3, 3), array("int8", 3, 3), array("complex64", 2, 3, 3), array("float32", 3),
    array("float32", 3, 2), array("float32", 3, 3, weak=True), [[2.0, 0.0], [0.0, 1.0]], 2.0,
)  # fmt: skip
B: tuple[Any, ...] = (
    array("float32", 3), array("float32", 3, 2), array("int32", 2, 3, 4), array("float32", 4),
    array("float32", 3, weak=True), array("complex64", 3), array("float32", 2, 3), array("float32"),
)  # fmt: skip


@cache
def calls() -> tuple[Call, ...]:
    """Calls that JAX can be asked for in one trace, of which those of each rule are tried with unknown parts."""
    return (*solutions(), *a_few_of_each(NAMES, (*factorizations(), *matrices(), *more_matrices())))


def solutions() -> Iterator[Call]:
    for a in A:
        for name in ("cholesky", "det", "inv", "svd", "eigh"):
            yield Call(f"scipy.linalg.{name}", (a,))
        for lower in (True, False):
            yield Call("scipy.linalg.cholesky", (a, lower))
        yield Call("scipy.linalg.svd", (a,), {"full_matrices": False})
        yield Call("scipy.linalg.svd", (a, True, False))
        yield Call("scipy.linalg.eigh", (a,), {"eigvals_only": True, "lower": False})
        for b in B:
            yield Call("scipy.linalg.solve_triangular", (a, b))
            yield Call("scipy.linalg.cho_solve", ((a, True), b))
            yield Call("scipy.linalg.solve", (a, b))
    for options in ({"trans": 1}, {"trans": "C", "lower": True}, {"unit_diagonal": True}, {"trans": 3}, {"trans": "X"}):
        yield Call("scipy.linalg.solve_triangular", (A[0], B[0]), options)
    for kind in ("gen", "sym", "her", "pos", "other"):
        for b in B[:2]:
            yield Call("scipy.linalg.solve", (A[0], b), {"assume_a": kind})
            yield Call("scipy.linalg.solve", (A[1], b), {"assume_a": kind, "lower": True})
    yield Call("scipy.linalg.eigh", (A[0], A[0]))
    yield Call("scipy.linalg.eigh", (A[0],), {"type": 2})
    blocks = (array("float32", 2, 3), array("int8", 2), 1, 2.5, array("bfloat16", 1, 1), array("int32", weak=True))
    for first in blocks:
        yield Call("scipy.linalg.block_diag", (first,))
        for second in blocks:
            yield Call("scipy.linalg.block_diag", (first, second, array("int8", 3, 0)))
    yield Call("scipy.linalg.block_diag", (array("float32", 2, 3, 1), 1))
    yield Call("scipy.linalg.block_diag", ())


def factorizations() -> Iterator[Call]:
    for a in (*A, array("float16", 3, 3), array("bool", 3, 3), array("float32", 0, 3), array("float32", 4, 2, 3, 3)):
        for name in ("lu_factor", "lu", "qr", "expm", "polar"):
            yield Call(f"scipy.linalg.{name}", (a,))
        yield Call("scipy.linalg.lu", (a, True))
        for mode, pivoting in product(("full", "r", "economic", "x"), (True, False)):
            yield Call("scipy.linalg.qr", (a,), {"mode": mode, "pivoting": pivoting})
        yield Call("scipy.linalg.expm", (a,), {"upper_triangular": True, "max_squarings": 3})
        for side, method in product(("left", "right", "top"), ("qdwh", "svd", "x")):
            yield Call("scipy.linalg.polar", (a, side), {"method": method})
        for b, trans in product(B, (0, 1, 2, 3)):
            yield Call("scipy.linalg.lu_solve", ((a, array("int32", 3)), b, trans))
    for p in (array("int8", 3), array("int32", 4), array("int32"), array("float32", 3)):
        yield Call("scipy.linalg.lu_solve", ((A[0], p), B[1]))
    for e in elements(False):
        yield Call("scipy.linalg.lu_solve", ((A[0], ShapedArray((3,), *e)), B[0]))
    wide = array("complex64", 2, 3)
    for side, method in product(("left", "right"), ("qdwh", "svd")):
        yield Call("scipy.linalg.polar", (wide, side), {"method": method})


@pytest.mark.parametrize("x64", [False, True])
def test_factorizations(x64: bool) -> None:
    count, lines = differences(factorizations(), x64=x64, at_once=True)
    print(f"{count} calls compared, {len(lines)} differ")
    assert lines == []
    assert count > 500


VECTORS: tuple[Any, ...] = (
    array("float32", 3), array("int8", 4), array("complex64", 2, 3), array("float32", 3, 2), array("bool"),
    array("float32", 3, weak=True), array("int32", 0), [1.0, 2.0], 2.0, 3, None, NumPyArray((3,), "float64"),
)  # fmt: skip


def matrices() -> Iterator[Call]:
    for name in ("toeplitz", "hankel", "circulant", "companion", "fiedler"):
        for c in VECTORS:
            yield Call(f"scipy.linalg.{name}", (c,))
        for e in elements(False):
            yield Call(f"scipy.linalg.{name}", (ShapedArray((3,), *e),))
    for name, c, r in product(("toeplitz", "hankel"), VECTORS, VECTORS):
        yield Call(f"scipy.linalg.{name}", (c, r))
    n: Any
    for n in (0, 1, 2, 4, 6, -1, True):
        for name in ("hilbert", "hadamard", "dft"):
            yield Call(f"scipy.linalg.{name}", (n,))
        for scale in ("n", "sqrtn", "x"):
            yield Call("scipy.linalg.dft", (n, scale))
        for dtype in (*DTYPES, float, complex, "abc"):
            yield Call("scipy.linalg.hadamard", (n, dtype))
            yield Call("scipy.linalg.dft", (n,), {"dtype": dtype})
    for n in (None, "a"):
        for name in ("hilbert", "hadamard", "dft"):
            yield Call(f"scipy.linalg.{name}", (n,))
    yield Call("scipy.linalg.hilbert", (2.0,))


def more_matrices() -> Iterator[Call]:
    for a, b in product(VECTORS, VECTORS):
        yield Call("scipy.linalg.leslie", (a, b))
    for a in VECTORS:
        yield Call("scipy.linalg.fiedler_companion", (a,))
        for n, mode in product((1, 2, 3, 5, True), ("full", "same", "valid", "x")):
            yield Call("scipy.linalg.convolution_matrix", (a, n, mode))
        for wrong in (0, -1, 2.0, None, "a"):
            yield Call("scipy.linalg.convolution_matrix", (a, wrong))
    for e in elements(False):
        yield Call("scipy.linalg.leslie", (ShapedArray((3,), *e), array("float32", 2)))
        yield Call("scipy.linalg.leslie", (array("float32", 3, weak=True), ShapedArray((2,), *e)))
        yield Call("scipy.linalg.convolution_matrix", (ShapedArray((3,), *e), 2))
        for size in (1, 2, 3, 4, 7):
            yield Call("scipy.linalg.fiedler_companion", (ShapedArray((size,), *e),))
            yield Call("scipy.linalg.fiedler_companion", (ShapedArray((2, size), *e),))
            yield Call("scipy.linalg.leslie", (ShapedArray((size,), *e), ShapedArray((4, size - 1), *e)))
    number: Any
    for number in (0, 1, 2, 5, -1, True, None, "a", 2.0, 2.5):
        yield Call("scipy.linalg.invhilbert", (number,))
        for kind in (None, "symmetric", "lower", "upper", "x", 1):
            yield Call("scipy.linalg.pascal", (number, kind))
            yield Call("scipy.linalg.invpascal", (number, kind))
        for full in (True, False):
            yield Call("scipy.linalg.helmert", (number, full))


@pytest.mark.parametrize("x64", [False, True])
def test_more_matrices(x64: bool) -> None:
    count, lines = differences(more_matrices(), x64=x64, at_once=True)
    print(f"{count} calls compared, {len(lines)} differ")
    assert lines == [], "\n".join(lines)
    assert count > 500


@pytest.mark.parametrize("x64", [False, True])
def test_matrices(x64: bool) -> None:
    count, lines = differences(matrices(), x64=x64, at_once=True)
    print(f"{count} calls compared, {len(lines)} differ")
    assert lines == []
    assert count > 500


@pytest.mark.parametrize("x64", [False, True])
def test_calls(x64: bool) -> None:
    count, lines = differences(calls(), x64=x64, at_once=True)
    print(f"{count} calls compared, {len(lines)} differ")
    assert lines == []
    assert count > 300


@pytest.mark.parametrize("x64", [False, True])
def test_every_dtype(x64: bool) -> None:
    found = [
        Call(f"scipy.linalg.{name}", args)
        for name in (
            "cholesky", "det", "inv", "solve_triangular", "solve", "block_diag", "lu_factor", "lu", "qr", "expm",
            "polar",
        )
        for e in elements(x64)
        for args in [(ShapedArray((2, 2), *e), ShapedArray((2,), *e))[: 2 if name.startswith("solve") else 1]]
    ]  # fmt: skip
    count, lines = differences(found, x64=x64, at_once=True)
    assert lines == []
    assert count > 100


def test_partly_known() -> None:
    """A size, a shape or a dtype that is not known, and flags of which it is not known what they are."""
    wide = ShapedArray((None, 4), "float32")
    lower, upper = rule_says(Call("scipy.linalg.lu", (wide, True)))
    assert (lower, upper) == (ShapedArray((None, None), "float32"), ShapedArray((None, 4), "float32"))
    assert rule_says(Call("scipy.linalg.expm", (wide,))) == ShapedArray((4, 4), "float32")
    assert rule_says(Call("scipy.linalg.expm", (ShapedArray(None, None),))) == ShapedArray(None, None)
    unitary, positive = rule_says(Call("scipy.linalg.polar", (wide,)))
    assert (unitary, positive) == (wide, ShapedArray((4, 4), "float32"))
    assert rule_says(Call("scipy.linalg.qr", (wide,), {"mode": UNKNOWN})) is UNKNOWN
    factors, pivots = rule_says(Call("scipy.linalg.lu_factor", (array("bfloat16", 2, 4, 3),)))
    assert (factors.shape, pivots) == ((2, 4, 3), array("int32", 2, 3))
    column, row = ShapedArray((None,), "float32", True), array("int32", 4)
    assert rule_says(Call("scipy.linalg.toeplitz", (column,))) == ShapedArray((None, None), "float32")
    two = rule_says(Call("scipy.linalg.toeplitz", (column, row)), x64=True)
    assert two == ShapedArray((None, 4), None)  # float32 or float64, as there are elements
    assert rule_says(Call("scipy.linalg.toeplitz", (row, UNKNOWN))) == ShapedArray(None, None)
    assert rule_says(Call("scipy.linalg.companion", (column,))) == ShapedArray((None, None), "float32")
    assert rule_says(Call("scipy.linalg.hadamard", (UNKNOWN, "int8"))) == ShapedArray((None, None), "int8")
    assert rule_says(Call("scipy.linalg.dft", (UNKNOWN,))) == ShapedArray((None, None), "complex64")
    solved = Call("scipy.linalg.lu_solve", ((UNKNOWN, UNKNOWN), array("float32", 3)))
    assert rule_says(solved).shape is None


@pytest.mark.parametrize("name", NAMES)
def test_signature(name: str) -> None:
    ours, real = parameters_of_both(name)
    assert ours == real
