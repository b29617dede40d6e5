"""Noise in loops of Python: each step has a key of its own."""

import jax
import jax.numpy as jnp


def walk(key, steps):
    position = jnp.zeros(2)
    for _ in range(steps):
        key, subkey = jax.random.split(key)
        position = position + jax.random.normal(subkey, (2,))  # mistake: position = position + jax.random.normal(walk_key, (2,)) [array-key]
    return position


def batches(key, data, size):
    permutation = jax.random.permutation(key, data.shape[0])  # shows a
    for start in range(0, data.shape[0], size):
        yield data[permutation[start : start + size]]


walk_key, data_key, epoch_key = jax.random.split(jax.random.key(7), 3)
print(walk(walk_key, 5))

data = jax.random.normal(data_key, (32, 3))
total = jnp.zeros(3)
for epoch in range(3):
    for batch in batches(jax.random.fold_in(epoch_key, epoch), data, 8):  # mistake a: for batch in batches(epoch_key, data, 8): [array-key]
        total = total + batch.sum(axis=0)
print(total)

layer_keys = jax.random.split(jax.random.key(8), 4)
layers = [jax.random.normal(k, (3, 3)) for k in layer_keys]  # mistake: layers = [jax.random.normal(layer_keys[0], (3, 3)) for k in layer_keys] [array-key]
print(len(layers))

restart = jax.random.key(9)
best = None
attempt = 0
while attempt < 4:
    guess = jax.random.uniform(jax.random.fold_in(restart, attempt), (3,))  # mistake: guess = jax.random.uniform(restart, (3,)) [array-key]
    best = guess if best is None else jnp.maximum(best, guess)
    attempt += 1
print(best)
