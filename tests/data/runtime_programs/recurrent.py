"""A GRU by scan that learns to add, with checkpointing and gradients clipped by their global norm."""

from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import lax, random


class GRU(NamedTuple):
    gates: jax.Array
    candidate: jax.Array
    out: jax.Array


def init(key, inputs, hidden):
    a, b, c = random.split(key, 3)
    scale = 1 / jnp.sqrt(hidden)
    return GRU(
        scale * random.normal(a, (inputs + hidden, 2 * hidden)),
        scale * random.normal(b, (inputs + hidden, hidden)),
        scale * random.normal(c, (hidden, 1)),
    )


def cell(params, h, x):
    z, r = jnp.split(jax.nn.sigmoid(jnp.concatenate([x, h], -1) @ params.gates), 2, axis=-1)
    n = jnp.tanh(jnp.concatenate([x, r * h], -1) @ params.candidate)
    return (1 - z) * n + z * h


@partial(jax.jit, static_argnames="remat")
def loss(params, xs, ys, remat=False):
    step = jax.checkpoint(cell) if remat else cell

    def body(h, x):
        h = step(params, h, x)
        return h, None

    h, _ = lax.scan(body, jnp.zeros((xs.shape[1], params.out.shape[0])), xs)
    return jnp.mean((h @ params.out - ys) ** 2)


def clipped(grads, limit=1.0):
    norm = jnp.sqrt(sum(jnp.sum(g**2) for g in jax.tree.leaves(grads)))
    return jax.tree.map(lambda g: g * jnp.minimum(1.0, limit / norm), grads), norm


key = random.key(0)
xs = random.bernoulli(random.key(1), 0.5, (6, 16, 1)).astype(jnp.float32)
ys = xs.sum(0) / 6
params = init(key, 1, 8)
value, grads = jax.value_and_grad(loss)(params, xs, ys)
again, regrads = jax.value_and_grad(partial(loss, remat=True))(params, xs, ys)
print(value, jnp.allclose(value, again), [bool(jnp.allclose(a, b, atol=1e-6)) for a, b in zip(grads, regrads)])


@jax.jit
def update(params, _):
    value, grads = jax.value_and_grad(loss)(params, xs, ys)
    grads, norm = clipped(grads)
    return jax.tree.map(lambda p, g: p - 0.2 * g, params, grads), (value, norm)


params, (history, norms) = lax.scan(update, params, None, length=30)
print(history[0] > history[-1], history[::10], norms[-1])
print(jax.eval_shape(update, params, None)[1][0].shape)
