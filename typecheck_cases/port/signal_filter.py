"""A noisy sine wave: windows, moving averages, envelopes, zero crossings."""

import numpy as np

SAMPLE_RATE = 200


def sine(frequency, seconds):
    t = np.arange(0, seconds, 1 / SAMPLE_RATE)
    return t, np.sin(2 * np.pi * frequency * t)


def moving_average(signal, width):
    kernel = np.ones(width) / width
    return np.convolve(signal, kernel, mode="same")


def hann(n):
    return 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(n) / (n - 1))


def zero_crossings(signal):
    signs = np.sign(signal)
    return np.where(np.diff(signs) != 0)[0]


t, clean = sine(3.0, 1.0)
noise = np.random.default_rng(1).normal(scale=0.1, size=t.shape)
noisy = clean + noise
smooth = moving_average(noisy, 9)
windowed = smooth * hann(len(smooth))
power = np.abs(windowed) ** 2
decibel = 10 * np.log10(power + 1e-12)
energy = np.trapezoid(power, t)
envelope = np.maximum.accumulate(np.abs(smooth))
phase = np.exp(1j * 2 * np.pi * 3.0 * t)
demodulated = (phase.conj() * smooth).mean()
magnitude = abs(demodulated)
crossings = zero_crossings(clean)
quantised = np.round(clean * 127).astype(np.int8)
restored = quantised / np.float32(127)
root_mean_square = np.sqrt(np.mean(restored**2))
print(len(crossings) >= 0, float(energy), float(magnitude), float(root_mean_square), decibel.shape, envelope[-1])
