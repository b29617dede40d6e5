"""Causal self-attention with several heads."""

import jax
import jax.numpy as jnp


def init(key, dim):
    names = ["q", "k", "v", "out"]
    return {n: jax.random.normal(k, (dim, dim)) / dim**0.5 for n, k in zip(names, jax.random.split(key, 4))}


def split_heads(x, heads):
    b, t, d = x.shape
    return x.reshape(b, t, heads, d // heads)  # mistake: return x.reshape(b, t, heads, d) [array-shape]


def attention(params, x, heads):
    q, k, v = (split_heads(x @ params[n], heads) for n in "qkv")
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / q.shape[-1] ** 0.5
    t = x.shape[1]
    mask = jnp.tril(jnp.ones((t, t), bool))
    scores = jnp.where(mask, scores, -jnp.inf)
    weights = jax.nn.softmax(scores, axis=-1)
    mixed = jnp.einsum("bhqk,bkhd->bqhd", weights, v)  # mistake: mixed = jnp.einsum("bhqk,bhkd->bqhd", weights, v) [array-shape]
    return mixed.reshape(x.shape) @ params["out"]  # mistake: return mixed.reshape(x.shape) @ params["o"] [call]


def block(params, x, heads=4):
    return x + attention(params, x, heads)


params = init(jax.random.key(0), 32)
x = jax.random.normal(jax.random.key(1), (2, 10, 32))
y = jax.jit(block, static_argnames="heads")(params, x)
print(y.shape, jnp.abs(y).max())
