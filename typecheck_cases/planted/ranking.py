"""Sorting, ranks, top-k, running sums."""

import jax
import jax.numpy as jnp


def ranks(scores):
    order = jnp.argsort(scores, axis=-1)
    return jnp.argsort(order, axis=-1)


@jax.jit
def best(scores):
    values, index = jax.lax.top_k(scores, 2)  # mistake: values, index = jax.lax.top_k(scores, 9) [array-shape]
    return values, index


@jax.jit
def groups(labels):
    found = jnp.unique(labels, size=4)  # mistake: found = jnp.unique(labels) [array-traced]
    return jnp.searchsorted(found, labels)


def running_mean(x):
    count = jnp.arange(1, x.shape[0] + 1)
    return jnp.cumsum(x, axis=0) / count[:, None]


def spread(x):
    low, high = jnp.percentile(x, jnp.array([10, 90]))  # mistake: low, high = jnp.percentile(x, 10) [error]
    return high - low


scores = jnp.array([[0.1, 0.7, 0.3], [0.9, 0.2, 0.4]])
for row in scores.max(axis=1):  # mistake: for row in scores.max(): [error]
    print(row)
print(ranks(scores), best(scores)[1], running_mean(scores))
print(groups(jnp.array([3, 1, 3, 2])), spread(scores))
