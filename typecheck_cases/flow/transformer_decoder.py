"""A GPT-style decoder over a params dict, trained to reverse short digit sequences."""

import math
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import lax, random


class Config(NamedTuple):
    vocab_size: int = 13
    max_len: int = 16
    d_model: int = 32
    n_heads: int = 4
    n_layers: int = 2
    d_ff: int = 64
    dropout: float = 0.1


PAD, BOS, SEP = 10, 11, 12


def dense_init(key, n_in, n_out, scale=1.0):
    std = scale / math.sqrt(n_in)
    return {"kernel": std * random.truncated_normal(key, -2, 2, (n_in, n_out)), "bias": jnp.zeros(n_out)}


def dense(p, x):
    return x @ p["kernel"] + p["bias"]


def layer_norm(p, x, eps=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    var = x.var(axis=-1, keepdims=True)
    return p["scale"] * (x - mean) * lax.rsqrt(var + eps) + p["offset"]


def init_block(key, cfg):
    k_qkv, k_out, k_up, k_down = random.split(key, 4)
    norm = lambda: {"scale": jnp.ones(cfg.d_model), "offset": jnp.zeros(cfg.d_model)}
    depth_scale = 1 / math.sqrt(2 * cfg.n_layers)
    return {
        "norm1": norm(),
        "norm2": norm(),
        "qkv": dense_init(k_qkv, cfg.d_model, 3 * cfg.d_model),
        "out": dense_init(k_out, cfg.d_model, cfg.d_model, depth_scale),
        "up": dense_init(k_up, cfg.d_model, cfg.d_ff),
        "down": dense_init(k_down, cfg.d_ff, cfg.d_model, depth_scale),
    }


def init(key, cfg):
    k_tok, k_pos, *k_blocks = random.split(key, 2 + cfg.n_layers)
    return {
        "tok": 0.02 * random.normal(k_tok, (cfg.vocab_size, cfg.d_model)),
        "pos": 0.02 * random.normal(k_pos, (cfg.max_len, cfg.d_model)),
        "blocks": [init_block(k, cfg) for k in k_blocks],
        "norm_f": {"scale": jnp.ones(cfg.d_model), "offset": jnp.zeros(cfg.d_model)},
    }


def dropout(key, x, rate):
    if key is None or rate == 0.0:
        return x
    keep = random.bernoulli(key, 1 - rate, x.shape)
    return jnp.where(keep, x / (1 - rate), 0)


def attention(p, x, n_heads):
    b, t, d = x.shape
    q, k, v = jnp.split(dense(p["qkv"], x), 3, axis=-1)
    split_heads = lambda a: a.reshape(b, t, n_heads, d // n_heads).transpose(0, 2, 1, 3)
    q, k, v = map(split_heads, (q, k, v))
    scores = jnp.einsum("bhqd,bhkd->bhqk", q, k) / math.sqrt(d // n_heads)
    causal = jnp.tril(jnp.ones((t, t), dtype=bool))
    scores = jnp.where(causal, scores, -1e9)
    mixed = jnp.einsum("bhqk,bhkd->bhqd", jax.nn.softmax(scores, axis=-1), v)
    return dense(p["out"], mixed.transpose(0, 2, 1, 3).reshape(b, t, d))


def apply(params, tokens, cfg, key=None):
    _, t = tokens.shape
    x = params["tok"][tokens] + params["pos"][:t]
    keys = [None] * cfg.n_layers if key is None else list(random.split(key, cfg.n_layers))
    for block, k in zip(params["blocks"], keys):
        k1, k2 = (None, None) if k is None else random.split(k)
        x = x + dropout(k1, attention(block, layer_norm(block["norm1"], x), cfg.n_heads), cfg.dropout)
        h = jax.nn.gelu(dense(block["up"], layer_norm(block["norm2"], x)))
        x = x + dropout(k2, dense(block["down"], h), cfg.dropout)
    return layer_norm(params["norm_f"], x) @ params["tok"].T


def loss_fn(params, tokens, loss_mask, cfg, key):
    logits = apply(params, tokens[:, :-1], cfg, key)
    targets, mask = tokens[:, 1:], loss_mask[:, 1:]
    logp = jax.nn.log_softmax(logits)
    token_nll = -jnp.take_along_axis(logp, targets[..., None], axis=-1).squeeze(-1)
    return jnp.sum(token_nll * mask) / jnp.maximum(mask.sum(), 1)


@partial(jax.jit, static_argnums=(3,))
def adam_step(state, tokens, mask, cfg, key):
    params, m, v, step = state
    loss, grads = jax.value_and_grad(loss_fn)(params, tokens, mask, cfg, key)
    step = step + 1
    b1, b2 = 0.9, 0.98
    m = jax.tree.map(lambda m_, g: b1 * m_ + (1 - b1) * g, m, grads)
    v = jax.tree.map(lambda v_, g: b2 * v_ + (1 - b2) * g**2, v, grads)
    lr = 3e-3 * jnp.minimum(step / 5, 1.0)
    c1, c2 = 1 - b1**step, 1 - b2**step
    params = jax.tree.map(lambda p, m_, v_: p - lr * (m_ / c1) / (jnp.sqrt(v_ / c2) + 1e-8), params, m, v)
    return (params, m, v, step), loss


def make_batch(key, batch_size, n):
    """`BOS digits SEP reversed digits`, with a mask over the part to predict."""
    digits = random.randint(key, (batch_size, n), 0, 10)
    column = lambda token: jnp.full((batch_size, 1), token)
    tokens = jnp.concatenate([column(BOS), digits, column(SEP), digits[:, ::-1]], axis=1)
    mask = jnp.arange(tokens.shape[1]) > n + 1
    return tokens, jnp.broadcast_to(mask, tokens.shape).astype(jnp.float32)


if __name__ == "__main__":
    cfg = Config()
    root = random.key(0)
    root, init_key = random.split(root)
    params = jax.jit(init, static_argnames="cfg")(init_key, cfg=cfg)
    zeros = jax.tree.map(jnp.zeros_like, params)
    state = (params, zeros, zeros, jnp.zeros((), jnp.int32))
    print("parameters:", sum(x.size for x in jax.tree_util.tree_leaves(params)))
    for step in range(12):
        root, data_key, drop_key = random.split(root, 3)
        tokens, mask = make_batch(data_key, 16, 6)
        state, loss = adam_step(state, tokens, mask, cfg, drop_key)
        if step % 4 == 3:
            print(f"step {step + 1:3d} loss {loss:.3f}")
    eval_logits = jax.jit(apply, static_argnums=2)(state[0], tokens[:, :-1], cfg)
    print("eval logits", eval_logits.shape, eval_logits.dtype)
