"""`image.resize` and `scale_and_translate`: the same on jax, with gradients and under `vmap`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import numpy as np
import pytest
from answers import asked
from shares import spread

import arraytyping as at

METHODS = ("nearest", "linear", "cubic", "cubic-pytorch", "lanczos3", "lanczos5", "area")
IMAGE = np.random.default_rng(0).normal(size=(5, 4, 2)).astype(np.float32)
SHAPES = ((5, 4, 2), (3, 8, 2), (10, 2, 1))


def leaves_on_jax(program: Callable[[Any], Any]) -> Any:
    return jax.tree.leaves(program(jax))


def compare(program: Callable[[Any], Any], tolerance: float = 2e-6) -> None:
    ours, theirs = at.tree.leaves(program(at)), asked(partial(leaves_on_jax, program))
    for a, b in zip(ours, theirs, strict=True):
        assert (str(a.dtype), a.shape, bool(a.weak_type)) == (str(b.dtype), b.shape, bool(b.weak_type))
        np.testing.assert_allclose(np.asarray(a, np.float64), np.asarray(b, np.float64), rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize(("method", "antialias"), spread([(m, a) for m in METHODS for a in (True, False)], 3))
def test_resize(method: str, antialias: bool) -> None:
    compare(lambda fw: [fw.image.resize(fw.numpy.asarray(IMAGE), s, method, antialias) for s in SHAPES])


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "int8", "uint8", "int32", "bool"])
def test_dtypes(dtype: str) -> None:
    image = (IMAGE * 50).astype(np.int32) % 100
    compare(
        lambda fw: [
            fw.image.resize(fw.numpy.asarray(image).astype(dtype), (3, 6, 2), m) for m in ("nearest", "linear")
        ],
        1e-2 if "16" in dtype else 2e-6,
    )


@pytest.mark.parametrize("method", METHODS[1:])
def test_scaled_and_moved(method: str) -> None:
    scale, moved = np.array([0.7, 1.5], np.float32), np.array([0.3, -1.0], np.float32)

    def program(fw: Any) -> Any:
        x = fw.numpy.asarray(IMAGE)
        return [
            fw.image.scale_and_translate(x, (4, 6, 2), (0, 1), scale, moved, method, antialias=a) for a in (True, False)
        ]

    if method == "cubic-pytorch":
        program = lambda fw: fw.image.scale_and_translate(  # noqa: E731  (jax cannot trace its other way)
            fw.numpy.asarray(IMAGE), (4, 6, 2), (0, -2), scale, moved, method
        )
    compare(program)


def test_transformed() -> None:
    def program(fw: Any) -> Any:
        jnp, x = fw.numpy, fw.numpy.asarray(IMAGE)
        total = lambda x: (fw.image.resize(x, (3, 6, 2), "cubic") ** 2).sum()  # noqa: E731
        by = lambda s: fw.image.scale_and_translate(x, x.shape, (0,), s, jnp.zeros(1), "linear").sum()  # noqa: E731
        return [
            fw.grad(total)(x), fw.vmap(lambda x: fw.image.resize(x, (2, 6), "linear"), 2)(x),
            fw.jit(lambda x: fw.image.resize(x, (3, 3, 2), fw.image.ResizeMethod.LANCZOS3))(x),
            fw.grad(by)(jnp.ones(1)),
        ]  # fmt: skip

    compare(program, 2e-5)


MISTAKES: list[Callable[[Any], Any]] = [
    lambda fw: fw.image.resize(IMAGE, (3, 6), "linear"),
    lambda fw: fw.image.resize(IMAGE, (3, 6, 2), "smooth"),
    lambda fw: fw.image.scale_and_translate(IMAGE, (3, 6, 2), (0,), np.ones(1), np.zeros(1), "nearest"),
    lambda fw: fw.image.scale_and_translate(
        fw.numpy.asarray(IMAGE), (3, 6, 2), (5,), np.ones(1), np.zeros(1), "linear"
    ),
]


@pytest.mark.parametrize("number", range(4))
def test_mistakes(number: int) -> None:
    for fw in (at, jax):
        with pytest.raises(ValueError, match=r"shape must|Unknown|Nearest|axis 5"):
            MISTAKES[number](fw)
