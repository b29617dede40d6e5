"""Discrete cosine transforms of type 2 and their inverses, by Fourier transforms of as many numbers in another order.

Source: https://docs.jax.dev/en/latest/jax.scipy.html#module-jax.scipy.fft; J. Makhoul, "A fast cosine transform in one
and two dimensions", IEEE Transactions on Acoustics, Speech and Signal Processing 28 (1980).
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from arraytyping import lax
from arraytyping.numpy import concatenate, exp, fft, flip, imag, moveaxis, pad, real, zeros
from arraytyping.numpy.conversion import asarray
from arraytyping.numpy.promoting import is_complex, promoted_inexact
from arraytyping.runtime.array_likes import convert_to, materialized
from arraytyping.runtime.calling import operation
from arraytyping.semantics.rules.dtype_kinds import to_complex

__all__ = ["dct", "dctn", "idct", "idctn"]


def _resized(x: Any, sizes: dict[int, int]) -> Any:
    """The array with these sizes: zeros behind, or the end left out."""
    kept = x[tuple(slice(sizes.get(i)) for i in range(x.ndim))]
    return pad(kept, [(0, max(0, sizes.get(i, n) - n)) for i, n in enumerate(kept.shape)])


def _turned(n: int, dtype: str, sign: float) -> Any:
    """A quarter of the unit circle in n steps."""
    steps = asarray(np.arange(n), dtype=to_complex(dtype))
    return exp(sign * 0.5j * math.pi * steps / n)


def _ortho(x: Any) -> Any:
    """Numbers along the last axis over the norms of the cosines that they belong to."""
    n = x.shape[-1]
    return x / asarray(np.sqrt(np.array([4.0] + [2.0] * (n - 1)) * n), dtype=x.dtype)


def _forward(x: Any, norm: str | None) -> Any:
    """The transform along the last axis."""
    n = x.shape[-1]
    ordered = concatenate([x[..., ::2], flip(x[..., 1::2], -1)], -1)
    transform = fft.fft(ordered, axis=-1)
    out = 2 * real(transform * _turned(n, transform.aval.dtype, -1.0))
    return _ortho(out) if norm == "ortho" else out


def _backward(x: Any, norm: str | None) -> Any:
    (x,) = promoted_inexact(x)
    n, dtype = x.shape[-1], x.aval.dtype
    x = _ortho(x) if norm == "ortho" else _ortho(_ortho(x))
    turned = convert_to(x, to_complex(dtype)) * _turned(n, dtype, 1.0) * (2 * n)
    ordered = real(fft.ifft(turned, axis=-1))
    half = (n + 1) // 2
    made = zeros(ordered.shape, ordered.dtype)
    return made.at[..., ::2].set(ordered[..., :half]).at[..., 1::2].set(flip(ordered[..., half:], -1))


Transform = Callable[[Any, str | None], Any]


def _along(transform: Transform, x: Any, sizes: dict[int, int], axes: Sequence[int], norm: str | None) -> Any:
    """The transforms along these axes, of complex numbers by their parts."""
    x = materialized(x)
    if is_complex(x):
        parts = [_along(transform, part, sizes, axes, norm) for part in (real(x), imag(x))]
        return lax.complex(*parts)
    x = _resized(x, sizes) if sizes else x
    for axis in axes:
        x = moveaxis(transform(moveaxis(x, axis, -1), norm), -1, axis)
    return x


def _one(transform: Transform, x: Any, n: int | None, axis: int, norm: str | None) -> Any:
    number = axis % len(x.aval.shape)
    return _along(transform, x, {} if n is None else {number: n}, (number,), norm)


def _several(transform: Transform, x: Any, s: Any, axes: Any, norm: str | None) -> Any:
    rank = len(x.aval.shape)
    sizes = None if s is None else [operator.index(n) for n in (s if isinstance(s, Sequence) else [s])]
    if axes is None:
        chosen = [*range(rank - (rank if sizes is None else len(sizes)), rank)]
    else:
        chosen = [i % rank for i in ([axes] if isinstance(axes, int) else axes)]
    return _along(transform, x, dict(zip(chosen, sizes or ())), chosen, norm)


@operation("scipy.fft.dct", "x")
def dct(x: Any, type: int = 2, n: int | None = None, axis: int = -1, norm: str | None = None) -> Any:
    """`jax.scipy.fft.dct`: the cosine transform along an axis, of so many numbers."""
    return _one(_forward, x, n, axis, norm)


@operation("scipy.fft.idct", "x")
def idct(x: Any, type: int = 2, n: int | None = None, axis: int = -1, norm: str | None = None) -> Any:
    """`jax.scipy.fft.idct`: the inverse of the cosine transform along an axis."""
    return _one(_backward, x, n, axis, norm)


@operation("scipy.fft.dctn", "x")
def dctn(x: Any, type: int = 2, s: Any = None, axes: Any = None, norm: str | None = None) -> Any:
    """`jax.scipy.fft.dctn`: the cosine transforms along several axes, of all unless some are named."""
    return _several(_forward, x, s, axes, norm)


@operation("scipy.fft.idctn", "x")
def idctn(x: Any, type: int = 2, s: Any = None, axes: Any = None, norm: str | None = None) -> Any:
    """`jax.scipy.fft.idctn`: the inverse of the cosine transforms along several axes."""
    return _several(_backward, x, s, axes, norm)
