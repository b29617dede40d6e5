"""Spectra of signals, over windows that are moved along them: by Welch's method, and over time.

Source: https://docs.jax.dev/en/latest/jax.scipy.html#module-jax.scipy.signal; P. Welch, "The use of the fast Fourier
transform for the estimation of power spectra", IEEE Transactions on Audio and Electroacoustics 15 (1967).
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import partial
from typing import Any, Final, NamedTuple

import numpy as np

from arraytyping.numpy import (
    arange,
    array,
    broadcast_shapes,
    concatenate,
    conj,
    expand_dims,
    fft,
    flip,
    iscomplexobj,
    linspace,
    median,
    moveaxis,
    pad,
    repeat,
    sin,
    sqrt,
    sum as total,
    swapaxes,
    where,
    zeros,
)
from arraytyping.numpy.conversion import asarray
from arraytyping.numpy.promoting import promoted_inexact
from arraytyping.runtime.array_likes import array_from, convert_to, materialized
from arraytyping.scalars import KINDS
from arraytyping.scipy.detrending import detrend as without_trend
from arraytyping.semantics.rules.dtype_kinds import to_complex, to_real

__all__ = ["csd", "istft", "stft", "welch"]

Detrend = bool | str | Callable[[Any], Any]


def window_of(window: Any, size: int) -> Any:
    """The weights of a named window.

    Raises:
        ImportError: if SciPy is not there, for any other than "hann".
    """
    if window == "hann":
        return array([1.0]) if size == 1 else sin(linspace(0, np.pi, size, endpoint=False)) ** 2
    try:
        from scipy.signal import get_window
    except ImportError as error:
        raise ImportError(f"scipy must be available to use {window=}") from error
    return get_window(window, size)


def _segments(window: Any, size: int | None, length: int, dtype: Any) -> tuple[Any, int]:
    """The weights of a window, given or named, and how many there are.

    Raises:
        ValueError: for weights that do not fit.
    """
    if size is not None and size < 1:
        raise ValueError("nperseg must be a positive integer")
    if isinstance(window, str | tuple):
        count = length if size is None else size
        if count > length:
            warnings.warn(
                f"nperseg={count} is greater than input_length={length}, using nperseg={length}", stacklevel=4
            )
            count = length
        return array(window_of(window, count), dtype=dtype), count
    weights = asarray(window, dtype=dtype)
    if weights.ndim != 1:
        raise ValueError("window must be 1-D")
    if length < weights.size:
        raise ValueError("window is longer than input signal")
    if size not in (None, weights.size):
        raise ValueError("value specified for nperseg is different from length of window")
    return weights, weights.size


class _Windows(NamedTuple):
    """How windows lie on a signal: so many samples each, so many in two of them, so many frequencies."""

    weights: Any
    size: int
    overlap: int
    frequencies: int

    @property
    def step(self) -> int:
        return self.size - self.overlap


def _odd(x: Any, n: int) -> Any:
    """The signal with its mirror image before and behind it, turned about its ends."""
    if n < 1:
        return x
    if n > x.shape[-1] - 1:
        raise ValueError(
            f"The extension length n ({n}) is too big. It must not exceed x.shape[axis]-1, which is {x.shape[-1] - 1}."
        )
    before, behind = flip(x[..., 1 : n + 1], -1), flip(x[..., -(n + 1) : -1], -1)
    return concatenate([2 * x[..., :1] - before, x, 2 * x[..., -1:] - behind], -1)


def _padded(x: Any, n: int, **how: Any) -> Any:
    return pad(x, [(0, 0)] * (x.ndim - 1) + [(n, n)], **how)


_BOUNDARIES: Final[dict[str | None, Callable[[Any, int], Any]]] = {
    "even": partial(_padded, mode="reflect"),
    "odd": _odd,
    "constant": partial(_padded, mode="edge"),
    "zeros": partial(_padded, mode="constant", constant_values=0.0),
    None: lambda x, n: x,
}


def _with_zeros(x: Any, n: int) -> Any:
    return concatenate([x, zeros((*x.shape[:-1], n), x.dtype)], -1) if n else x


def _trend_remover(trend: Any, axis: int) -> Callable[[Any], Any]:
    if isinstance(trend, str):
        return partial(without_trend, type=trend, axis=-1)
    if callable(trend):
        return trend if axis == -1 else lambda d: moveaxis(trend(moveaxis(d, axis, -1)), -1, axis)
    if trend:
        raise ValueError(f"Unsupported detrend type: {trend}")
    return lambda d: d


def _transformed(x: Any, windows: _Windows, remove: Callable[[Any], Any], is_onesided: bool) -> Any:
    """The transform of what each window shows; frequencies are last."""
    if windows.size == 1 and windows.overlap == 0:
        parts = x[..., None]
    else:
        starts = np.arange(0, x.shape[-1] - windows.size + 1, windows.step)
        parts = x[..., starts[:, None] + np.arange(windows.size)]
    parts = windows.weights * remove(parts)
    if is_onesided:
        return fft.rfft(parts.real, n=windows.frequencies)
    return fft.fft(parts, n=windows.frequencies)


def _factor(scaling: str, weights: Any, fs: Any, mode: str) -> Any:
    if scaling == "density":
        factor = 1.0 / (fs * total(weights * weights))
    elif scaling == "spectrum":
        factor = 1.0 / total(weights) ** 2
    else:
        raise ValueError(f"Unknown scaling: {scaling}")
    factor = array_from(sqrt(factor) if mode == "stft" else factor)
    return convert_to(factor, to_complex(factor.aval.dtype), bool(factor.aval.weak_type))


def _signals(x: Any, y: Any, axis: int) -> tuple[Any, Any, tuple[int, ...]]:
    """Both signals in one dtype, and the shape of what has no time.

    Raises:
        ValueError: for signals that do not broadcast.
    """
    arrays = [materialized(a) for a in promoted_inexact(*(array_from(a) for a in ((x,) if y is None else (x, y))))]
    outer = [tuple(n for i, n in enumerate(a.shape) if i != axis) for a in arrays]
    if y is None:
        return arrays[0], None, outer[0]
    if arrays[0].ndim != arrays[1].ndim:
        raise ValueError(f"two-arguments must have the same rank ({arrays[0].ndim} vs {arrays[1].ndim}).")
    try:
        return arrays[0], arrays[1], broadcast_shapes(*outer)
    except ValueError as error:
        raise ValueError("x and y cannot be broadcast together.") from error


def _spectrum(
    x: Any, y: Any, fs: Any, window: Any, nperseg: int | None, noverlap: int | None, nfft: int | None, trend: Detrend,
    return_onesided: bool, scaling: str, axis: int, mode: str, boundary: str | None = None, padded: bool = False,
) -> tuple[Any, Any, Any]:  # fmt: skip
    """The frequencies, the middles of the windows in time, and the transform there, or its product with another's.

    Raises:
        ValueError: for windows that do not fit, and unknown options.
    """
    if boundary not in _BOUNDARIES:
        raise ValueError(f"Unknown boundary option '{boundary}', must be one of: {[*_BOUNDARIES]}")
    rank = np.ndim(x) if not hasattr(x, "ndim") else x.ndim
    if not -rank <= axis < rank:
        raise ValueError(f"axis {axis} is out of bounds for array of dimension {rank}")
    axis %= rank
    x, y, outer = _signals(x, y, axis)
    dtype = to_complex(x.aval.dtype)
    real = to_real(dtype)
    weights, size = _segments(window, None if nperseg is None else int(nperseg), x.shape[axis], x.dtype)
    windows = _Windows(
        weights, size, size // 2 if noverlap is None else int(noverlap), size if nfft is None else int(nfft)
    )
    if x.size == 0 or (y is not None and y.size == 0):
        shape = x.shape if y is None else (*outer[:axis], min(x.shape[axis], y.shape[axis]), *outer[axis:])
        return zeros(shape, real), zeros(shape, real), zeros(shape, dtype)
    signals = [moveaxis(a, axis, -1) for a in ((x,) if y is None else (x, y))]
    length = max(a.shape[-1] for a in signals)
    signals = [_with_zeros(a, length - a.shape[-1]) for a in signals]
    if windows.frequencies < size:
        raise ValueError("nfft must be greater than or equal to nperseg.")
    if windows.overlap >= size:
        raise ValueError("noverlap must be less than nperseg.")
    signals = [_BOUNDARIES[boundary](a, size // 2) for a in signals]
    if padded:
        signals = [_with_zeros(a, (-(a.shape[-1] - size) % windows.step) % size) for a in signals]
    remove, factor = _trend_remover(trend, axis), _factor(scaling, weights, fs, mode)
    is_onesided = return_onesided
    if return_onesided and any(KINDS[a.aval.dtype] == "c" for a in signals):
        is_onesided = False
        warnings.warn("Input data is complex, switching to return_onesided=False", stacklevel=3)
    frequencies = (fft.rfftfreq if is_onesided else fft.fftfreq)(windows.frequencies, 1 / fs, dtype=real)
    transforms = [_transformed(a, windows, remove, is_onesided) for a in signals]
    result = transforms[0] if mode == "stft" else conj(transforms[0]) * transforms[-1]
    result = result * factor
    if is_onesided and mode == "psd":  # what was left out is as large
        result = result.at[..., 1 : None if windows.frequencies % 2 else -1].mul(2)
    times = arange(size / 2, signals[0].shape[-1] - size / 2 + 1, windows.step, dtype=real) / fs
    if boundary is not None:
        times = times - (size / 2) / fs
    result = result.astype(dtype)
    return frequencies, times, moveaxis(result.real if y is None and mode != "stft" else result, -1, axis)


def stft(
    x: Any, fs: Any = 1.0, window: Any = "hann", nperseg: int = 256, noverlap: int | None = None,
    nfft: int | None = None, detrend: Detrend = False, return_onesided: bool = True, boundary: str | None = "zeros",
    padded: bool = True, axis: int = -1,
) -> tuple[Any, Any, Any]:  # fmt: skip
    """`jax.scipy.signal.stft`: frequencies, times, and the transform at each time."""
    return _spectrum(
        x, None, fs, window, nperseg, noverlap, nfft, detrend, return_onesided, "spectrum", axis, "stft", boundary,
        padded,
    )  # fmt: skip


def _median_bias(n: int) -> Any:
    """How much the median of as many spectra is above their mean."""
    pairs = arange(2.0, n, 2)
    return 1 + total(1.0 / (pairs + 1) - 1.0 / pairs)


def _average(spectra: Any, average: str) -> Any:
    if spectra.ndim < 2 or spectra.size == 0:
        return spectra
    if spectra.shape[-1] == 1:
        return spectra.reshape(spectra.shape[:-1])
    if average == "mean":
        return spectra.mean(axis=-1)
    if average != "median":
        raise ValueError(f'average must be "median" or "mean", got {average}')
    bias = _median_bias(spectra.shape[-1]).astype(spectra.dtype)
    if iscomplexobj(spectra):
        return (median(spectra.real, axis=-1) + 1j * median(spectra.imag, axis=-1)) / bias
    return median(spectra, axis=-1) / bias


def csd(
    x: Any, y: Any, fs: Any = 1.0, window: Any = "hann", nperseg: int | None = None, noverlap: int | None = None,
    nfft: int | None = None, detrend: Detrend = "constant", return_onesided: bool = True, scaling: str = "density",
    axis: int = -1, average: str = "mean",
) -> tuple[Any, Any]:  # fmt: skip
    """`jax.scipy.signal.csd`: frequencies, and the cross power spectral density of two signals by Welch's method."""
    frequencies, _, spectra = _spectrum(
        x, y, fs, window, nperseg, noverlap, nfft, detrend, return_onesided, scaling, axis, "psd"
    )
    return frequencies, _average(spectra if y is None else spectra + 0j, average)


