"""Optimisers as (init, update) pairs, registered by name."""

from typing import NamedTuple

import jax
import jax.numpy as jnp

from .registry import OPTIMISERS


class Optimiser(NamedTuple):
    init: object
    update: object


def warmup(base, n_warmup):
    def schedule(count):
        return base * jnp.minimum(1.0, (count + 1) / max(n_warmup, 1))

    return schedule


@OPTIMISERS.register()
def sgd(schedule, momentum=0.9):
    def init(params):
        return {"count": jnp.zeros((), jnp.int32), "velocity": jax.tree.map(jnp.zeros_like, params)}

    def update(grads, state, params):
        velocity = jax.tree.map(lambda v, g: momentum * v + g, state["velocity"], grads)
        lr = schedule(state["count"])
        params = jax.tree.map(lambda p, v: p - lr * v, params, velocity)
        return params, {"count": state["count"] + 1, "velocity": velocity}

    return Optimiser(init, update)


@OPTIMISERS.register()
def adam(schedule, b1=0.9, b2=0.99, eps=1e-8):
    def init(params):
        zeros = jax.tree.map(jnp.zeros_like, params)
        return {"count": jnp.zeros((), jnp.int32), "m": zeros, "v": zeros}

    def update(grads, state, params):
        count = state["count"] + 1
        m = jax.tree.map(lambda m, g: b1 * m + (1 - b1) * g, state["m"], grads)
        v = jax.tree.map(lambda v, g: b2 * v + (1 - b2) * g * g, state["v"], grads)
        lr = schedule(state["count"]) * jnp.sqrt(1 - b2**count) / (1 - b1**count)
        params = jax.tree.map(lambda p, m, v: p - lr * m / (jnp.sqrt(v) + eps), params, m, v)
        return params, {"count": count, "m": m, "v": v}

    return Optimiser(init, update)


def clip_by_norm(grads, limit):
    norm = jnp.sqrt(sum(jnp.sum(g**2) for g in jax.tree.leaves(grads)))
    if limit is None:
        return grads, norm
    factor = jnp.minimum(1.0, limit / (norm + 1e-9))
    return jax.tree.map(lambda g: g * factor, grads), norm
