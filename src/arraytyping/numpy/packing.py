"""Bits in bytes: eight elements in one, and one in eight.

Source: https://docs.jax.dev/en/latest/jax.numpy.html; https://numpy.org/doc/stable/reference/generated/numpy.packbits.html.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from arraytyping.numpy.padding import pad
from arraytyping.numpy.permuting import swapaxes
from arraytyping.runtime.array_likes import array_from, materialized
from arraytyping.runtime.transformations.jit import jit
from arraytyping.scalars import KINDS

__all__ = ["packbits", "unpackbits"]


def _places(bitorder: str) -> Any:
    """By how much each of eight bits is shifted."""
    places = np.arange(8, dtype=np.uint8)
    return places[::-1].copy() if bitorder == "big" else places


def _last(x: Any, axis: int | None) -> tuple[Any, int]:
    """The array with an axis behind all others; all elements, if there is none."""
    return (x.ravel(), 0) if axis is None else (swapaxes(x, axis, -1), axis)


def _check_order(name: str, bitorder: str) -> None:
    if bitorder not in ("little", "big"):
        raise ValueError(f"{name}: bitorder is 'little' or 'big', got {bitorder!r}")


@functools.partial(jit, static_argnames=("axis", "bitorder"))
def _packed(x: Any, axis: int | None, bitorder: str) -> Any:
    bits, axis = _last((x != 0).astype("uint8"), axis)
    if rest := -bits.shape[-1] % 8:
        bits = pad(bits, [(0, 0)] * (bits.ndim - 1) + [(0, rest)])
    groups = bits.reshape((*bits.shape[:-1], bits.shape[-1] // 8, 8))
    return swapaxes((groups << _places(bitorder)).sum(-1).astype("uint8"), axis, -1)


def packbits(a: Any, axis: int | None = None, bitorder: str = "big") -> Any:
    """`jax.numpy.packbits`: each eight elements, 0 or not, as the bits of one of `uint8`."""
    array = materialized(array_from(a))
    if KINDS[array.aval.dtype] not in "iub":
        raise TypeError(f"packbits: an array of integers or bools is required, got {array.aval.dtype}")
    _check_order("packbits", bitorder)
    return _packed(array, axis, bitorder)


@functools.partial(jit, static_argnames=("axis", "count", "bitorder"))
def _unpacked(x: Any, axis: int | None, count: int | None, bitorder: str) -> Any:
    x, axis = _last(x, axis)
    bits = (x[..., None] >> _places(bitorder)) & 1
    bits = bits.reshape((*bits.shape[:-2], bits.shape[-2] * 8))
    if count is not None and count > bits.shape[-1]:
        bits = pad(bits, [(0, 0)] * (bits.ndim - 1) + [(0, count - bits.shape[-1])])
    elif count is not None:
        bits = bits[..., :count]
    return swapaxes(bits, axis, -1)


def unpackbits(a: Any, axis: int | None = None, count: int | None = None, bitorder: str = "big") -> Any:
    """`jax.numpy.unpackbits`: the eight bits of each element of `uint8`."""
    array = materialized(array_from(a))
    if array.aval.dtype != "uint8":
        raise TypeError(f"unpackbits: an array of uint8 is required, got {array.aval.dtype}")
    _check_order("unpackbits", bitorder)
    return _unpacked(array, axis, count, bitorder)
