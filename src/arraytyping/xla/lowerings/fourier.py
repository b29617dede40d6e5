"""Fast Fourier transforms; where there is no element, zeros.

Source: https://openxla.org/stablehlo/spec#fft.
"""

from __future__ import annotations

from typing import Any

from jaxlib.mlir.dialects import stablehlo as hlo

from arraytyping.lax.fourier import fft_p
from arraytyping.xla.types import int_array, zeros


def _fft(cx: Any, avals_in: Any, aval_out: Any, x: Any, *, fft_type: Any, fft_lengths: tuple[int, ...]) -> Any:
    if 0 in avals_in[0].shape or 0 in aval_out.shape:
        return zeros(aval_out)
    if len(fft_lengths) > 3:  # XLA transforms up to three dimensions at once
        raise NotImplementedError(f"fft of {len(fft_lengths)} dimensions at once; transform three and then the others")
    return hlo.fft(x, hlo.FftTypeAttr.get(fft_type.name), int_array(fft_lengths))


fft_p.lowering = _fft
