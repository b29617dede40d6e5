"""`diffusers`: the autoencoder and schedulers of Flax, as they are before the release that has none any more.

Its modules compute in the dtype that is asked for, float32 by default.

Source: https://huggingface.co/docs/diffusers/v0.35.0/api/models/autoencoderkl.
"""

import jax.numpy as jnp
from diffusers.flax_schedulers import (
    FlaxDDIMScheduler,
    FlaxDDPMScheduler,
    FlaxDPMSolverMultistepScheduler,
    FlaxPNDMScheduler,
)

from arraytyping import facts

_KNOWN = (
    "CompVis/stable-diffusion-v1-4", "pcuenq/sd-vae-ft-mse-flax", "runwayml/stable-diffusion-v1-5",
    "stabilityai/sd-vae-ft-ema", "stabilityai/sd-vae-ft-mse",
)  # fmt: skip
"""Published models of 4 channels, whose latents are an eighth as high and as wide as images."""


class FlaxDiagonalGaussianDistribution:
    """Of latents; in another dtype than float32 they are drawn in that of what is known of them, and in float32 besides."""

    def __init__(self, dtype, shape):
        self._dtype, self._shape = dtype, shape
        self.mean = self.std = self.var = self.logvar = facts.array(dtype, shape)

    def sample(self, key):
        return facts.array("float32" if self._dtype == "float32" else None, self._shape)

    def mode(self):
        return self.mean

    def __getattr__(self, name):
        return facts.unknown("attribute " + name + " of a distribution of latents")


class _Given:
    def __init__(self, **values):
        self._values = values

    def __getitem__(self, name):
        return self._values[name] if name in self._values else facts.unknown("a part of what a model gives")

    def __getattr__(self, name):
        return self._values[name] if name in self._values else facts.unknown("a part of what a model gives")


class FlaxAutoencoderKL:
    block_out_channels = (128, 256, 512, 512)

    def __init__(self, dtype, is_known):
        self._dtype, self._is_known = dtype, is_known
        channels = 4 if is_known else facts.size("channels", 1)
        self.config = _Given(scaling_factor=facts.number(), latent_channels=channels)
        if not is_known:
            self.block_out_channels = facts.unknown("the channels of an autoencoder")

    @classmethod
    def from_pretrained(cls, name, *args, dtype=jnp.float32, **options):
        parameters = facts.unknown("the parameters of a model that is read")
        is_known = isinstance(name, str) and name in _KNOWN
        return FlaxAutoencoderKL("float32" if dtype is jnp.float32 else None, is_known), parameters

    def apply(self, variables, value, *args, method=None, **options):
        if method is None:
            return facts.unknown("what an autoencoder gives")
        return method(value, *args)

    def encode(self, sample, deterministic=True, return_dict=True):
        """Images with their channels first; latents with theirs last."""
        n, _, height, width = sample.shape
        sizes = (height // 8, width // 8) if self._is_known else (facts.size("height"), facts.size("width"))
        known = FlaxDiagonalGaussianDistribution(self._dtype, (n, *sizes, self.config.latent_channels))
        return _Given(latent_dist=known) if return_dict else (known,)

    def decode(self, latents, deterministic=True, return_dict=True):
        """Latents with their channels last, as those of `encode`, or first."""
        n, height, width, channels = latents.shape
        shape = (n, facts.size("channels"), facts.size("height"), facts.size("width"))
        if self._is_known:
            shape = (n, 3, height * 8, width * 8) if channels == 4 else (n, 3, width * 8, channels * 8)
        made = facts.array(self._dtype, shape)
        return _Given(sample=made) if return_dict else (made,)

    def __getattr__(self, name):
        return facts.unknown("attribute " + name + " of an autoencoder")


def __getattr__(name):
    return facts.unknown("diffusers." + name)
