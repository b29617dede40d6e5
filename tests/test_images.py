"""The rules of `jax.image` against JAX itself."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any

import pytest
from oracle import Call, array, differences, resolve

from arraytyping.semantics.rules.registry import RULES

NAMES = ("image.resize", "image.scale_and_translate")
F = "float32"
IMAGES: tuple[Any, ...] = (
    array(F, 4, 5), array("uint8", 3, 4, 3), array("bool", 2, 3), array("bfloat16", 3), array("float16", 3, 4),
    array("complex64", 4, 5), array("int32", 2, 2), array("int4", 3, 2),
    array("float8_e4m3fn", 2, 2), array(F, 3, 2, weak=True), array("int32", 3, 2, weak=True), array(F), 2.0, 3, True,
    array(F, 0, 3),
)  # fmt: skip
SHAPES: tuple[Any, ...] = ((6, 8), (4, 5), (3, 2), (2, 8, 3), (5,), 5, (), (0, 3), (4, -1), (2.0, 3), [6, 8])
METHODS = ("nearest", "linear", "bilinear", "lanczos3", "lanczos5", "cubic", "bicubic-pytorch", "area", "triangle", "x")


WIDE: tuple[Any, ...] = (array("int64", 2, 3), array("float64", 2, 3), array("complex128", 3, 2))


@cache
def calls() -> tuple[Call, ...]:
    """Calls that JAX can be asked for in one trace."""
    return (*_resized(IMAGES), *_translated(IMAGES))


def _resized(images: tuple[Any, ...]) -> Iterator[Call]:
    for image, shape, method in product(images, SHAPES, METHODS):
        yield Call("image.resize", (image, shape, method))
    for image, method in product(IMAGES[:4], METHODS):
        yield Call("image.resize", (image, (6, 8)), {"method": method, "antialias": False})


def _translated(images: tuple[Any, ...]) -> Iterator[Call]:
    for image, shape, method in product(images, SHAPES, METHODS[:4]):
        yield Call("image.scale_and_translate", (image, shape, (0,), array(F, 1), array(F, 1), method))
        yield Call("image.scale_and_translate", (image, shape, (), array(F, 0), array(F, 0), method))


@pytest.mark.parametrize("x64", [False, True])
def test_calls(x64: bool) -> None:
    wide = (*_resized(WIDE), *_translated(WIDE)) if x64 else ()
    count, lines = differences((*calls(), *wide), x64=x64, at_once=True)
    print(f"{count} calls compared, {len(lines)} differ")
    assert lines == []
    assert count > 1500


@pytest.mark.parametrize("name", NAMES)
def test_signatures(name: str) -> None:
    ours, theirs = (f.parameters.values() for f in (RULES[name].signature, inspect.signature(resolve(name))))
    # The precision that JAX names is an object of its own.
    assert [(p.name, p.kind, p.default) for p in ours if p.name != "precision"] == [
        (p.name, p.kind, p.default) for p in theirs if p.name != "precision"
    ]
    assert [p.name for p in ours] == [p.name for p in theirs]
