"""8-bit images: scaling to floats, channel statistics, gamma, histograms and a mosaic."""

import numpy as np


class Normaliser:
    """Subtracts the mean of each channel and divides by its deviation."""

    def __init__(self, images):
        scaled = images / 255
        self.mean = scaled.mean(axis=(0, 1, 2))
        self.std = scaled.std(axis=(0, 1, 2))

    def __call__(self, images):
        return (images.astype(np.float32) / 255 - self.mean) / self.std

    def undo(self, batch):
        restored = (batch * self.std + self.mean) * 255
        return np.clip(np.rint(restored), 0, 255).astype(np.uint8)


images = np.random.default_rng(7).integers(0, 256, size=(4, 8, 8, 3), dtype=np.uint8)
images = np.asarray(images)
normalise = Normaliser(images)
batch = normalise(images)
again = normalise.undo(batch)
difference = np.abs(again.astype(np.int16) - images).max()
grey = images @ np.array([0.299, 0.587, 0.114], dtype=np.float32)
gamma = (grey / 255) ** (1 / 2.2)
brighter = images + np.uint8(10)
doubled = images * 2
total = images.sum()
mean = images.mean()
histogram = np.bincount(images.reshape(-1), minlength=256)
cumulative = np.cumsum(histogram)
flat = cumulative / cumulative[-1]
table = (flat * 255).astype(np.uint8)
equalised = table[images]
mask = grey > grey.mean()
bright = np.where(mask, grey, 0)
mosaic = np.concatenate([images[0], images[1]], axis=1)
padded = np.pad(mosaic, ((1, 1), (1, 1), (0, 0)))
half = padded.astype(np.float16) / 2
print(int(difference), int(total), float(mean), equalised.dtype, bright.shape, half.shape, gamma.shape)
