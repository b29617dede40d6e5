"""Losses and a metric, where a column meets a row."""

import functools

import jax
import jax.numpy as jnp


def focal(logits, labels, gamma=2.0):
    p = jax.nn.sigmoid(logits)
    pt = jnp.where(labels == 1, p, 1 - p)  # mistake a: pt = jnp.where(labels[:, None] == 1, p, 1 - p) [error]
    return -((1 - pt) ** gamma) * jnp.log(pt)


def per_group(losses, groups, n):
    totals = jax.ops.segment_sum(losses, groups, num_segments=n)  # shows b
    counts = jnp.bincount(groups, length=n)
    return totals / jnp.maximum(counts, 1)


def weighted(losses, weights):
    assert losses.shape == weights.shape, "a weight for each example"  # shows a
    return jnp.dot(losses, weights) / weights.sum()


def contrastive(a, b, temperature=0.1):
    a, b = (v / jnp.linalg.norm(v, axis=-1, keepdims=True) for v in (a, b))  # mistake: a, b = (v / jnp.linalg.norm(v, axis=-1) for v in (a, b)) [array-shape]
    similar = a @ b.T / temperature
    diagonal = functools.reduce(jnp.add, [similar[i, i] for i in range(len(a))])
    return (jax.nn.logsumexp(similar, axis=1).sum() - diagonal) / len(a)


logits = jnp.linspace(-1.0, 1.0, 6)
labels = jnp.array([0, 1, 0, 1, 1, 0])
groups = jnp.array([0, 0, 1, 1, 2, 2])
losses = focal(logits, labels)
print(weighted(losses, jnp.ones(6)), contrastive(jnp.ones((4, 3)), jnp.eye(4, 3)))
print(per_group(losses, groups, 3))  # mistake b: print(per_group(losses, groups[:-1], 3)) [array-shape]
smooth = jax.vmap(focal, in_axes=(0, 0, None))(logits, labels, 1.0)
picked = jnp.where(labels > 0, smooth, losses[:, None].T[0])  # mistake: picked = jnp.where(labels > 0, smooth, losses[1:]) [array-shape]
print(picked)
