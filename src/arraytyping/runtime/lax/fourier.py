"""Fast Fourier transforms.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.lax.fft.html; the transposes,
https://github.com/jax-ml/jax/blob/main/jax/_src/lax/fft.py.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from arraytyping.runtime.array_likes import convert_to
from arraytyping.runtime.calling import operation
from arraytyping.runtime.core import EVAL, Primitive
from arraytyping.runtime.lax.arithmetic import constant_like, div_p, mul_p
from arraytyping.runtime.lax.complex_numbers import conj_p
from arraytyping.runtime.lax.structure import linear_unary, moveaxis, reshape
from arraytyping.runtime.np_dtypes import np_dtype
from arraytyping.runtime.tracing.batching import Axis
from arraytyping.scalars import KINDS
from arraytyping.semantics.rules.dtype_kinds import to_inexact
from arraytyping.semantics.rules.named import named

__all__ = ["FftType", "fft", "fft_p"]


class FftType(enum.IntEnum):
    """Which transform: of complex numbers, its inverse, of real numbers to half of the frequencies, its inverse."""

    FFT = 0
    IFFT = 1
    RFFT = 2
    IRFFT = 3

    def __repr__(self) -> str:
        return f"{type(self).__name__}.{self.name}"


fft_p: Final = Primitive("fft", named("lax.fft"))
linear_unary(fft_p)


def _weights(count: int, length: int, dtype: str, rank: int) -> Any:
    """1 for the frequencies that occur once, 2 for those whose mirror image is left out."""
    weights = np.full(count, 2)
    weights[0] = 1
    if length % 2 == 0:
        weights[-1] = 1
    return EVAL.array_of(weights.astype(np_dtype(dtype)).reshape((1,) * (rank - 1) + (count,)))


def _transpose(ct: Any, x: Any, *, fft_type: FftType, fft_lengths: tuple[int, ...]) -> list[Any]:
    rank, total = len(ct.aval.shape), math.prod(fft_lengths)
    if fft_type is FftType.RFFT:
        weights = _weights(ct.aval.shape[-1], fft_lengths[-1], ct.aval.dtype, rank)
        shared = div_p.bind(conj_p.bind(ct), weights)
        back = fft_p.bind(shared, fft_type=FftType.IRFFT, fft_lengths=fft_lengths)
        return [mul_p.bind(constant_like(back, total), back)]
    if fft_type is FftType.IRFFT:
        there = fft_p.bind(ct, fft_type=FftType.RFFT, fft_lengths=fft_lengths)
        weights = _weights(there.aval.shape[-1], fft_lengths[-1], there.aval.dtype, rank)
        return [conj_p.bind(mul_p.bind(constant_like(there, 1 / total), mul_p.bind(weights, there)))]
    return [fft_p.bind(ct, fft_type=fft_type, fft_lengths=fft_lengths)]


def _batch(axis: Axis, args: Sequence[Any], dims: Sequence[int], **params: Any) -> tuple[Any, int]:
    return fft_p.bind(moveaxis(args[0], dims[0], 0), **params), 0


fft_p.transpose_rule = _transpose
fft_p.batching_rule = _batch


@operation("lax.fft", "x", how="inline")
def fft(x: Any, fft_type: Any, fft_lengths: int | Sequence[int]) -> Any:
    """`jax.lax.fft`: the transform of the last dimensions, as many as there are lengths."""
    kind = FftType[fft_type.upper()] if isinstance(fft_type, str) else FftType[fft_type.name]
    lengths = (fft_lengths,) if isinstance(fft_lengths, int) else tuple(map(int, fft_lengths))
    dtype = x.aval.dtype
    if kind is FftType.RFFT:
        x = convert_to(x, to_inexact(dtype))
    elif KINDS[dtype] != "c":
        x = convert_to(x, "complex128" if to_inexact(dtype) == "float64" else "complex64")
    return fft_p.bind(x, fft_type=kind, fft_lengths=lengths) if lengths else reshape(x, x.aval.shape)
