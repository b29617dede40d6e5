"""The functions of `scipy.signal` and `scipy.fft` against JAX's: values, derivatives and refusals."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import jax.scipy.fft
import jax.scipy.signal
import numpy as np
import pytest
from kept_leaves import leaves_of_jax

import arraytyping as at
import arraytyping.scipy.fft
import arraytyping.scipy.signal

GENERATOR = np.random.default_rng(0)
X = GENERATOR.normal(size=(2, 40)).astype(np.float32)
Y = GENERATOR.normal(size=(2, 33)).astype(np.float32)
Z = (X + 1j * X[::-1]).astype(np.complex64)
SPECTRUM = (GENERATOR.normal(size=(2, 5, 11)) + 1j * GENERATOR.normal(size=(2, 5, 11))).astype(np.complex64)


def outcome(library: Any, call: Callable[..., Any]) -> Any:
    """The leaves of a result, or the class of the exception."""
    scipy, numpy = library.scipy, library.numpy
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = call(scipy.signal, scipy.fft, numpy.asarray, library)
    except Exception as error:
        return type(error)
    return [(str(x.dtype), x.shape, bool(x.weak_type), np.asarray(x)) for x in library.tree.leaves(found)]


def check(name: str, call: Callable[..., Any]) -> None:
    """Assert that a call gives the same of both libraries, to rounding."""
    ours, theirs = outcome(at, call), leaves_of_jax(partial(outcome, jax, call))
    if isinstance(ours, type) or isinstance(theirs, type):
        assert isinstance(ours, type), (name, theirs)
        assert issubclass(ours, theirs), (name, ours, theirs)
        return
    assert [a[:3] for a in ours] == [b[:3] for b in theirs], name
    for a, b in zip(ours, theirs, strict=True):
        tolerance = 2e-2 if a[0] == "float16" else 2e-4
        np.testing.assert_allclose(a[3], b[3], tolerance, tolerance * max(1, np.abs(b[3]).max(initial=0)), err_msg=name)


SPECTRA: dict[str, Callable[..., Any]] = {
    "stft": lambda s, f, a, m: s.stft(a(X), nperseg=8),
    "stft along the first axis": lambda s, f, a, m: s.stft(a(X.T), nperseg=8, axis=0, noverlap=1),
    "odd": lambda s, f, a, m: s.stft(a(X), nperseg=9, boundary="odd", noverlap=3),
    "even": lambda s, f, a, m: s.stft(a(Z), nperseg=8, boundary="even", padded=False),
    "constant": lambda s, f, a, m: s.stft(
        a(X), nperseg=8, boundary="constant", nfft=12, return_onesided=False, detrend="linear"
    ),
    "a window": lambda s, f, a, m: s.stft(a(X), fs=3.0, nperseg=5, window=np.array([1.0, 2, 3, 2, 1], np.float32)),
    "few samples": lambda s, f, a, m: s.stft(a(X), nperseg=100),
    "no samples": lambda s, f, a, m: s.stft(a(X[:, :0])),
    "half": lambda s, f, a, m: s.stft(a(X.astype(np.float16)), nperseg=8),
    "too much overlap": lambda s, f, a, m: s.stft(a(X), nperseg=8, noverlap=8),
    "too few frequencies": lambda s, f, a, m: s.stft(a(X), nperseg=8, nfft=4),
    "csd": lambda s, f, a, m: s.csd(a(X), a(Y), nperseg=8),
    "csd, the median": lambda s, f, a, m: s.csd(a(X), a(Y), nperseg=8, average="median"),
    "csd, another": lambda s, f, a, m: s.csd(a(X), a(Y), nperseg=8, average="other"),
    "csd of ranks": lambda s, f, a, m: s.csd(a(X), a(Y[0])),
    "welch": lambda s, f, a, m: s.welch(a(X), nperseg=7, average="median", nfft=9),
    "welch of complex numbers": lambda s, f, a, m: s.welch(a(Z), nperseg=8, detrend=False),
    "slope of welch": lambda s, f, a, m: m.grad(lambda x: s.welch(x, nperseg=8)[1].sum())(a(X)),
    "istft": lambda s, f, a, m: s.istft(a(SPECTRUM), nperseg=8),
    "istft of other axes": lambda s, f, a, m: s.istft(a(SPECTRUM.transpose(2, 0, 1)), time_axis=0, freq_axis=2),
    "istft, two sides": lambda s, f, a, m: s.istft(a(SPECTRUM), input_onesided=False, boundary=False),
    "istft, one axis": lambda s, f, a, m: s.istft(a(SPECTRUM), time_axis=1, freq_axis=1),
    "detrend": lambda s, f, a, m: [s.detrend(a(X), bp=[5, 20]), s.detrend(a(X), axis=0, type="constant")],
    "detrend of integers": lambda s, f, a, m: s.detrend(a((X * 9).astype(np.int32))),
    "a break outside": lambda s, f, a, m: s.detrend(a(X), bp=50),
}


QUICK = ("stft", "odd", "no samples", "too much overlap", "csd of ranks", "welch", "istft of other axes", "detrend")


@pytest.mark.parametrize("name", [pytest.param(n, marks=[] if n in QUICK else pytest.mark.thorough) for n in SPECTRA])
def test_spectra(name: str) -> None:
    check(name, SPECTRA[name])


@pytest.mark.parametrize(
    "shapes",
    [
        ((3,), (5,)),
        ((2, 3), (5, 4)),
        *(pytest.param(s, marks=pytest.mark.thorough) for s in (((5, 4), (2, 3)), ((2, 4), (5, 2)), ((4,), (4,)))),
    ],
)
def test_convolutions(shapes: Any) -> None:
    a, b = (GENERATOR.normal(size=s) + 1j * GENERATOR.normal(size=s) for s in shapes)
    x, y = (v.astype(np.complex64) if len(shapes[0]) == 2 else v.real.astype(np.float32) for v in (a, b))
    for mode in ("full", "same", "valid"):
        for name in ("convolve", "correlate", "convolve2d", "correlate2d", "fftconvolve"):
            check(f"{name} {mode}", lambda s, f, a, m, n=name, o=mode: getattr(s, n)(a(x), a(y), o))


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("dct", marks=pytest.mark.thorough),
        "idct",
        "dctn",
        pytest.param("idctn", marks=pytest.mark.thorough),
    ],
)
def test_cosine_transforms(name: str) -> None:
    one = name in ("dct", "idct")
    options: list[dict[str, Any]] = [{}, {"norm": "ortho"}]
    options += [{"axis": 0, "n": 3}] if one else [{"s": (3, 50), "axes": (1, 0)}]
    x = Z if one else X
    for kwargs in options:
        check(f"{name} {kwargs}", lambda s, f, a, m, k=kwargs: getattr(f, name)(a(x), **k))
    if one:
        check("slope", lambda s, f, a, m: m.grad(lambda x: (getattr(f, name)(x) ** 2).sum())(a(X)))
