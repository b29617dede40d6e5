"""The rules of `jax.scipy.linalg` against JAX itself."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from oracle import Call, array, differences, elements
from rule_families import parameters_of_both

from arraytyping.semantics.avals import ShapedArray
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
    """Calls that JAX can be asked for in one trace."""
    return tuple(_calls())


def _calls() -> Iterator[Call]:
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
        for name in ("cholesky", "det", "inv", "solve_triangular", "solve", "block_diag")
        for e in elements(x64)
        for args in [(ShapedArray((2, 2), *e), ShapedArray((2,), *e))[: 2 if name.startswith("solve") else 1]]
    ]  # fmt: skip
    count, lines = differences(found, x64=x64, at_once=True)
    assert lines == []
    assert count > 100


@pytest.mark.parametrize("name", NAMES)
def test_signature(name: str) -> None:
    ours, real = parameters_of_both(name)
    assert ours == real
