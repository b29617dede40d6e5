"""Message passing on a graph."""

import jax
import jax.numpy as jnp

SENDERS = jnp.array([0, 1, 2, 3, 3])
RECEIVERS = jnp.array([1, 2, 3, 0, 1])


def messages(nodes, edges):
    return jnp.concatenate([nodes[SENDERS], edges], axis=-1)  # mistake: return jnp.concatenate([nodes[SENDERS], edges]) [array-shape]


def aggregate(sent, n):
    total = jax.ops.segment_sum(sent, RECEIVERS, num_segments=n)
    degree = jax.ops.segment_sum(jnp.ones(len(RECEIVERS)), RECEIVERS, num_segments=n)
    return total / degree[:, None]  # mistake: return total / degree [array-shape]


def pick(logits, labels):
    logp = jax.nn.log_softmax(logits)
    return jnp.take_along_axis(logp, labels[:, None], axis=1)  # mistake: return jnp.take_along_axis(logp, labels, axis=1) [array-dim]


def layer(nodes, edges, w):
    received = aggregate(messages(nodes, edges), nodes.shape[0])
    return jax.nn.relu(jnp.hstack([nodes, received]) @ w)  # mistake: return jax.nn.relu(jnp.vstack([nodes, received]) @ w) [array-shape]


nodes = jnp.ones((4, 3))
edges = jnp.ones((5, 2))
out = layer(nodes, edges, jnp.ones((8, 6)))
labels = jnp.array([0, 5, 2, 1])
print(pick(out, labels).mean(), jax.nn.one_hot(labels, 6, axis=0).shape)  # mistake: print(pick(out, labels).mean(), jax.nn.one_hot(labels, 6, axis=2).shape) [array-dim]
