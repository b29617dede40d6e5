"""Bits in bytes: eight elements in one, and one in eight.

Source: https://docs.jax.dev/en/latest/jax.numpy.html; https://numpy.org/doc/stable/reference/generated/numpy.packbits.html.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arraytyping.numpy.padding import pad
from arraytyping.numpy.permuting import swapaxes
from arraytyping.runtime.calling import operation

__all__ = ["packbits", "unpackbits"]


def _places(bitorder: str) -> Any:
    """By how much each of eight bits is shifted."""
    places = np.arange(8, dtype=np.uint8)
    return places[::-1].copy() if bitorder == "big" else places


def _last(x: Any, axis: int | None) -> tuple[Any, int]:
    """The array with an axis behind all others; all elements, if there is none."""
    axis = axis[0] if isinstance(axis, tuple) else axis
    return (x.ravel(), 0) if axis is None else (swapaxes(x, axis, -1), axis)


@operation("numpy.packbits", "a")
def packbits(a: Any, axis: int | None = None, bitorder: str = "big") -> Any:
    """`jax.numpy.packbits`: each eight elements, 0 or not, as the bits of one of `uint8`."""
    bits, axis = _last((a != 0).astype("uint8"), axis)
    if rest := -bits.shape[-1] % 8:
        bits = pad(bits, [(0, 0)] * (bits.ndim - 1) + [(0, rest)])
    groups = bits.reshape((*bits.shape[:-1], bits.shape[-1] // 8, 8))
    return swapaxes((groups << _places(bitorder)).sum(-1).astype("uint8"), axis, -1)


@operation("numpy.unpackbits", "a")
def unpackbits(a: Any, axis: int | None = None, count: int | None = None, bitorder: str = "big") -> Any:
    """`jax.numpy.unpackbits`: the eight bits of each element of `uint8`."""
    x, axis = _last(a, axis)
    bits = (x[..., None] >> _places(bitorder)) & 1
    bits = bits.reshape((*bits.shape[:-2], bits.shape[-2] * 8))
    if count is not None and count > bits.shape[-1]:
        bits = pad(bits, [(0, 0)] * (bits.ndim - 1) + [(0, count - bits.shape[-1])])
    elif count is not None:
        bits = bits[..., :count]
    return swapaxes(bits, axis, -1)
