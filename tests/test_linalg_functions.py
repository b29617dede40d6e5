"""The rules of `jax.numpy.linalg`, `jax.numpy.fft` and `jax.scipy.special` against JAX itself."""

from __future__ import annotations

import contextlib
import functools
import inspect
from collections.abc import Iterator
from typing import Any

import jax
import pytest
from oracle import Call, array, differences, elements, resolve
from rule_families import a_few_of_each

from arraytyping.semantics.avals import UNKNOWN, NumPyArray, ShapedArray
from arraytyping.semantics.promotion.jax import JaxPromotion
from arraytyping.semantics.rules import fft, linalg, special
from arraytyping.semantics.rules.evaluation import evaluate
from arraytyping.semantics.rules.registry import RULES

NAMES = sorted(n for n, r in RULES.items() if r.function.__module__ in {m.__name__ for m in (fft, linalg, special)})
SQUARE = ("cholesky", "det", "eigh", "eigvalsh", "inv", "slogdet")
ANY_MATRIX = ("diagonal", "matrix_rank", "pinv", "qr", "svd", "svdvals")
UNARY = ("digamma", "entr", "erf", "erfc", "erfinv", "expit", "gammaln", "i0e", "i1e")
BINARY = ("xlog1py", "xlogy")
ONE = ("fft", "ifft", "rfft", "irfft")
PYTHON: tuple[Any, ...] = (True, 2, 2.5, 1j, NumPyArray((3,), "float64"), NumPyArray((2, 2), "int8"), None, "a", [1.0])
F, I = "float32", "int32"


@functools.cache
def every_call() -> tuple[Call, ...]:
    """Calls that JAX can be asked for in one trace."""
    return (*_linalg(), *_fft(), *_special())


def calls() -> tuple[Call, ...]:
    """The calls of each rule that are tried with unknown parts."""
    return a_few_of_each(NAMES, every_call())


def _linalg() -> Iterator[Call]:
    for name in (*SQUARE, *ANY_MATRIX):
        for value in PYTHON:
            yield Call(f"numpy.linalg.{name}", (value,))
        for shape in ((), (3,), (2, 3), (1, 1), (2, 2), (3, 3), (4, 4), (5, 2, 2), (2, 3, 4, 4), (0, 0), (0, 3, 3)):
            for dtype in ("bfloat16", I, "complex64"):
                yield Call(f"numpy.linalg.{name}", (array(dtype, *shape),))
            yield Call(f"numpy.linalg.{name}", (array(F, *shape, weak=True),))
            yield Call(f"numpy.linalg.{name}", (array(I, *shape, weak=True),))
    x = array(F, 5, 3, 4)
    for mode in ("reduced", "r", "full", "complete", "other"):
        yield Call("numpy.linalg.qr", (x, mode))
    for full, vectors in ((True, True), (False, True), (True, False), (False, False)):
        yield Call("numpy.linalg.svd", (x, full, vectors))
        yield Call("numpy.linalg.svd", (x,), {"full_matrices": full, "subset_by_index": (0, 2)})
    square = array(F, 2, 4, 4)
    for uplo in ("L", "U", None, "X"):
        yield Call("numpy.linalg.eigh", (square, uplo))
    yield Call("numpy.linalg.cholesky", (square,), {"upper": True})
    yield Call("numpy.linalg.cholesky", (array(I, 2, 2),), {"symmetrize_input": False})
    for method in ("lu", "other"):
        yield Call("numpy.linalg.slogdet", (square,), {"method": method})
    for offset in (1, -2):
        yield Call("numpy.linalg.diagonal", (x,), {"offset": offset})
    for m in (x, square, array("int8", 3, 3)):
        for tolerance in ({"rtol": 1e-3}, {"rcond": 1e-3}, {"rtol": 1e-3, "rcond": 1e-2}):
            yield Call("numpy.linalg.pinv", (m,), tolerance)
        for tolerance in ({"rtol": 1e-3}, {"tol": 1e-3}, {"rtol": 1e-3, "tol": 1e-2}):
            yield Call("numpy.linalg.matrix_rank", (m,), tolerance)
    for a in (array(F, 3, 3), array("int8", 3, 3), array("bfloat16", 3, 3), array(F, 2, 3, 3), array(F, 3, weak=True),
              array(F, 3, 3, weak=True), array("complex64", 3, 3), array(F, 3, 4), array("bool", 3, 3)):  # fmt: skip
        for b in (array(F, 3), array(I, 3), array(F, 3, 2), array(F, 2, 3, 1), array(F, 4), array(F, 2), array(F),
                  array(F, 3, weak=True), array(F, 5, 3, 3), array(F, 3, 2, weak=True), 2.0):  # fmt: skip
            yield Call("numpy.linalg.solve", (a, b))
        for n in (0, 1, 2, 3, 7, -1, -3, 1.5, True):
            yield Call("numpy.linalg.matrix_power", (a, n))


