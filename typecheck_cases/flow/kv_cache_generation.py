"""Autoregressive sampling from a rotary-embedding transformer with a key/value cache."""

import dataclasses
from functools import partial

import jax
import jax.numpy as jnp
from jax import lax


@dataclasses.dataclass(frozen=True)
class ModelConfig:
    vocab: int = 32
    dim: int = 32
    n_layers: int = 2
    n_heads: int = 4
    n_kv_heads: int = 2
    max_seq: int = 24

    @property
    def head_dim(self):
        return self.dim // self.n_heads


@partial(jax.tree_util.register_dataclass, data_fields=["k", "v", "length"], meta_fields=[])
@dataclasses.dataclass
class Cache:
    k: jax.Array  # [layers, batch, seq, kv_heads, head_dim]
    v: jax.Array
    length: jax.Array

    @classmethod
    def empty(cls, cfg, batch, dtype=jnp.bfloat16):
        shape = (cfg.n_layers, batch, cfg.max_seq, cfg.n_kv_heads, cfg.head_dim)
        return cls(jnp.zeros(shape, dtype), jnp.zeros(shape, dtype), jnp.array(0, jnp.int32))


@partial(jax.jit, static_argnums=1)
def init_weights(key, cfg):
    init = jax.nn.initializers.variance_scaling(1.0, "fan_in", "normal")
    kv_dim = cfg.n_kv_heads * cfg.head_dim
    shapes = {
        "wq": (cfg.dim, cfg.dim),
        "wk": (cfg.dim, kv_dim),
        "wv": (cfg.dim, kv_dim),
        "wo": (cfg.dim, cfg.dim),
        "w1": (cfg.dim, 2 * cfg.dim),
        "w3": (cfg.dim, 2 * cfg.dim),
        "w2": (2 * cfg.dim, cfg.dim),
    }
    key, k_embed = jax.random.split(key)
    weights = {"embed": jax.random.normal(k_embed, (cfg.vocab, cfg.dim)) * 0.5, "layers": []}
    for _ in range(cfg.n_layers):
        key, *subkeys = jax.random.split(key, len(shapes) + 1)
        layer = {name: init(k, shape, jnp.float32) for k, (name, shape) in zip(subkeys, shapes.items())}
        layer["norm_attn"] = jnp.ones(cfg.dim)
        layer["norm_ffn"] = jnp.ones(cfg.dim)
        weights["layers"].append(layer)
    return weights


def rms_norm(x, gain):
    return x * lax.rsqrt(jnp.mean(jnp.square(x), axis=-1, keepdims=True) + 1e-6) * gain


def rotary(x, positions):
    """Rotates pairs of channels; x is [batch, seq, heads, head_dim]."""
    half = x.shape[-1] // 2
    freqs = 10_000.0 ** (-jnp.arange(half) / half)
    angles = positions[:, None] * freqs
    cos, sin = jnp.cos(angles)[None, :, None, :], jnp.sin(angles)[None, :, None, :]
    x1, x2 = x[..., :half], x[..., half:]
    return jnp.concatenate([x1 * cos - x2 * sin, x2 * cos + x1 * sin], axis=-1)


def attend(layer, x, cache_k, cache_v, start, cfg):
    b, t, _ = x.shape
    positions = start + jnp.arange(t)
    q = (x @ layer["wq"]).reshape(b, t, cfg.n_heads, cfg.head_dim)
    k = (x @ layer["wk"]).reshape(b, t, cfg.n_kv_heads, -1)
    v = (x @ layer["wv"]).reshape(b, t, cfg.n_kv_heads, -1)
    q, k = rotary(q, positions), rotary(k, positions)

    cache_k = lax.dynamic_update_slice(cache_k, k.astype(cache_k.dtype), (0, start, 0, 0))
    cache_v = lax.dynamic_update_slice(cache_v, v.astype(cache_v.dtype), (0, start, 0, 0))

    group = cfg.n_heads // cfg.n_kv_heads
    q = q.reshape(b, t, cfg.n_kv_heads, group, cfg.head_dim)
    scores = jnp.einsum("btkgd,bskd->bkgts", q, cache_k.astype(q.dtype)) * cfg.head_dim**-0.5
    visible = jnp.arange(cfg.max_seq)[None, :] <= positions[:, None]
    probs = jax.nn.softmax(jnp.where(visible, scores, -jnp.inf), axis=-1)
    out = jnp.einsum("bkgts,bskd->btkgd", probs, cache_v.astype(probs.dtype))
    return out.reshape(b, t, cfg.dim) @ layer["wo"], cache_k, cache_v


def forward(weights, tokens, cache, cfg):
    x = weights["embed"][tokens]
    new_k, new_v = [], []
    for i, layer in enumerate(weights["layers"]):
        h, k, v = attend(layer, rms_norm(x, layer["norm_attn"]), cache.k[i], cache.v[i], cache.length, cfg)
        x = x + h
        y = rms_norm(x, layer["norm_ffn"])
        x = x + (jax.nn.silu(y @ layer["w1"]) * (y @ layer["w3"])) @ layer["w2"]
        new_k.append(k)
        new_v.append(v)
    cache = Cache(jnp.stack(new_k), jnp.stack(new_v), cache.length + tokens.shape[1])
    return x[:, -1] @ weights["embed"].T, cache


def sample(key, logits, temperature, top_k):
    if temperature == 0:
        return jnp.argmax(logits, axis=-1)
    kth = lax.top_k(logits, top_k)[0][:, -1:]
    return jax.random.categorical(key, jnp.where(logits < kth, -jnp.inf, logits) / temperature)


@partial(jax.jit, static_argnames=("cfg", "n_new", "temperature", "top_k"))
def generate(weights, prompt, key, *, cfg, n_new, temperature=0.8, top_k=5):
    cache = Cache.empty(cfg, prompt.shape[0])
    logits, cache = forward(weights, prompt, cache, cfg)

    def step(carry, step_key):
        logits, cache = carry
        token = sample(step_key, logits, temperature, top_k)
        logits, cache = forward(weights, token[:, None], cache, cfg)
        return (logits, cache), token

    (_, cache), tokens = lax.scan(step, (logits, cache), jax.random.split(key, n_new))
    return jnp.concatenate([prompt, tokens.T], axis=1), cache.length


def main():
    cfg = ModelConfig()
    init_key, *keys = jax.random.split(jax.random.key(42), 3)
    weights = init_weights(init_key, cfg)
    prompt = jnp.array([[1, 2, 3, 4], [9, 8, 7, 6]], dtype=jnp.int32)
    for key, temperature in zip(keys, (0.0, 1.0)):
        text, length = generate(weights, prompt, key, cfg=cfg, n_new=8, temperature=temperature)
        assert text.shape == (2, 12), text.shape
        print(f"T={temperature}: cache holds {length} positions, dtype {text.dtype}")


if __name__ == "__main__":
    main()
