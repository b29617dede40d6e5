"""Discrete Fourier transforms, under `jax.numpy.fft`'s names and signatures.

Source: https://docs.jax.dev/en/latest/jax.numpy.fft.html; `jax/_src/numpy/fft.py`.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from typing import Any, Final

from arraytyping import config
from arraytyping.numpy.conversion import array
from arraytyping.numpy.padding import pad
from arraytyping.numpy.parts import conj
from arraytyping.numpy.permuting import moveaxis, roll
from arraytyping.numpy.ranges import arange
from arraytyping.runtime.array_likes import array_from, convert_to, materialized
from arraytyping.runtime.calling import operation
from arraytyping.runtime.lax.dtype_arguments import canonical_dtype
from arraytyping.runtime.lax.fourier import FftType, fft as transform
from arraytyping.scalars import KINDS

__all__ = [
    "fft", "fft2", "fftfreq", "fftn", "fftshift", "hfft", "ifft", "ifft2", "ifftn", "ifftshift", "ihfft", "irfft",
    "irfft2", "irfftn", "rfft", "rfft2", "rfftfreq", "rfftn",
]  # fmt: skip

_MOST: Final = 3
"""The dimensions that XLA transforms at once."""


def _scale(name: str, norm: str, lengths: Sequence[int]) -> float:
    is_inverse, total = name.startswith("i"), math.prod(lengths)
    if norm == "backward":
        return 1.0
    if norm == "ortho":
        return math.sqrt(total) if is_inverse else 1 / math.sqrt(total)
    if norm == "forward":
        return float(total) if is_inverse else 1 / total
    raise ValueError(f'Invalid norm value {norm}; should be "backward", "ortho" or "forward".')


def _transformed(x: Any, kind: FftType, lengths: Sequence[int]) -> Any:
    """The transform of the last dimensions, of any number."""
    if len(lengths) <= _MOST:
        return transform(x, kind, tuple(lengths))
    rank = len(x.aval.shape)
    rest = FftType.FFT if kind in (FftType.FFT, FftType.RFFT) else FftType.IFFT
    if kind is not FftType.IRFFT:
        x = transform(x, kind, lengths[-1:])
    for n, axis in zip(lengths[:-1], range(rank - len(lengths), rank - 1)):
        x = moveaxis(transform(moveaxis(x, axis, -1), rest, (n,)), -1, axis)
    return transform(x, kind, lengths[-1:]) if kind is FftType.IRFFT else x


def _fft(name: str, kind: FftType, a: Any, s: Any, axes: Any, norm: str | None) -> Any:
    x = materialized(array_from(a))
    rank = len(x.aval.shape)
    lengths = None if s is None else tuple(map(operator.index, s))
    if lengths is not None and min(lengths, default=1) <= 0:
        raise ValueError(f"jax.numpy.fft.{name}: Shape should be positive, got {lengths}.")
    if lengths is not None and axes is not None and len(lengths) != len(axes):
        raise ValueError("Shape and axes have different lengths.")
    given = None if axes is None else tuple(map(operator.index, axes))
    count = len(given) if given is not None else rank if lengths is None else len(lengths)
    if given is not None and len(given) != len(set(given)):
        raise ValueError(f"jax.numpy.fft.{name} does not support repeated axes. Got axes {given}.")
    if count > rank:
        raise ValueError(f"jax.numpy.fft.{name}: {count} dimensions are to be transformed, and the array has {rank}")
    last = tuple(range(rank - count, rank))
    if given is not None:
        x = moveaxis(x, given, last)
    sizes = list(x.aval.shape)
    if lengths is not None:
        wanted = [*sizes[: rank - count], *lengths]
        if kind is FftType.IRFFT and count:
            wanted[-1] = wanted[-1] // 2 + 1
        x = x[tuple(slice(n) for n in wanted)]
        x = pad(x, [(0, n - m) for n, m in zip(wanted, x.aval.shape)])
    else:
        lengths = tuple(sizes[rank - count :])
        if kind is FftType.IRFFT and count:
            lengths = (*lengths[:-1], max(0, 2 * (lengths[-1] - 1)))
    y = _transformed(x, kind, lengths)
    if norm is not None:
        y = y * _scale(name, norm, lengths)
    return y if given is None else moveaxis(y, last, given)


def _one_axis(name: str, axis: Any) -> None:
    if isinstance(axis, list | tuple):
        raise ValueError(
            f"jax.numpy.fft.{name} does not support multiple axes. Please use jax.numpy.fft.{name}n. Got axis = "
            f"{axis!r}."
        )


def _fft_1d(name: str, kind: FftType, a: Any, n: int | None, axis: Any, norm: str | None) -> Any:
    _one_axis(name, axis)
    return _fft(name, kind, a, None if n is None else (n,), None if axis is None else (axis,), norm)


def _fft_2d(name: str, kind: FftType, a: Any, s: Any, axes: Any, norm: str | None) -> Any:
    if len(axes) != 2:
        raise ValueError(f"jax.numpy.fft.{name} only supports 2 axes. Got axes = {axes!r}.")
    return _fft(name, kind, a, s, axes, norm)


def fft(a: Any, n: int | None = None, axis: int = -1, norm: str | None = None) -> Any:
    """The transform along one dimension.

    Raises:
        ValueError: for a length that is not positive, several dimensions, and an unknown `norm`.
    """
    return _fft_1d("fft", FftType.FFT, a, n, axis, norm)


def fft2(a: Any, s: Sequence[int] | None = None, axes: Sequence[int] = (-2, -1), norm: str | None = None) -> Any:
    """The transform along two dimensions; raises as `fft`."""
    return _fft_2d("fft2", FftType.FFT, a, s, axes, norm)


def fftn(a: Any, s: Sequence[int] | None = None, axes: Sequence[int] | None = None, norm: str | None = None) -> Any:
    """The transform along several dimensions; raises as `fft`."""
    return _fft("fftn", FftType.FFT, a, s, axes, norm)


def ifft(a: Any, n: int | None = None, axis: int = -1, norm: str | None = None) -> Any:
    """The inverse transform along one dimension.

    Raises:
        ValueError: for a length that is not positive, several dimensions, and an unknown `norm`.
    """
    return _fft_1d("ifft", FftType.IFFT, a, n, axis, norm)


def ifft2(a: Any, s: Sequence[int] | None = None, axes: Sequence[int] = (-2, -1), norm: str | None = None) -> Any:
    """The inverse transform along two dimensions; raises as `ifft`."""
    return _fft_2d("ifft2", FftType.IFFT, a, s, axes, norm)


def ifftn(a: Any, s: Sequence[int] | None = None, axes: Sequence[int] | None = None, norm: str | None = None) -> Any:
    """The inverse transform along several dimensions; raises as `ifft`."""
    return _fft("ifftn", FftType.IFFT, a, s, axes, norm)


def rfft(a: Any, n: int | None = None, axis: int = -1, norm: str | None = None) -> Any:
    """The transform of real numbers, to half of the frequencies, along one dimension.

    Raises:
        ValueError: for a length that is not positive, several dimensions, and an unknown `norm`.
    """
    return _fft_1d("rfft", FftType.RFFT, a, n, axis, norm)


def rfft2(a: Any, s: Sequence[int] | None = None, axes: Sequence[int] = (-2, -1), norm: str | None = None) -> Any:
    """The transform of real numbers, to half of the frequencies, along two dimensions; raises as `rfft`."""
    return _fft_2d("rfft2", FftType.RFFT, a, s, axes, norm)


def rfftn(a: Any, s: Sequence[int] | None = None, axes: Sequence[int] | None = None, norm: str | None = None) -> Any:
    """The transform of real numbers, to half of the frequencies, along several dimensions; raises as `rfft`."""
    return _fft("rfftn", FftType.RFFT, a, s, axes, norm)


def irfft(a: Any, n: int | None = None, axis: int = -1, norm: str | None = None) -> Any:
    """The inverse of `rfft`, real, along one dimension.

    Raises:
        ValueError: for a length that is not positive, several dimensions, and an unknown `norm`.
    """
    return _fft_1d("irfft", FftType.IRFFT, a, n, axis, norm)


def irfft2(a: Any, s: Sequence[int] | None = None, axes: Sequence[int] = (-2, -1), norm: str | None = None) -> Any:
    """The inverse of `rfft`, real, along two dimensions; raises as `irfft`."""
    return _fft_2d("irfft2", FftType.IRFFT, a, s, axes, norm)


def irfftn(a: Any, s: Sequence[int] | None = None, axes: Sequence[int] | None = None, norm: str | None = None) -> Any:
    """The inverse of `rfft`, real, along several dimensions; raises as `irfft`."""
    return _fft("irfftn", FftType.IRFFT, a, s, axes, norm)


@operation("numpy.fft.hfft", "a", how="inline")
def hfft(a: Any, n: int | None = None, axis: int = -1, norm: str | None = None) -> Any:
    """The transform, real, of the half of a signal that is equal to its mirrored conjugate; raises as `fft`."""
    _one_axis("hfft", axis)
    x = conj(a)
    length = (x.aval.shape[axis] - 1) * 2 if n is None else n
    return _fft_1d("hfft", FftType.IRFFT, x, n, axis, norm) * length


@operation("numpy.fft.ihfft", "a", how="inline")
def ihfft(a: Any, n: int | None = None, axis: int = -1, norm: str | None = None) -> Any:
    """The inverse of `hfft`; raises as `fft`."""
    _one_axis("ihfft", axis)
    x = materialized(array_from(a))
    length = x.aval.shape[axis] if n is None else n
    return conj(_fft_1d("ihfft", FftType.RFFT, x, n, axis, norm)) * (1 / length)


def _frequencies(name: str, n: Any, d: Any, dtype: Any, numerators: Any) -> Any:
    for given, what in ((n, "n"), (d, "d")):
        if isinstance(given, list | tuple):
            raise ValueError(f"The {what} argument of jax.numpy.fft.{name} only takes one number. Got {given!r}.")
    default = config.promotion().default("float")
    wanted = default if dtype is None else canonical_dtype(dtype, name)
    exact = wanted if wanted.startswith(("float", "bfloat")) else default
    return convert_to(numerators(exact) / materialized(convert_to(array_from(d * n), exact)), wanted)


def fftfreq(n: int, d: Any = 1.0, *, dtype: Any = None, device: Any = None) -> Any:
    """The frequencies of `fft` of `n` samples at the distance `d`.

    Raises:
        ValueError: if either is a list.
    """
    return _frequencies("fftfreq", n, d, dtype, lambda t: (arange(n, dtype=t) + n // 2) % n - n // 2)


def rfftfreq(n: int, d: Any = 1.0, *, dtype: Any = None, device: Any = None) -> Any:
    """The frequencies of `rfft`; raises as `fftfreq`.

    Of an integer dtype both the number and the length are integers, and the quotient a float, as in JAX.
    """
    if dtype is not None and KINDS[wanted := canonical_dtype(dtype, "rfftfreq")] in "iu":
        return arange(0, n // 2 + 1, dtype=wanted) / array(d * n, dtype=wanted)
    return _frequencies("rfftfreq", n, d, dtype, lambda t: arange(0, n // 2 + 1, dtype=t))


def _shifted(x: Any, axes: Any, sign: int) -> Any:
    x = materialized(array_from(x))
    sizes = x.aval.shape
    chosen = range(len(sizes)) if axes is None else (axes,) if isinstance(axes, int) else tuple(axes)
    shift = tuple(sizes[axis] // 2 if sign > 0 else -(sizes[axis] // 2) for axis in chosen)
    return roll(x, shift, tuple(chosen))


def fftshift(x: Any, axes: Any = None) -> Any:
    """The array with the frequency zero in the middle."""
    return _shifted(x, axes, 1)


def ifftshift(x: Any, axes: Any = None) -> Any:
    """The inverse of `fftshift`."""
    return _shifted(x, axes, -1)
