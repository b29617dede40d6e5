"""Audio-style signal processing: window-designed FIR, IIR by associative scan, STFT, peak tracking, resampling."""

from __future__ import annotations

from dataclasses import dataclass, field

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Complex, Float


@dataclass(frozen=True)
class STFTConfig:
    frame: int = 64
    hop: int = 16
    window: str = "hann"
    taps: np.ndarray = field(init=False, compare=False)

    def __post_init__(self):
        makers = {"hann": np.hanning, "hamming": np.hamming, "blackman": np.blackman}
        if self.window not in makers:
            raise KeyError(f"unknown window {self.window!r}; choose from {sorted(makers)}")
        # periodic window: one longer, last dropped
        object.__setattr__(self, "taps", makers[self.window](self.frame + 1)[:-1].astype(np.float32))

    def num_frames(self, n):
        return 1 + (n - self.frame) // self.hop


def design_lowpass(cutoff, rate, num_taps=31):
    """Windowed sinc."""
    t = np.arange(num_taps) - (num_taps - 1) / 2
    fc = cutoff / rate
    h = 2 * fc * np.sinc(2 * fc * t) * np.kaiser(num_taps, 6.0)
    return (h / h.sum()).astype("f4")


def fir(x: Float[Array, " n"], h: Float[np.ndarray, " k"]) -> Float[Array, " n"]:
    return jnp.convolve(x, h, mode="same")


def one_pole(x, a):
    """y[t] = a y[t-1] + (1 - a) x[t], in logarithmic depth."""

    def combine(left, right):
        a1, b1 = left
        a2, b2 = right
        return a1 * a2, a2 * b1 + b2

    coeffs = jnp.full_like(x, a)
    _, y = jax.lax.associative_scan(combine, (coeffs, (1 - a) * x), axis=-1)
    return y


def frames(x, size, hop):
    starts = jnp.arange(1 + (x.shape[-1] - size) // hop) * hop
    return jax.vmap(lambda s: jax.lax.dynamic_slice_in_dim(x, s, size))(starts)


def stft(x: Float[Array, " n"], cfg: STFTConfig) -> Complex[Array, "frames bins"]:
    return jnp.fft.rfft(frames(x, cfg.frame, cfg.hop) * cfg.taps, axis=-1)


def istft(spec, cfg, length):
    segments = jnp.fft.irfft(spec, n=cfg.frame) * cfg.taps
    pos = jnp.arange(segments.shape[0])[:, None] * cfg.hop + jnp.arange(cfg.frame)
    out = jnp.zeros(length).at[pos].add(segments)
    weight = jnp.zeros(length).at[pos].add(jnp.broadcast_to(cfg.taps**2, pos.shape))
    return out / jnp.maximum(weight, 1e-3)


def peak_frequency(spec, rate, n):
    """Strongest bin per frame, refined by a parabola through its neighbours."""
    mag = jnp.log(jnp.abs(spec) + 1e-9)
    k = jnp.clip(mag.argmax(axis=1), 1, mag.shape[1] - 2)
    left, mid, right = (jnp.take_along_axis(mag, (k + d)[:, None], 1)[:, 0] for d in (-1, 0, 1))
    offset = 0.5 * (left - right) / (left - 2 * mid + right)
    return (k + offset) * rate / n


def resample(x, factor):
    n = len(x)
    new = int(n * factor)
    return jnp.interp(jnp.arange(new) / factor, jnp.arange(n), x)


def spectral_gate(spec, keep=0.85):
    mag = jnp.abs(spec)
    floor = jnp.quantile(mag, keep, axis=0, keepdims=True)
    return spec * jax.nn.sigmoid(8 * (mag / floor - 1))


def envelope(x):
    """Analytic signal by zeroing the negative frequencies."""
    n = x.shape[0]
    gain = np.zeros(n, np.float32)
    gain[0] = 1
    if n % 2 == 0:
        gain[n // 2] = 1
        gain[1 : n // 2] = 2
    else:
        gain[1 : (n + 1) // 2] = 2
    return jnp.abs(jnp.fft.ifft(jnp.fft.fft(x) * gain))


def main(rate=1000, seconds=0.5):
    rng = np.random.default_rng(0)
    t = np.arange(int(rate * seconds)) / rate
    chirp = np.sin(2 * np.pi * (50 * t + 0.5 * 120 * t**2))
    signal = (chirp + 0.4 * np.sin(2 * np.pi * 400 * t) + 0.1 * rng.normal(size=t.size)).astype(np.float32)
    x = jnp.asarray(signal)

    h = design_lowpass(200.0, rate)
    cfg = STFTConfig()

    @jax.jit
    def analyse(x):
        low = fir(x, h)
        spec = stft(low, cfg)
        return {
            "low": low,
            "spec": spec,
            "track": peak_frequency(spec, rate, cfg.frame),
            "loudness": one_pole(envelope(low), 0.95),
            "rebuilt": istft(spec, cfg, low.size),
            "gated": istft(spectral_gate(spec), cfg, low.size),
            "half": resample(low, 0.5),
        }

    out = analyse(x)
    gain_db = 20 * np.log10(np.abs(np.fft.rfft(h, 512)) + 1e-12)
    print(f"filter: {gain_db[0]:.1f} dB at 0 Hz, below {gain_db[205:].max():.0f} dB above 400 Hz")
    print("spectrogram", out["spec"].shape, out["spec"].dtype, "expected frames", cfg.num_frames(len(x)))
    inner = slice(cfg.frame, -cfg.frame)
    residue = np.abs(np.asarray(out["rebuilt"] - out["low"]))[inner].max()
    print("perfect reconstruction:", residue < 1e-4)
    slope, start = np.polyfit((np.arange(len(out["track"])) * cfg.hop + cfg.frame / 2) / rate, out["track"], 1)
    print(f"tracked chirp: {start:.0f} Hz + {slope:.0f} Hz/s")
    print("loudness settles at", out["loudness"][-100:].mean().round(2), "resampled to", out["half"].shape)
    try:
        STFTConfig(window="gauss")
    except KeyError as err:
        print("error:", err.args[0])


if __name__ == "__main__":
    main()
