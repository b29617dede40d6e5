"""The rules of `jax.numpy.linalg` that are composed of others, and `hfft` and `ihfft`, against JAX."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from typing import Any

import pytest
from oracle import Call, array, differences_of_whole, elements
from rule_families import a_few_of_each, parameters_of_both

from arraytyping.semantics.avals import NumPyArray, ShapedArray
from arraytyping.semantics.rules import linalg_solutions
from arraytyping.semantics.rules.registry import RULES

NAMES = sorted(n for n, r in RULES.items() if r.function.__module__ == linalg_solutions.__name__)
NAMES += ["lax.linalg.eig", "numpy.fft.hfft", "numpy.fft.ihfft"]
F, I, C = "float32", "int32", "complex64"
PYTHON: tuple[Any, ...] = (2, 2.5, None, NumPyArray((3, 3), "float64"))
MATRICES = (
    array(F, 3, 3),
    array(F, 4, 2),
    array(F, 2, 4),
    array(I, 3, 3),
    array(F, 3, 3, weak=True),
    array(C, 3, 3),
    array(F, 0, 0),
    array(F, 3),
    array(F),
    array(F, 2, 3, 3),
    array("bool", 3, 3),
    array("bfloat16", 3, 3),
    array("int4", 3, 3),
    array(F, 0, 3),
)


def _matrices() -> Iterator[Call]:
    for x in (*MATRICES, *PYTHON):
        for name in ("eig", "eigvals", "cond"):
            yield Call(f"numpy.linalg.{name}", (x,))
        for p in (None, 2, -2, 1, -1, "fro", "nuc", float("inf"), 3, "x"):
            yield Call("numpy.linalg.cond", (x, p))
        for b in (
            array(F, 3),
            array(F, 4, 2),
            array(I, 3, 1),
            array(C, 3),
            array(F, 3, weak=True),
            array(F),
            array(F, 3, 2, 2),
            array(F, 0),
            2.0,
        ):
            yield Call("numpy.linalg.lstsq", (x, b))
            yield Call("numpy.linalg.lstsq", (x, b, 1e-3))


def _chains() -> Iterator[Call]:
    for first, second in product((*MATRICES, array(F, 3, 2)), (*MATRICES, array(F, 3, 2))):
        yield Call("numpy.linalg.multi_dot", ((first, second),))
        yield Call("numpy.linalg.multi_dot", ([first, array(F, 3, 3), second],))
    for arrays in ((), (array(F, 3),), 2, None, (array(F, 2, 3), 2.0)):
        yield Call("numpy.linalg.multi_dot", (arrays,))
    yield Call("numpy.linalg.multi_dot", ((array(F, 2, 3), array(F, 3, 4), array("bfloat16", 4, 5), array(F, 5)),))
    yield Call("numpy.linalg.multi_dot", ((array(F, 2, 3), array(F, 3)),), {"precision": "highest"})


def _tensors() -> Iterator[Call]:
    for shape in ((4, 6, 8, 3), (6, 2, 3), (4, 4), (2, 3, 6), (), (3,), (0, 0), (1,), (2, 3, 3, 2)):
        for dtype in (F, I, C, "bfloat16"):
            x = array(dtype, *shape)
            for ind in (1, 2, 3, 0, -1, 1.5, None):
                yield Call("numpy.linalg.tensorinv", (x, ind))
            for b in (array(F, 4, 6), array(F, 6), array(I, 4), array(F, 2, 3), array(F), array(F, 2)):
                for axes in (None, (0,), (1, 0), [0], 1, (5,)):
                    yield Call("numpy.linalg.tensorsolve", (x, b, axes))


def _transforms() -> Iterator[Call]:
    for x in (
        array(F, 8),
        array(F, 4, 6),
        array("bfloat16", 4),
        array(I, 3, 5),
        array(C, 6),
        array(F, 7, weak=True),
        array("bool", 4),
        array(F, 1),
        array(F),
        *PYTHON,
    ):
        for name in ("hfft", "ihfft"):
            yield Call(f"numpy.fft.{name}", (x,))
            for n in (5, 8, 1, 0, -3):
                yield Call(f"numpy.fft.{name}", (x, n))
            for axis in (0, -1, -2, 3, (0,)):
                yield Call(f"numpy.fft.{name}", (x,), {"axis": axis})
            for norm in ("ortho", "forward", "backward", "other"):
                yield Call(f"numpy.fft.{name}", (x, 4), {"norm": norm})


def _eigenvectors() -> Iterator[Call]:
    for x in (*MATRICES, 2.0, None):
        for left, right in product((True, False), (True, False)):
            yield Call("lax.linalg.eig", (x,), {"compute_left_eigenvectors": left, "compute_right_eigenvectors": right})
        for derivable in (True, False, 1):
            yield Call("lax.linalg.eig", (x,), {"enable_eigvec_derivs": derivable})


GROUPS = (_eigenvectors, _matrices, _chains, _tensors, _transforms)


def by_dtype(x64: bool) -> Iterator[Call]:
    for dtype, weak in elements(x64):
        x, vector = ShapedArray((3, 3), dtype, weak), ShapedArray((3,), dtype, weak)
        for name in ("eig", "eigvals", "cond"):
            yield Call(f"numpy.linalg.{name}", (x,))
        for p in (1, "fro", -2):
            yield Call("numpy.linalg.cond", (x, p))
        for name in ("lstsq", "tensorsolve"):
            yield Call(f"numpy.linalg.{name}", (x, vector))
            yield Call(f"numpy.linalg.{name}", (x, array(F, 3)))
            yield Call(f"numpy.linalg.{name}", (array("bfloat16", 3, 3), vector))
        yield Call("numpy.linalg.multi_dot", ((x, array(F, 3, 3), x, vector),))
        yield Call("numpy.linalg.tensorinv", (x, 1))
        yield Call("numpy.fft.hfft", (vector,))
        yield Call("numpy.fft.ihfft", (vector,))


LEAST = 450


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
