"""The rules of `jax.scipy.linalg` for forms and functions of matrices, and their equations, against JAX itself."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from oracle import Call, array, differences, elements
from rule_families import a_few_of_each, parameters_of_both

from arraytyping.semantics.avals import NumPyArray, ShapedArray

importlib.import_module("jax.scipy.linalg")
NAMES = [
    f"scipy.linalg.{name}"
    for name in (
        "schur", "sqrtm", "funm", "rsf2csf", "hessenberg", "expm_frechet", "solve_sylvester", "qr_multiply",
        "eigh_tridiagonal",
    )
]  # fmt: skip
F = "float32"
MATRICES: tuple[Any, ...] = (
    array(F, 3, 3), array(F, 3, 2), array(F, 2, 3), array(F, 3), array(F), array(F, 2, 3, 3), array(F, 1, 1),
    array(F, 3, 3, 3), array("complex64", 3, 3), array(F, 3, 3, weak=True), 2.0, None, [[1.0]], array("int32", 3, 3),
    array(F, 0, 0), NumPyArray((3, 3), "float64"), array("float16", 3, 3), array(F, 1, 1, weak=True), array(F, 2, 2),
    array(F, 2, 3, weak=True), array(F, 3, 2, weak=True), array(F, 3, weak=True), array("int32", 3, 0),
)  # fmt: skip
PAIRS: tuple[Any, ...] = (
    array(F, 3), array(F, 2), array(F, 3, weak=True), array(F, 2, weak=True), array("int32", 3), array("complex64", 3),
    array("complex64", 2), array(F, 1), array(F, 0), array(F), [1.0, 2.0], [1.0], array(F, 1, weak=True),
)  # fmt: skip


def all_calls() -> Iterator[Call]:
    for x in MATRICES:
        for output in ("real", "complex", "x", None):
            yield Call("scipy.linalg.schur", (x, output))
        for blocksize in (1, 2, 0.5):
            yield Call("scipy.linalg.sqrtm", (x, blocksize))
        for flag in (True, False):
            yield Call("scipy.linalg.funm", (x, abs, flag))
            yield Call("scipy.linalg.hessenberg", (x,), {"calc_q": flag})
    for a, b in product(MATRICES, MATRICES):
        yield Call("scipy.linalg.rsf2csf", (a, b))
        yield Call("scipy.linalg.expm_frechet", (a, b))
        yield Call("scipy.linalg.expm_frechet", (a, b), {"compute_expm": False, "method": "SPS"})
        for mode, flag in product(("left", "right"), (True, False)):
            yield Call("scipy.linalg.qr_multiply", (a, b, mode, flag))
        yield Call("scipy.linalg.qr_multiply", (a, b), {"conjugate": True})
        yield Call("scipy.linalg.qr_multiply", (a, b, "left"), {"conjugate": True})
        yield Call("scipy.linalg.solve_sylvester", (a, b, array(F, 3, 3)))
        yield Call("scipy.linalg.solve_sylvester", (a, b, array("complex64", 3, 3)), {"method": "eigen", "tol": 1e-3})
        yield Call("scipy.linalg.solve_sylvester", (a, a, b))
    for a, b in ((array(F, 3, 3), array(F, 2, 2)), (array(F, 5, 1, 3, 3), array("int8", 4, 2, 2))):
        for method in ("schur", "eigen", "x"):
            yield Call("scipy.linalg.solve_sylvester", (a, b, array(F, 3, 2)), {"method": method})
    yield Call("scipy.linalg.qr_multiply", (array(F, 3, 2), array(F, 2), "x"))
    for d, e in product(PAIRS, PAIRS):
        yield Call("scipy.linalg.eigh_tridiagonal", (d, e))
        yield Call("scipy.linalg.eigh_tridiagonal", (d, e), {"eigvals_only": True})
    for chosen in ((0, 1), (1, 0), (0, 0), (1, 5), (-1, 1), None):
        for flag in (True, False):
            options = {"eigvals_only": flag, "select": "i", "select_range": chosen}
            yield Call("scipy.linalg.eigh_tridiagonal", (array(F, 3), array(F, 2)), options)
    for other in ("v", "x"):
        yield Call("scipy.linalg.eigh_tridiagonal", (array(F, 3), array(F, 2)), {"select": other})
        yield Call("scipy.linalg.eigh_tridiagonal", (array(F, 1), array(F, 2)), {"select": other})


def by_dtype(x64: bool) -> Iterator[Call]:
    for e in elements(x64):
        for size in (1, 3):
            m = ShapedArray((size, size), *e)
            other = array(F, size, size)
            for output in ("real", "complex"):
                yield Call("scipy.linalg.schur", (m, output))
            yield Call("scipy.linalg.sqrtm", (m,))
            yield Call("scipy.linalg.funm", (m, abs, False))
            yield Call("scipy.linalg.hessenberg", (m,), {"calc_q": True})
            for x in (m, other):
                yield Call("scipy.linalg.rsf2csf", (m, x))
                yield Call("scipy.linalg.expm_frechet", (m, x))
                yield Call("scipy.linalg.solve_sylvester", (m, x, x))
                yield Call("scipy.linalg.solve_sylvester", (x, x, m), {"method": "eigen"})
                yield Call("scipy.linalg.qr_multiply", (m, x, "left", True))
            yield Call("scipy.linalg.eigh_tridiagonal", (ShapedArray((size,), *e), ShapedArray((size - 1,), *e)))


def calls() -> tuple[Call, ...]:
    """Some calls of each rule: those that are tried with unknown parts."""
    return a_few_of_each(NAMES, (*all_calls(), *by_dtype(False)))


@pytest.mark.parametrize("x64", [False, True])
def test_calls(x64: bool) -> None:
    count, lines = differences(all_calls(), x64=x64, at_once=True)
    print(f"{count} calls compared, {len(lines)} differ")
    assert lines == [], "\n".join(lines)
    assert count > 2000


@pytest.mark.parametrize("x64", [False, True])
def test_every_dtype(x64: bool) -> None:
    count, lines = differences(by_dtype(x64), x64=x64, at_once=True)
    print(f"{count} calls compared, {len(lines)} differ")
    assert lines == [], "\n".join(lines)
    assert count > 400


@pytest.mark.parametrize("name", NAMES)
def test_signature(name: str) -> None:
    ours, real = parameters_of_both(name)
    assert ours == real
