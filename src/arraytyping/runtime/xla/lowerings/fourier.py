"""Fast Fourier transforms; where there is no element, zeros.

On GPUs an inverse of several dimensions is computed in steps: cuFFT takes frequencies to be symmetric in all of them.

Source: https://openxla.org/stablehlo/spec#fft; `_fft_lowering_gpu` of
https://github.com/jax-ml/jax/blob/main/jax/_src/lax/fft.py.
"""

from __future__ import annotations

from typing import Any

from jaxlib.mlir.dialects import stablehlo as hlo

from arraytyping.runtime.lax.fourier import FftType, fft_p
from arraytyping.runtime.lax.structure import moveaxis
from arraytyping.runtime.xla.lowerings.composing import built
from arraytyping.runtime.xla.types import int_array, zeros


def _in_steps(x: Any, fft_lengths: tuple[int, ...]) -> Any:
    """The other dimensions first, as complex numbers, then the last one."""
    place = len(x.aval.shape) - len(fft_lengths)
    others = moveaxis(x, -1, place)
    others = fft_p.bind(others, fft_type=FftType.IFFT, fft_lengths=fft_lengths[:-1])
    return fft_p.bind(moveaxis(others, place, -1), fft_type=FftType.IRFFT, fft_lengths=fft_lengths[-1:])


def _fft(cx: Any, avals_in: Any, aval_out: Any, x: Any, *, fft_type: FftType, fft_lengths: tuple[int, ...]) -> Any:
    if 0 in avals_in[0].shape or 0 in aval_out.shape:
        return zeros(aval_out)
    if len(fft_lengths) > 3:  # XLA transforms up to three dimensions at once
        raise NotImplementedError(f"fft of {len(fft_lengths)} dimensions at once; transform three and then the others")
    if fft_type is FftType.IRFFT and len(fft_lengths) > 1 and cx.platform != "cpu":
        return built(cx, lambda v: _in_steps(v, fft_lengths), avals_in, [x])
    return hlo.fft(x, hlo.FftTypeAttr.get(fft_type.name), int_array(fft_lengths))


fft_p.lowering = _fft
