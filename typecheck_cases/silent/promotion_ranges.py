"""Numbers that fit: images of bytes, hashes, epsilons and masks in half precision."""

import jax
import jax.numpy as jnp

EPS = 1e-4  # mistake a: EPS = 1e-8 [array-promotion-range]
MASKED = -6e4  # mistake b: MASKED = -1e9 [array-promotion-range]


def normalize(x):
    centered = x - x.mean(-1, keepdims=True)
    return centered / (centered.std(-1, keepdims=True) + EPS)  # shows a


def attend(scores, mask):
    bias = (1 - mask) * MASKED  # shows b
    return jax.nn.softmax(scores + bias, axis=-1)


def brighten(image):
    wide = image.astype(jnp.int16)  # mistake c: wide = image [array-promotion-range]
    return jnp.clip(wide + 300, 0, 255)  # shows c


def bucket(hashes, salt):
    mixed = hashes ^ salt.astype(jnp.uint32)  # mistake: mixed = hashes ^ salt [array-promotion-range]
    return mixed % 10


def quantize(x):
    steps = jnp.round(x * 100).astype(jnp.int8)
    return steps == 100  # mistake: return steps == 200 [array-promotion-range]


def scale_up(gradient):
    return gradient * 1024.0  # mistake: return gradient * 1e5 [array-promotion-range]


half = jnp.full((2, 4), 0.25, jnp.float16)
print(normalize(half))
print(attend(half, jnp.array([1.0, 1.0, 0.0, 0.0], jnp.float16)))
print(brighten(jnp.array([0, 128, 255], jnp.uint8)))
print(bucket(jnp.array([4000000000], jnp.uint32), jnp.array([3], jnp.int8)))
print((jnp.array([4000000000], jnp.uint32) ^ jnp.uint32(3)) % 10)
print(quantize(jnp.array([1.0, -0.56])))
print(scale_up(half))
