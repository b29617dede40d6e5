"""Windows of signals: `bartlett`, `blackman`, `hamming`, `hanning`, `kaiser`.

Source: https://docs.jax.dev/en/latest/jax.numpy.html; https://numpy.org/doc/stable/reference/routines.window.html.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from arraytyping.numpy.creation import full
from arraytyping.numpy.elementary import cos, sqrt
from arraytyping.numpy.special import i0
from arraytyping.runtime.calling import operation
from arraytyping.runtime.lax.creation import iota_of
from arraytyping.runtime.lax.dtype_arguments import canonical_dtype

__all__ = ["bartlett", "blackman", "hamming", "hanning", "kaiser"]


def _window(name: str, M: Any, shape: Callable[[Any, int], Any]) -> Any:
    """So many numbers: what `shape` makes of the places and the last of them, or a single 1."""
    size = int(M)
    if size <= 1:
        return full((size,), 1, dtype=float)
    return shape(iota_of(canonical_dtype(float, name), (size,), 0), size - 1)


@operation("numpy.bartlett")
def bartlett(M: int) -> Any:
    """`jax.numpy.bartlett`: a triangle."""
    return _window("bartlett", M, lambda n, last: 1 - abs(2 * n - last) / last)


@operation("numpy.blackman")
def blackman(M: int) -> Any:
    """`jax.numpy.blackman`: a sum of three cosines."""
    turn = 2 * math.pi
    return _window("blackman", M, lambda n, last: 0.42 - 0.5 * cos(turn * n / last) + 0.08 * cos(2 * turn * n / last))


@operation("numpy.hamming")
def hamming(M: int) -> Any:
    """`jax.numpy.hamming`: a cosine on a base."""
    return _window("hamming", M, lambda n, last: 0.54 - 0.46 * cos(2 * math.pi * n / last))


@operation("numpy.hanning")
def hanning(M: int) -> Any:
    """`jax.numpy.hanning`: a cosine from 0 to 1."""
    return _window("hanning", M, lambda n, last: 0.5 * (1 - cos(2 * math.pi * n / last)))


@operation("numpy.kaiser", "beta")
def kaiser(M: int, beta: Any) -> Any:
    """`jax.numpy.kaiser`: Bessel functions."""

    def shape(n: Any, last: int) -> Any:
        middle = 0.5 * last
        return i0(beta * sqrt(1 - ((n - middle) / middle) ** 2)) / i0(beta)

    return _window("kaiser", M, shape)