def welch(
    x: Any, fs: Any = 1.0, window: Any = "hann", nperseg: int | None = None, noverlap: int | None = None,
    nfft: int | None = None, detrend: Detrend = "constant", return_onesided: bool = True, scaling: str = "density",
    axis: int = -1, average: str = "mean",
) -> tuple[Any, Any]:  # fmt: skip
    """`jax.scipy.signal.welch`: frequencies, and the power spectral density of a signal."""
    frequencies, spectra = csd(
        x, None, fs, window, nperseg, noverlap, nfft, detrend, return_onesided, scaling, axis, average
    )
    return frequencies, spectra.real


def _overlapped(parts: Any, step: int) -> Any:
    """The sum of segments (..., count, size), each moved on by a step from the one before."""
    count, size = parts.shape[-2:]
    places = np.arange(count)[:, None] * step + np.arange(size)
    made = zeros((*parts.shape[:-2], step * (count - 1) + size), parts.dtype)
    return made.at[..., places].add(parts)


def _inverse_window(window: Any, size: int, dtype: Any) -> Any:
    if isinstance(window, str | tuple):
        return array(window_of(window, size), dtype=dtype)
    weights = asarray(window)
    if weights.ndim != 1:
        raise ValueError("window must be 1-D")
    if weights.shape[0] != size:
        raise ValueError(f"window must have length of {size}")
    return weights


