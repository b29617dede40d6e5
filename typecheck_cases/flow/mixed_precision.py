"""Mixed-precision training: bfloat16 compute, float32 master weights and dynamic loss scaling."""

import dataclasses
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int, PyTree


@dataclasses.dataclass(frozen=True)
class Policy:
    param_dtype: Any = jnp.float32
    compute_dtype: Any = jnp.bfloat16
    output_dtype: Any = jnp.float32

    def _cast(self, tree, dtype):
        def convert(x):
            return x.astype(dtype) if jnp.issubdtype(x.dtype, jnp.floating) else x

        return jax.tree.map(convert, tree)

    def to_compute(self, tree):
        return self._cast(tree, self.compute_dtype)

    def to_param(self, tree):
        return self._cast(tree, self.param_dtype)

    def to_output(self, tree):
        return self._cast(tree, self.output_dtype)


class LossScale(NamedTuple):
    scale: jax.Array
    good_steps: jax.Array

    @classmethod
    def create(cls, initial=2.0**12):
        return cls(jnp.float32(initial), jnp.int32(0))

    def adjust(self, finite, period=8, factor=2.0):
        grown = jnp.where(self.good_steps + 1 >= period, self.scale * factor, self.scale)
        shrunk = jnp.maximum(self.scale / factor, 1.0)
        good_steps = jnp.where(finite, (self.good_steps + 1) % period, 0)
        return LossScale(jnp.where(finite, grown, shrunk), good_steps)


def init_params(key, vocab, dim, n_classes, depth=2):
    k_embed, k_out, *k_hidden = jax.random.split(key, depth + 2)
    dense = jax.nn.initializers.lecun_normal(dtype=jnp.float32)
    return {
        "embedding": jax.random.normal(k_embed, (vocab, dim), jnp.float32) * 0.1,
        "hidden": [{"w": dense(k, (dim, dim)), "b": jnp.zeros((dim,), jnp.float32)} for k in k_hidden],
        "out": dense(k_out, (dim, n_classes)),
    }


def apply(params: PyTree, tokens: Int[Array, "batch time"], mask: Bool[Array, "batch time"]):
    x = params["embedding"][tokens]
    weights = mask.astype(x.dtype)[..., None]
    x = jnp.sum(x * weights, axis=1) / jnp.maximum(jnp.sum(weights, axis=1), 1)
    for layer in params["hidden"]:
        # Statistics in float32: bfloat16 has only 8 bits of mantissa.
        x32 = x.astype(jnp.float32)
        normed = (x32 - x32.mean(-1, keepdims=True)) * jax.lax.rsqrt(x32.var(-1, keepdims=True) + 1e-5)
        x = x + jax.nn.gelu(normed.astype(x.dtype) @ layer["w"] + layer["b"])
    return x @ params["out"]


def cross_entropy(logits: Float[Array, "batch classes"], labels: Int[Array, "batch"]) -> Float[Array, ""]:
    picked = jnp.take_along_axis(logits, labels[:, None], axis=-1)[:, 0]
    return jnp.mean(jax.nn.logsumexp(logits, axis=-1) - picked)


def all_finite(tree):
    return jnp.all(jnp.array([jnp.all(jnp.isfinite(x)) for x in jax.tree.leaves(tree)]))


def select(condition, on_true, on_false):
    return jax.tree.map(lambda a, b: jnp.where(condition, a, b), on_true, on_false)


@partial(jax.jit, static_argnums=0)
def train_step(policy, params, momentum, loss_scale, batch):
    def scaled_loss(master):
        logits = policy.to_output(apply(policy.to_compute(master), batch["tokens"], batch["mask"]))
        loss = cross_entropy(logits, batch["labels"])
        return loss * loss_scale.scale, loss

    grads, loss = jax.grad(scaled_loss, has_aux=True)(params)
    grads = jax.tree.map(lambda g: g / loss_scale.scale, policy.to_param(grads))
    finite = all_finite(grads)
    new_momentum = jax.tree.map(lambda m, g: 0.9 * m + g, momentum, grads)
    new_params = jax.tree.map(lambda p, m: p - 0.1 * m, params, new_momentum)
    params = select(finite, new_params, params)
    momentum = select(finite, new_momentum, momentum)
    return params, momentum, loss_scale.adjust(finite), {"loss": loss, "finite": finite}


def make_batches(n, batch_size, vocab, max_len, seed):
    rng = np.random.default_rng(seed)
    for _ in range(n):
        lengths = rng.integers(3, max_len + 1, size=(batch_size, 1))
        mask = np.arange(max_len) < lengths
        tokens = np.where(mask, rng.integers(1, vocab, size=(batch_size, max_len)), 0)
        labels = (tokens > vocab // 2).sum(1) * 2 > lengths[:, 0]
        yield {"tokens": tokens.astype(np.int32), "mask": mask, "labels": labels.astype(np.int32)}


def main():
    policy = Policy()
    init = jax.jit(init_params, static_argnames=("vocab", "dim", "n_classes", "depth"))
    params = init(jax.random.PRNGKey(0), vocab=20, dim=32, n_classes=2)
    momentum = jax.tree.map(jnp.zeros_like, params)
    loss_scale = LossScale.create()
    skipped = 0
    losses = []
    for i, batch in enumerate(make_batches(16, 32, 20, 12, seed=0)):
        params, momentum, loss_scale, metrics = train_step(policy, params, momentum, loss_scale, batch)
        skipped += int(not metrics["finite"])
        losses.append(metrics["loss"])
        if i % 5 == 0:
            print(f"{i:3d} loss {metrics['loss']:.3f} scale {loss_scale.scale:.0f}")
    dtypes = sorted({str(leaf.dtype) for leaf in jax.tree.leaves(params)})
    print(f"master weights {dtypes}, skipped {skipped}, improved {losses[-1] < losses[0]}")

    half = policy.to_compute(params)
    logits_half = apply(half, batch["tokens"], batch["mask"])
    logits_full = apply(params, batch["tokens"], batch["mask"])
    gap = jnp.max(jnp.abs(logits_half - logits_full))
    print("inference in", logits_half.dtype, "differs by less than 0.1:", bool(gap < 0.1))


if __name__ == "__main__":
    main()
