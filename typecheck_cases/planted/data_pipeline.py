"""Batches made with NumPy and given to JAX."""

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float32


def load(n):
    rng = np.random.default_rng(0)
    features = rng.normal(size=(n, 5))
    flags = rng.integers(0, 2, size=n)
    return features, flags


def prepare(features, flags):
    mean, std = features.mean(axis=0), features.std(axis=0)
    scaled = (features - mean) / std
    bias = np.ones((len(features), 1))
    table = np.concatenate([bias, scaled, flags[:, None]], axis=1)  # mistake: table = np.concatenate([bias, scaled, flags], axis=1) [array-dim]
    return table.astype(np.float32)  # mistake a: return table [array-annotation] silent


def batches(table, size):
    for start in range(0, len(table) - size + 1, size):
        yield table[start : start + size]


def score(weights, batch: Float32[np.ndarray, "b d"]):
    return jnp.tanh(jnp.asarray(batch) @ weights)


table = prepare(*load(20))
gram = np.dot(table.T, table)  # mistake: gram = np.dot(table, table) [array-shape]
weights = jnp.asarray(np.linalg.solve(gram + np.eye(7), table.sum(axis=0)))
scores = [score(weights, batch) for batch in batches(table, 8)]  # shows a
print(jnp.stack(scores).shape)
total: Float32[Array, ""] = sum(s.sum() for s in scores)
print(total)