def istft(
    Zxx: Any, fs: Any = 1.0, window: Any = "hann", nperseg: int | None = None, noverlap: int | None = None,
    nfft: int | None = None, input_onesided: bool = True, boundary: bool = True, time_axis: int = -1,
    freq_axis: int = -2,
) -> tuple[Any, Any]:  # fmt: skip
    """`jax.scipy.signal.istft`: times, and the signal that has this transform.

    Raises:
        ValueError: for windows and axes that do not fit.
    """
    given = materialized(array_from(Zxx))
    rank = given.ndim
    if rank < 2:
        raise ValueError("Input stft must be at least 2d!")
    for axis in (freq_axis, time_axis):
        if not -rank <= axis < rank:
            raise ValueError(f"axis {axis} is out of bounds for array of dimension {rank}")
    freq_axis, time_axis = freq_axis % rank, time_axis % rank
    if freq_axis == time_axis:
        raise ValueError("Must specify differing time and frequency axes!")
    z = asarray(given, dtype=to_complex(given.aval.dtype))
    default = 2 * (z.shape[freq_axis] - 1) if input_onesided else z.shape[freq_axis]
    size = int(nperseg or default)
    if size < 1:
        raise ValueError("nperseg must be a positive integer")
    length = default + (input_onesided and size == default + 1) if nfft is None else int(nfft)
    if length < size:
        raise ValueError(f"FFT length ({length}) must be longer than nperseg ({size}).")
    overlap = int(noverlap or size // 2)
    if overlap >= size:
        raise ValueError("noverlap must be less than nperseg.")
    z = moveaxis(z, (freq_axis, time_axis), (-2, -1))
    parts = (fft.irfft if input_onesided else fft.ifft)(z, axis=-2, n=nfft)[..., :size, :]
    weights = _inverse_window(window, size, parts.dtype)
    parts = parts * total(weights)
    weights = expand_dims(weights, (*range(parts.ndim - 2), -1))
    x = _overlapped(swapaxes(parts * weights, -2, -1), size - overlap)
    norm = _overlapped(swapaxes(repeat(weights * weights, parts.shape[-1], axis=-1), -2, -1), size - overlap)
    if boundary:
        inside = slice(size // 2, -(size // 2))
        x, norm = x[..., inside], norm[..., inside]
    x = x / where(norm > 1e-10, norm, 1.0)
    if x.ndim > 1 and time_axis != rank - 1:
        x = moveaxis(x, -1, time_axis - (freq_axis < time_axis))
    times = arange(x.shape[0], dtype=to_real(x.aval.dtype)) / fs
    return times, x
