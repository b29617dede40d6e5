"""Convolutions and correlations of arrays of any rank, moved along each other or by Fourier transforms.

Source: https://docs.jax.dev/en/latest/jax.scipy.html#module-jax.scipy.signal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from arraytyping.numpy import conj, fft, flip
from arraytyping.numpy.promoting import is_complex, promoted_inexact
from arraytyping.runtime.array_likes import materialized
from arraytyping.runtime.calling import operation
from arraytyping.runtime.lax.convolution_functions import conv_general_dilated
from arraytyping.runtime.lax.structure import reshape
from arraytyping.runtime.transformations.mapping import vmap

__all__ = ["convolve", "convolve2d", "correlate", "correlate2d", "fftconvolve"]


def _paddings(mode: str, size: int, second: int) -> tuple[int, int]:
    """What is put around a dimension of the larger operand, of the sizes of the smaller one and of the second."""
    if mode == "valid":
        return 0, 0
    if mode == "full":
        return size - 1, size - 1
    before = (second - 1) // 2
    return size - 1 - before, size - second + before


def _direct(a: Any, b: Any, mode: str, precision: Any) -> Any:
    a, b = (materialized(x) for x in promoted_inexact(a, b))
    second = b.aval.shape
    if all(n <= m for n, m in zip(a.aval.shape, second)):
        a, b = b, a
    size = b.aval.shape
    result = conv_general_dilated(
        reshape(a, (1, 1, *a.aval.shape)), reshape(flip(b), (1, 1, *size)), (1,) * len(size),
        [_paddings(mode, n, m) for n, m in zip(size, second)], precision=precision,
    )  # fmt: skip
    return reshape(result, result.aval.shape[2:])


def _middle(x: Any, sizes: Sequence[int]) -> Any:
    """The part of these sizes in the middle of an array."""
    starts = [(n - m) // 2 for n, m in zip(x.aval.shape, sizes)]
    return x[tuple(slice(i, i + m) for i, m in zip(starts, sizes))]


def _by_transforms(a: Any, b: Any, mode: str) -> Any:
    n, m = a.aval.shape, b.aval.shape
    if mode == "valid" and all(i <= j for i, j in zip(n, m)):
        a, b, n, m = b, a, m, n
    full = tuple(i + j - 1 for i, j in zip(n, m))
    if all(1 in sizes for sizes in zip(n, m)):  # a product by a number, in the end
        result = a * b
    elif is_complex(a):
        result = fft.ifftn(fft.fftn(a, full) * fft.fftn(b, full), full)
    else:
        result = fft.irfftn(fft.rfftn(a, full) * fft.rfftn(b, full), full)
    if mode == "full":
        return result
    return _middle(result, n if mode == "same" else [i - j + 1 for i, j in zip(n, m)])


def _over_axes(a: Any, b: Any, mode: str, axes: Any) -> Any:
    a, b = (materialized(x) for x in promoted_inexact(a, b))
    rank = len(a.aval.shape)
    chosen = {*range(rank)} if axes is None else {i % rank for i in ([axes] if isinstance(axes, int) else axes)}
    function: Callable[[Any, Any], Any] = lambda a, b: _by_transforms(a, b, mode)  # noqa: E731
    for axis in sorted({*range(rank)} - chosen):
        function = vmap(function, axis, axis)
    return function(a, b)


@operation("scipy.signal.fftconvolve", "in1", "in2")
def fftconvolve(in1: Any, in2: Any, mode: str = "full", axes: Sequence[int] | None = None) -> Any:
    """`jax.scipy.signal.fftconvolve`: the convolution along these axes, by Fourier transforms."""
    return _over_axes(in1, in2, mode, axes)


def _by_method(a: Any, b: Any, mode: str, method: str, precision: Any) -> Any:
    return _over_axes(a, b, mode, None) if method == "fft" else _direct(a, b, mode, precision)


@operation("scipy.signal.convolve", "in1", "in2")
def convolve(in1: Any, in2: Any, mode: str = "full", method: str = "auto", precision: Any = None) -> Any:
    """`jax.scipy.signal.convolve`: the convolution, where they overlap at all, wholly, or of the first one's size."""
    return _by_method(in1, in2, mode, method, precision)


@operation("scipy.signal.correlate", "in1", "in2")
def correlate(in1: Any, in2: Any, mode: str = "full", method: str = "auto", precision: Any = None) -> Any:
    """`jax.scipy.signal.correlate`: the convolution with the second array conjugated and turned round."""
    return _by_method(in1, flip(conj(in2)), mode, method, precision)


@operation("scipy.signal.convolve2d", "in1", "in2")
def convolve2d(
    in1: Any, in2: Any, mode: str = "full", boundary: str = "fill", fillvalue: float = 0, precision: Any = None
) -> Any:
    """`jax.scipy.signal.convolve2d`: the convolution of two arrays of two dimensions, with zeros around them."""
    return _direct(in1, in2, mode, precision)


@operation("scipy.signal.correlate2d", "in1", "in2")
def correlate2d(
    in1: Any, in2: Any, mode: str = "full", boundary: str = "fill", fillvalue: float = 0, precision: Any = None
) -> Any:
    """`jax.scipy.signal.correlate2d`: the correlation of two arrays of two dimensions, with zeros around them.

    What the smaller one is moved along is turned round, and the result back: so the middle of "same" is that of SciPy.
    """
    n, m = in1.aval.shape, in2.aval.shape
    if mode != "same" and all(i <= j for i, j in zip(n, m)) and (mode == "full" or n != m):
        result = _direct(flip(in2), conj(in1), mode, precision)
        return conj(result) if mode == "full" else result
    return flip(_direct(flip(in1), conj(in2), mode, precision))
