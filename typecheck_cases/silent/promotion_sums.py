"""Quantized inference and counts: what is added up has room."""

import flax.linen as nn
import jax
import jax.numpy as jnp


def quantize(x):
    scale = jnp.max(jnp.abs(x)) / 127
    return jnp.round(x / scale).astype(jnp.int8), scale


def linear(x, w):
    qx, sx = quantize(x)
    qw, sw = quantize(w)
    total = jnp.matmul(qx, qw, preferred_element_type=jnp.int32)  # mistake: total = qx @ qw [array-promotion-sum]
    return total * (sx * sw)


def similarity(a, b):
    qa, _ = quantize(a)
    qb, _ = quantize(b)
    return jnp.einsum("nd,md->nm", qa, qb, preferred_element_type=jnp.int32)  # mistake: return jnp.einsum("nd,md->nm", qa, qb) [array-promotion-sum]


def histogram(labels):
    hits = (labels[:, None] == jnp.arange(3)).astype(jnp.uint8)
    return jnp.cumsum(hits, axis=0, dtype=jnp.int32)[-1]  # mistake: return jnp.cumsum(hits, axis=0)[-1] [array-promotion-sum]


def brightness(image):
    return image.sum()  # mistake: return image.sum(dtype=jnp.uint8) [array-promotion-sum]


class Counter(nn.Module):
    """Counts what is positive."""

    @nn.compact
    def __call__(self, x):
        positive = (x > 0).astype(jnp.int8)
        weights = jnp.ones(x.shape[-1], jnp.int8)
        return jnp.dot(positive, weights.astype(jnp.int32))  # mistake: return jnp.dot(positive, weights) [array-promotion-sum]


key = jax.random.key(0)
x, w = jax.random.normal(key, (4, 64)), jnp.ones((64, 2))
print(linear(x, w))
print(similarity(x, x))
print(histogram(jnp.zeros(300, jnp.int32)))
print(brightness(jnp.full((8, 8), 200, jnp.uint8)))
print(Counter().apply({}, jnp.ones((2, 300))))
