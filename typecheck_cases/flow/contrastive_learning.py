"""Self-supervised contrastive learning (SimCLR's NT-Xent) on random signals, with a linear probe."""

import argparse

import jax
import jax.numpy as jnp
import numpy as np
from jax import random
from jax.flatten_util import ravel_pytree


def signals(n, length, seed):
    """Three classes of waveforms with random phase."""
    rng = np.random.default_rng(seed)
    t = np.linspace(0, 2 * np.pi, length, endpoint=False)
    labels = rng.integers(0, 3, n)
    phase = rng.uniform(0, 2 * np.pi, (n, 1))
    waves = np.array([np.sin(t + phase), np.sign(np.sin(2 * t + phase)), np.sin(t + phase) * np.sin(5 * t + phase)])
    return waves[labels, np.arange(n)].astype(np.float32), labels


def augment(key, x):
    """One random view of a single signal: rotated, scaled, noisy and partly masked."""
    k_shift, k_scale, k_noise, k_mask = random.split(key, 4)
    (length,) = x.shape
    x = jnp.roll(x, random.randint(k_shift, (), 0, length))
    x = x * random.uniform(k_scale, minval=0.7, maxval=1.3)
    x = x + 0.05 * random.normal(k_noise, x.shape)
    start = random.randint(k_mask, (), 0, length - length // 8)
    position = jnp.arange(length)
    hidden = (position >= start) & (position < start + length // 8)
    return jnp.where(hidden, 0.0, x)


def two_views(key, batch):
    keys = random.split(key, (2, batch.shape[0]))
    return jax.vmap(jax.vmap(augment), in_axes=(0, None))(keys, batch)


def init(key, length, kernel=5, channels=12, embed=16, project=8):
    k1, k2, k3 = random.split(key, 3)
    glorot = jax.nn.initializers.glorot_normal()
    encoder = {
        "conv": random.normal(k1, (kernel, channels)) / np.sqrt(kernel),
        "dense": glorot(k2, (2 * channels, embed)),
    }
    head = {"w": glorot(k3, (embed, project))}
    return encoder, head


def encode(encoder, x):
    """A circular convolution by gathering windows, then mean and max over time."""
    n, length = x.shape
    kernel, channels = encoder["conv"].shape
    offsets = jnp.arange(length)[:, None] + jnp.arange(kernel)[None, :]
    windows = x[:, offsets % length]
    h = jax.nn.relu(jnp.einsum("ntk,kc->ntc", windows, encoder["conv"]))
    pooled = jnp.concatenate([h.mean(axis=1), h.max(axis=1)], axis=-1)
    assert pooled.shape == (n, 2 * channels)
    return pooled @ encoder["dense"]


def normalise(z):
    return z / jnp.maximum(jnp.linalg.norm(z, axis=-1, keepdims=True), 1e-6)


def nt_xent(z1, z2, temperature):
    z = normalise(jnp.concatenate([z1, z2]))
    n = z1.shape[0]
    similarity = z @ z.T / temperature
    similarity = jnp.fill_diagonal(similarity, -1e9, inplace=False)
    positive = jnp.concatenate([jnp.arange(n, 2 * n), jnp.arange(n)])
    log_prob = jax.nn.log_softmax(similarity, axis=-1)
    hits = jnp.argmax(similarity, axis=-1) == positive
    return -log_prob[jnp.arange(2 * n), positive].mean(), hits.mean()


def make_update(unravel, temperature, lr):
    def objective(flat, key, batch):
        encoder, head = unravel(flat)
        z1, z2 = (jax.nn.relu(encode(encoder, view)) @ head["w"] for view in two_views(key, batch))
        return nt_xent(z1, z2, temperature)

    @jax.jit
    def update(flat, velocity, key, batch):
        (loss, accuracy), g = jax.value_and_grad(objective, has_aux=True)(flat, key, batch)
        velocity = 0.9 * velocity + g / jnp.maximum(1.0, jnp.linalg.norm(g))
        return flat - lr * velocity, velocity, loss, accuracy

    return update


def linear_probe(features, labels, test_features, test_labels, ridge=1e-2):
    """Closed-form ridge regression onto one-hot labels."""
    add_bias = lambda f: jnp.hstack([f, jnp.ones((f.shape[0], 1))])
    a, targets = add_bias(features), jax.nn.one_hot(labels, 3)
    gram = a.T @ a + ridge * jnp.eye(a.shape[1])
    weights = jnp.linalg.solve(gram, a.T @ targets)
    return jnp.mean(jnp.argmax(add_bias(test_features) @ weights, -1) == test_labels)


def parse_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", default=30, type=int)
    parser.add_argument("--batch", default=32, type=int)
    parser.add_argument("--temperature", default=0.2, type=float)
    parser.add_argument("--lr", default=0.05, type=float)
    return parser.parse_args()


if __name__ == "__main__":
    args = parse_args()
    x, labels = signals(192, 32, seed=0)
    x_test, labels_test = signals(64, 32, seed=1)
    key = random.key(3)
    key, init_key = random.split(key)
    params = jax.jit(init, static_argnums=1)(init_key, x.shape[1])
    flat, unravel = ravel_pytree(params)
    update = make_update(unravel, args.temperature, args.lr)
    velocity = jnp.zeros_like(flat)
    probe, embed = jax.jit(linear_probe), jax.jit(encode)

    before = probe(embed(params[0], x), labels, embed(params[0], x_test), labels_test)
    rng = np.random.default_rng(2)
    for step in range(args.steps):
        key, step_key = random.split(key)
        batch = x[rng.choice(len(x), args.batch, replace=False)]
        flat, velocity, loss, accuracy = update(flat, velocity, step_key, batch)
        if (step + 1) % 10 == 0:
            print(f"step {step + 1}: NT-Xent {loss:.3f}, positives found {accuracy:.0%}")
    encoder, _ = unravel(flat)
    after = probe(embed(encoder, x), labels, embed(encoder, x_test), labels_test)
    print(f"linear probe: {before:.2f} before, {after:.2f} after, {flat.size} parameters")