def _fft() -> Iterator[Call]:
    for name in ONE:
        for value in PYTHON:
            yield Call(f"numpy.fft.{name}", (value,))
        for x in (array(F, 8), array(F, 4, 6), array("bfloat16", 4), array(I, 3, 5), array("complex64", 6),
                  array(F, 7, weak=True), array("bool", 4), array(F, 1), array(F)):  # fmt: skip
            yield Call(f"numpy.fft.{name}", (x,))
            for n in (5, 8, 1, 0, -3):
                yield Call(f"numpy.fft.{name}", (x, n))
            for axis in (0, -1, -2, 3, (0,)):
                yield Call(f"numpy.fft.{name}", (x,), {"axis": axis})
            for norm in ("ortho", "forward", "backward", "other"):
                yield Call(f"numpy.fft.{name}", (x, 4), {"norm": norm})
        for x in (array(F, 4, 6), array("complex64", 2, 4, 6), array(I, 3)):
            for s in (None, (4, 4), (5, 3), (4,)):
                yield Call(f"numpy.fft.{name}2", (x, s))
                yield Call(f"numpy.fft.{name}n", (x, s))
                yield Call(f"numpy.fft.{name}n", (x, s, (0, -1)))
            for axes in ((0, 1), (1, 0), (0, 0), (0, 5), (0,)):
                yield Call(f"numpy.fft.{name}2", (x,), {"axes": axes})
                yield Call(f"numpy.fft.{name}n", (x,), {"axes": axes})
    shifted: tuple[Any, ...] = (array(F, 4, 6), array("int8", 3), array(F, 2, weak=True), 2.0)
    for name in ("fftshift", "ifftshift"):
        for value in shifted:
            for along in (None, 0, -1, (0, 1), [0], 4):
                yield Call(f"numpy.fft.{name}", (value, along))
    for name in ("fftfreq", "rfftfreq"):
        for count in (1, 4, 7, [3]):
            yield Call(f"numpy.fft.{name}", (count,))
            yield Call(f"numpy.fft.{name}", (count, 0.5))
        yield Call(f"numpy.fft.{name}", (4, [1.0]))


def _special() -> Iterator[Call]:
    for name in UNARY:
        for value in PYTHON:
            yield Call(f"scipy.special.{name}", (value,))
        for shape in ((3,), (2, 3), (), (0,)):
            yield Call(f"scipy.special.{name}", (array("bfloat16", *shape),))
            yield Call(f"scipy.special.{name}", (array("int32", *shape, weak=True),))
    for name in BINARY:
        for x in (*PYTHON, array("bfloat16", 3), array("int8", 2, 1), array(F, weak=True)):
            for y in (2, 1.5, array(F, 3), array("int8", 2, 3), array("complex64", 3), None):
                yield Call(f"scipy.special.{name}", (x, y))


@pytest.mark.parametrize("x64", [False, True])
def test_calls(x64: bool) -> None:
    count, lines = differences(every_call(), x64=x64, at_once=True)
    assert lines == []
    assert count > 900


@pytest.mark.parametrize("x64", [False, True])
def test_every_dtype(x64: bool) -> None:
    unary = [f"numpy.linalg.{n}" for n in (*SQUARE, *ANY_MATRIX)] + [f"scipy.special.{n}" for n in UNARY]
    unary += [f"numpy.fft.{n}" for n in (*ONE, "fftshift")]
    found = [Call(name, (ShapedArray((2, 4, 4), *e),)) for name in unary for e in elements(x64)]
    count, lines = differences(found, x64=x64, at_once=True)
    assert lines == []
    assert count > 700


@pytest.mark.parametrize("name", NAMES)
def test_signature(name: str) -> None:
    real = inspect.signature(resolve(name)).parameters.values()
    ours = RULES[name].signature.parameters.values()
    shown = [[(p.name, p.kind, p.default) for p in ps] for ps in (ours, real)]
    assert shown[0] == shown[1]


AXES: dict[str, tuple[Any, ...]] = {"": (-1, 0), "2": ((-2, -1), (0, 1)), "n": (None, (), (0,), (-2, -1))}


@pytest.mark.parametrize("kind", AXES)
@pytest.mark.parametrize("name", ONE)
def test_transforms_of_unknown_ranks(name: str, kind: str) -> None:
    """What is said of an array of unknown rank, or of unknown axes, holds for all that it may be."""
    name, key, shapes = name + kind, "axes" if kind else "axis", ((), (4,), (3, 4), (2, 3, 4))
    known = 0
    for axes in (*AXES[kind], UNKNOWN):
        given = [ShapedArray(None, F, False)]
        found = evaluate(f"numpy.fft.{name}", (JaxPromotion(),), given, {key: axes}).value
        real = set()
        for shape in shapes:
            for chosen in AXES[kind] if axes is UNKNOWN else (axes,):
                transform = functools.partial(resolve(f"numpy.fft.{name}"), **{key: chosen})
                with contextlib.suppress(TypeError, ValueError, IndexError):
                    real.add(str(jax.eval_shape(transform, jax.numpy.zeros(shape, F)).dtype))
        if isinstance(found, ShapedArray) and found.dtype is not None:
            known += 1
            assert real <= {found.dtype}, axes
    assert known >= 2
