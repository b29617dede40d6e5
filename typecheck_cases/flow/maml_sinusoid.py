"""MAML on sinusoid regression: gradients through inner gradient steps, vmapped over tasks."""

import collections
import functools
import itertools

import jax
import jax.numpy as jnp
from jax import grad, jit, vmap
from jax import random as jrandom
from jax.tree_util import tree_leaves, tree_map

Task = collections.namedtuple("Task", "support_x support_y query_x query_y")


def net_init(key, layers=(1, 24, 24, 1)):
    params = []
    for k, (m, n) in zip(jrandom.split(key, len(layers) - 1), zip(layers, layers[1:])):
        params.append((jrandom.normal(k, (m, n)) / m**0.5, jnp.zeros((n,))))
    return params


def net_apply(params, x):
    activations = x
    for w, b in params[:-1]:
        activations = jnp.tanh(jnp.dot(activations, w) + b)
    w, b = params[-1]
    return jnp.dot(activations, w) + b


def sample_task(key, n_support=5, n_query=10):
    k_amp, k_phase, k_x = jrandom.split(key, 3)
    amplitude = jrandom.uniform(k_amp, minval=0.5, maxval=2.0)
    phase = jrandom.uniform(k_phase, maxval=jnp.pi)
    x = jrandom.uniform(k_x, (n_support + n_query, 1), minval=-3.0, maxval=3.0)
    y = amplitude * jnp.sin(x + phase)
    return Task(x[:n_support], y[:n_support], x[n_support:], y[n_support:])


def mse(params, x, y):
    return jnp.mean(jnp.square(net_apply(params, x) - y))


def adapt(params, inner_lrs, x, y, n_steps, first_order=False):
    """Inner loop; each parameter has a learnt step size of its own (Meta-SGD)."""

    def inner_step(params, _):
        grads = grad(mse)(params, x, y)
        if first_order:
            grads = jax.lax.stop_gradient(grads)
        return tree_map(lambda p, lr, g: p - lr * g, params, inner_lrs, grads), None

    adapted, _ = jax.lax.scan(inner_step, params, None, length=n_steps)
    return adapted


def task_loss(meta, task, n_steps, first_order):
    params, log_lrs = meta
    inner_lrs = tree_map(jnp.exp, log_lrs)
    adapted = adapt(params, inner_lrs, task.support_x, task.support_y, n_steps, first_order)
    return mse(adapted, task.query_x, task.query_y)


def meta_loss(meta, tasks, n_steps, first_order):
    losses = vmap(functools.partial(task_loss, n_steps=n_steps, first_order=first_order), in_axes=(None, 0))(
        meta, tasks
    )
    return losses.mean(), losses


@functools.partial(jit, static_argnames=["n_tasks", "n_steps", "first_order"])
def meta_step(meta, moments, key, n_tasks, n_steps=2, first_order=False):
    tasks = vmap(sample_task)(jrandom.split(key, n_tasks))
    grads, losses = grad(meta_loss, has_aux=True)(meta, tasks, n_steps, first_order)
    grads = tree_map(lambda g: jnp.clip(g, -1.0, 1.0), grads)
    moments = tree_map(lambda m, g: 0.95 * m + 0.05 * g**2, moments, grads)
    meta = tree_map(lambda p, g, m: p - 5e-3 * g / (jnp.sqrt(m) + 1e-3), meta, grads, moments)
    return meta, moments, losses


def sharpness(params, x, y, key, n_probes=3):
    """The loss's curvature along random directions, by a Hessian-vector product."""
    leaves, treedef = jax.tree_util.tree_flatten(params)
    sizes = [leaf.size for leaf in leaves]

    def along(direction):
        pieces = jnp.split(direction, list(itertools.accumulate(sizes))[:-1])
        v = jax.tree_util.tree_unflatten(treedef, [p.reshape(l.shape) for p, l in zip(pieces, leaves)])
        _, hv = jax.jvp(grad(lambda p: mse(p, x, y)), (params,), (v,))
        dot = sum(jnp.vdot(a, b) for a, b in zip(tree_leaves(v), tree_leaves(hv)))
        return dot / jnp.vdot(direction, direction)

    return vmap(along)(jrandom.normal(key, (n_probes, sum(sizes))))


if __name__ == "__main__":
    key = jrandom.PRNGKey(0)
    key, subkey = jrandom.split(key)
    params = net_init(subkey)
    meta = params, tree_map(lambda p: jnp.full_like(p, jnp.log(0.05)), params)
    moments = tree_map(jnp.zeros_like, meta)
    running = None
    for i in range(30):
        key, subkey = jrandom.split(key)
        meta, moments, losses = meta_step(meta, moments, subkey, n_tasks=8)
        loss = float(losses.mean())
        running = loss if running is None else 0.9 * running + 0.1 * loss
        if i % 10 == 9:
            print("meta-step %d: query loss %.3f (worst task %.3f)" % (i + 1, running, losses.max()))

    params, log_lrs = meta
    task = sample_task(jrandom.PRNGKey(123))
    run = jit(lambda p, lrs: adapt(p, lrs, task.support_x, task.support_y, 5))
    adapted = run(params, tree_map(jnp.exp, log_lrs))
    before, after = (mse(p, task.query_x, task.query_y) for p in (params, adapted))
    print(f"new task: {before:.3f} before adaptation, {after:.3f} after; improved {bool(after < before)}")
    curvature = jit(sharpness)(adapted, task.support_x, task.support_y, key)
    print("curvature probes", curvature.shape)
