"""A Flax Linen vision transformer with dropout and batch statistics, trained with Optax."""

from collections.abc import Callable
from typing import Any

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax.training import train_state


class TrainState(train_state.TrainState):
    batch_stats: Any
    dropout_key: jax.Array


class MlpBlock(nn.Module):
    mlp_dim: int
    dropout_rate: float = 0.1
    activation: Callable = nn.gelu

    @nn.compact
    def __call__(self, x, *, deterministic):
        d = x.shape[-1]
        y = nn.Dense(self.mlp_dim)(x)
        y = self.activation(y)
        y = nn.Dropout(self.dropout_rate)(y, deterministic=deterministic)
        return nn.Dense(d)(y)


class EncoderBlock(nn.Module):
    num_heads: int
    mlp_dim: int

    @nn.compact
    def __call__(self, x, train):
        y = nn.LayerNorm()(x)
        y = nn.MultiHeadDotProductAttention(num_heads=self.num_heads)(y, y)
        x = x + y
        y = nn.LayerNorm()(x)
        return x + MlpBlock(self.mlp_dim, name="mlp")(y, deterministic=not train)


class VisionTransformer(nn.Module):
    patch: int = 4
    dim: int = 16
    depth: int = 1
    num_heads: int = 2
    num_classes: int = 4

    @nn.compact
    def __call__(self, images, train=True):
        x = nn.Conv(self.dim, (self.patch, self.patch), strides=(self.patch, self.patch), padding="VALID")(images)
        x = nn.BatchNorm(use_running_average=not train, momentum=0.9)(x)
        n, h, w, c = x.shape
        x = x.reshape(n, h * w, c)
        position = self.param("position", nn.initializers.normal(0.02), (1, h * w, c))
        cls = self.param("cls", nn.initializers.normal(0.02), (1, 1, c))
        x = jnp.concatenate([jnp.tile(cls, (n, 1, 1)), x + position], axis=1)
        for i in range(self.depth):
            x = EncoderBlock(self.num_heads, 2 * self.dim, name=f"block_{i}")(x, train)
        return nn.Dense(self.num_classes, name="head")(nn.LayerNorm()(x)[:, 0])


def textures(rng, n, size=8):
    """Plain, horizontal stripes, vertical stripes or a chequerboard, under noise."""
    rows, cols = np.indices((size, size))
    patterns = np.stack([np.zeros((size, size)), rows % 2, cols % 2, (rows + cols) % 2])
    patterns = patterns - patterns.mean(axis=(1, 2), keepdims=True)
    labels = rng.integers(0, len(patterns), size=n)
    images = patterns[labels] + rng.normal(0, 0.2, size=(n, size, size))
    return {"image": images[..., None].astype(np.float32), "label": labels}


def create_state(model, key, learning_rate, total_steps, sample):
    params_key, dropout_key = jax.random.split(key)
    variables = jax.jit(model.init, static_argnames="train")(params_key, sample, train=False)
    schedule = optax.warmup_cosine_decay_schedule(0.0, learning_rate, 5, total_steps)
    tx = optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(schedule, weight_decay=1e-4))
    return TrainState.create(
        apply_fn=model.apply,
        params=variables["params"],
        tx=tx,
        batch_stats=variables["batch_stats"],
        dropout_key=dropout_key,
    )


@jax.jit
def train_step(state, batch):
    dropout_key = jax.random.fold_in(state.dropout_key, state.step)

    def loss_fn(params):
        logits, updates = state.apply_fn(
            {"params": params, "batch_stats": state.batch_stats},
            batch["image"],
            train=True,
            rngs={"dropout": dropout_key},
            mutable=["batch_stats"],
        )
        loss = optax.softmax_cross_entropy_with_integer_labels(logits, batch["label"]).mean()
        return loss, (logits, updates)

    (loss, (logits, updates)), grads = jax.value_and_grad(loss_fn, has_aux=True)(state.params)
    state = state.apply_gradients(grads=grads, batch_stats=updates["batch_stats"])
    accuracy = jnp.mean(jnp.argmax(logits, -1) == batch["label"])
    return state, {"loss": loss, "accuracy": accuracy, "grad_norm": optax.global_norm(grads)}


@jax.jit
def predict(state, images):
    variables = {"params": state.params, "batch_stats": state.batch_stats}
    return jnp.argmax(state.apply_fn(variables, images, train=False), axis=-1)


def main():
    rng = np.random.default_rng(0)
    n_steps = 40
    model = VisionTransformer()
    test = textures(rng, 32)
    state = create_state(model, jax.random.key(0), 5e-3, n_steps, test["image"][:2])
    print("parameters", sum(p.size for p in jax.tree.leaves(state.params)))
    history = []
    for _ in range(n_steps):
        state, metrics = train_step(state, textures(rng, 32))
        history.append(metrics)
    history = jax.device_get(history)
    stacked = {k: np.stack([m[k] for m in history]) for k in history[0]}
    for name, values in stacked.items():
        print(f"{name}: first {values[:10].mean():.3f} last {values[-10:].mean():.3f}")
    print(f"test accuracy {(predict(state, test['image']) == test['label']).mean():.2f} at step {int(state.step)}")


if __name__ == "__main__":
    main()
