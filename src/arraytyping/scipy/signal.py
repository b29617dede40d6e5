"""Signals: convolutions, trends and spectra, under the names of `jax.scipy.signal`."""

from arraytyping.runtime import whole as whole  # first: what follows computes with it
from arraytyping.scipy.convolving import (
    convolve as convolve,
    convolve2d as convolve2d,
    correlate as correlate,
    correlate2d as correlate2d,
    fftconvolve as fftconvolve,
)
from arraytyping.scipy.detrending import detrend as detrend
from arraytyping.scipy.spectra import csd as csd, istft as istft, stft as stft, welch as welch
