"""The rules of `jax.scipy.signal` and `jax.scipy.fft` against JAX itself."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any

import pytest
from oracle import Call, array, differences, resolve

from arraytyping.semantics.rules.registry import RULES

NAMES = sorted(n for n in RULES if n.startswith(("scipy.signal.", "scipy.fft.")))
F = "float32"
TRANSFORMED: tuple[Any, ...] = (
    array(F, 7), array("int8", 4, 5), array("bool", 2, 3), array("bfloat16", 3), array("float16", 3, 4),
    array("complex64", 4, 5), array(F, 3, 4, 2), array(F, 3, weak=True), array(F), 2.0, array("int4", 3),
    array(F, 0, 3),
)  # fmt: skip
CONVOLVED: tuple[Any, ...] = (
    array(F, 5), array(F, 3), array("int8", 4), array("bfloat16", 5), array("complex64", 4), array(F, 5, 4),
    array(F, 2, 3), array("bool", 2, 5), array(F, 3, weak=True), array(F), array(F, 0), array(F, 1), 2.0,
    array("int4", 3), array(F, 1, 4), array(F, 3, 1),
)  # fmt: skip


@cache
def calls() -> tuple[Call, ...]:
    """Calls that JAX can be asked for in one trace."""
    return (*_transforms(), *_convolutions())


def _transforms() -> Iterator[Call]:
    options: tuple[dict[str, Any], ...] = (
        {}, {"norm": "ortho"}, {"axis": 0, "n": 3}, {"n": 9}, {"norm": "forward"}, {"type": 3}, {"axis": 5}, {"n": 0},
        {"n": -1},
    )  # fmt: skip
    several: tuple[dict[str, Any], ...] = (
        {}, {"axes": (0,)}, {"s": (3,)}, {"s": (3, 6)}, {"s": (3, 6), "axes": (0, 1)}, {"axes": (1, 0)},
        {"axes": (0, 0)}, {"s": (3, 6, 2, 1)}, {"s": (0,)}, {"axes": (5,)},
    )  # fmt: skip
    for x in TRANSFORMED:
        for name, given in (("dct", options), ("idct", options), ("dctn", several), ("idctn", several)):
            for kwargs in given:
                yield Call(f"scipy.fft.{name}", (x,), kwargs)


def _convolutions() -> Iterator[Call]:
    names = ("convolve", "correlate", "convolve2d", "correlate2d", "fftconvolve")
    for a, b, mode, name in product(CONVOLVED, CONVOLVED[::3], ("full", "same", "valid"), names):
        yield Call(f"scipy.signal.{name}", (a, b, mode))
    for a in CONVOLVED:
        for kwargs in ({"method": "fft"}, {"method": "x"}, {"mode": "x"}):
            yield Call("scipy.signal.convolve", (a, CONVOLVED[0]), kwargs)
            yield Call("scipy.signal.correlate", (a, CONVOLVED[5]), kwargs)
        for axes in ((0,), (-1,), (1,), (0, 1), 0, (0, 0), (5,)):
            yield Call("scipy.signal.fftconvolve", (a, CONVOLVED[5], "full", axes))
    edges: tuple[dict[str, Any], ...] = ({"boundary": "wrap"}, {"fillvalue": 1})
    for name, kwargs in product(("convolve2d", "correlate2d"), edges):
        yield Call(f"scipy.signal.{name}", (CONVOLVED[5], CONVOLVED[6]), kwargs)


@pytest.mark.parametrize("x64", [False, True])
def test_calls(x64: bool) -> None:
    count, lines = differences(calls(), x64=x64, at_once=True)
    print(f"{count} calls compared, {len(lines)} differ")
    assert lines == []
    assert count > 1500


def test_signatures() -> None:
    assert len(NAMES) == 9
    for name in NAMES:
        ours, theirs = (f.parameters.values() for f in (RULES[name].signature, inspect.signature(resolve(name))))
        assert [(p.name, p.kind, p.default) for p in ours] == [(p.name, p.kind, p.default) for p in theirs]
