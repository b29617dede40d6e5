"""`scipy.ndimage.map_coordinates`: the same on jax, for every mode, order and kind of dtype."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import numpy as np
import pytest

import arraytyping as at

X = np.arange(12).reshape(3, 4) * 7 % 11
PLACES = [np.array([[0.5, 1.2, -0.7], [2.5, 3.1, 9.0]]), np.array([[1.5, -2.4, 3.5], [0.0, 5.2, -6.1]])]


def outcome(program: Callable[[Any], Any], fw: Any) -> Any:
    try:
        found = program(fw)
    except Exception as error:
        return type(error)
    return str(found.dtype), bool(found.weak_type), np.asarray(found).astype(complex).round(3).tolist()


@pytest.mark.parametrize("mode", ["constant", "nearest", "wrap", "mirror", "reflect", "other"])
@pytest.mark.parametrize("order", [0, 1, 2])
def test_modes(mode: str, order: int) -> None:
    for dtype in ("float32", "int32"):

        def program(fw: Any, dtype: str = dtype) -> Any:
            x, places = fw.numpy.asarray(X, dtype), [fw.numpy.asarray(p, "float32") for p in PLACES]
            return fw.scipy.ndimage.map_coordinates(x, places, order, mode, cval=-2.0)

        assert outcome(program, at) == outcome(program, jax)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "int8", "uint8", "complex64"])
def test_dtypes(dtype: str) -> None:
    def program(fw: Any) -> Any:
        x, places = fw.numpy.asarray(X, dtype), [fw.numpy.asarray(p, "float32") for p in PLACES]
        return fw.scipy.ndimage.map_coordinates(x, places, 1)

    def whole(fw: Any) -> Any:
        return fw.scipy.ndimage.map_coordinates(fw.numpy.asarray(X, dtype), [[0, 1], [2, 5]], 0)

    for each in (program, whole):
        assert outcome(each, at) == outcome(each, jax)


def test_transformed() -> None:
    def gradient(fw: Any) -> Any:
        x = fw.numpy.asarray(X, "float32")
        return fw.grad(lambda p: fw.scipy.ndimage.map_coordinates(x, [p, p * 0.5], 1, "nearest").sum())(
            fw.numpy.asarray(PLACES[0], "float32")
        )

    def mapped(fw: Any) -> Any:
        x = fw.numpy.asarray(X, "float32")
        return fw.vmap(lambda p: fw.scipy.ndimage.map_coordinates(x, [p, p], 1, "wrap"))(
            fw.numpy.asarray(PLACES[0], "float32")
        )

    def too_few(fw: Any) -> Any:
        return fw.scipy.ndimage.map_coordinates(X, [PLACES[0]], 1)

    for each in (gradient, mapped, too_few):
        assert outcome(each, at) == outcome(each, jax)
