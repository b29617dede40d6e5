"""Annotations with sums, variadic and broadcasting dimensions, fixed sizes and trees."""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Complex64, Float, Num, Shaped, UInt8


def pad(x: Float[Array, "*batch n"]) -> Float[Array, "*batch n+1"]:
    ones = jnp.ones((*x.shape[:-1], 1))
    return jnp.concatenate([ones, x], axis=-1)  # mistake: return jnp.concatenate([ones, x, ones], axis=-1) [array-annotation] silent


def blend(a: Num[Array, "#h #w 3"], b: Num[Array, "#h #w 3"]) -> Float[Array, "h w 3"]:
    return 0.5 * (a + b)


def to_bytes(image: Float[Array, "h w 3"]) -> UInt8[Array, "h w 3"]:
    scaled = jnp.clip(image * 255, 0, 255)
    return scaled.astype(jnp.uint8)  # mistake: return scaled.round() [array-annotation] silent


def spectrum(signal: Float[Array, " n"]) -> Complex64[Array, " m"]:
    out: Complex64[Array, " m"] = jnp.fft.rfft(signal)  # mistake: out: Complex64[Array, " m"] = jnp.abs(jnp.fft.rfft(signal)) [array-annotation] silent
    return out


def score(image: Shaped[Array, "h w c"]) -> tuple[Float[Array, ""], Float[Array, " c"]]:
    means = image.mean(axis=(0, 1))
    return means.sum(), means  # mistake: return means, means.sum() [array-annotation] silent


def centred(image) -> jax.Array:
    return image - image.mean()  # mistake: return image - image.mean(), image.mean() [array-annotation] silent


image = jnp.ones((4, 5, 3))
print(to_bytes(blend(image, jnp.zeros((1, 1, 3)))).dtype)
print(score(image), centred(image))  # mistake: print(score(image[0]), centred(image)) [array-annotation] silent
print(pad(jnp.ones((2, 3, 4))).shape, spectrum(jnp.ones(8)).shape)
