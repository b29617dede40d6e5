"""Attention with einsum, in bfloat16 and float32: causal masks, many heads, layer norm, a train step."""

import jax
import jax.numpy as jnp
from jax import random


def layer_norm(x, scale, bias, eps=1e-5):
    mean = x.mean(-1, keepdims=True)
    variance = jnp.var(x, axis=-1, keepdims=True)
    return (x - mean) * jax.lax.rsqrt(variance + eps) * scale + bias


def attention(params, x, heads):
    b, t, d = x.shape
    q, k, v = jnp.einsum("btd,sdhk->sbhtk", x, params["qkv"].reshape(3, d, heads, d // heads))
    scores = jnp.einsum("bhqk,bhtk->bhqt", q, k) / jnp.sqrt(d // heads).astype(x.dtype)
    mask = jnp.tril(jnp.ones((t, t), bool))
    weights = jax.nn.softmax(jnp.where(mask, scores, jnp.finfo(x.dtype).min), axis=-1)
    return jnp.einsum("bhqt,bhtk->bqhk", weights, v).reshape(b, t, d) @ params["out"], weights


def block(params, x, heads=2):
    mixed, weights = attention(params, layer_norm(x, params["scale"], params["bias"]), heads)
    x = x + mixed
    return x + jax.nn.gelu(x @ params["up"]) @ params["down"], weights


def init(key, d, dtype):
    shapes = {"down": (2 * d, d), "out": (d, d), "qkv": (3, d, d), "up": (d, 2 * d)}
    params = {n: 0.2 * random.normal(k, s, dtype) for (n, s), k in zip(shapes.items(), random.split(key, 4))}
    return params | {"bias": jnp.zeros(d, dtype), "scale": jnp.ones(d, dtype)}


def loss(params, tokens, table):
    x = table[tokens[:, :-1]]
    y, _ = block(params, x)
    logits = (y @ table.T).astype(jnp.float32)
    log_probs = jax.nn.log_softmax(logits)
    return -jnp.take_along_axis(log_probs, tokens[:, 1:, None], axis=-1).mean()


for dtype in (jnp.float32, jnp.bfloat16):
    params = init(random.key(0), 8, dtype)
    table = random.normal(random.key(1), (11, 8), dtype)
    tokens = random.randint(random.key(2), (3, 7), 0, 11)
    step = jax.jit(jax.value_and_grad(loss))
    value, grads = step(params, tokens, table)
    y, weights = block(params, table[tokens])
    print(value.dtype, f"{value:.2f}", y.dtype, weights[0, 0, :2, :3].astype(float).round(1))
    print({n: (str(g.dtype), g.shape) for n, g in sorted(grads.items())})
cached = jax.vmap(lambda q, k: jnp.einsum("d,td->t", q, k), in_axes=(0, None))(
    jnp.eye(4), jnp.arange(12.0).reshape(3, 4)
)
print(
    cached,
    jnp.einsum("ii->i", jnp.arange(9).reshape(3, 3)),
    jnp.einsum("ij,jk,kl->il", *[jnp.eye(2) * k for k in (1, 2, 3)]),
)
