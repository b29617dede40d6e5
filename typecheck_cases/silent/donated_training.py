"""Training steps that donate the state: what comes back takes its place."""

import functools
from typing import NamedTuple

import jax
import jax.numpy as jnp
import optax


class State(NamedTuple):
    params: dict
    momentum: dict
    step: jax.Array


def init(key):
    w_key, b_key = jax.random.split(key)
    params = {"w": jax.random.normal(w_key, (8, 1)), "b": jax.random.normal(b_key, (1,))}
    return State(params, jax.tree.map(jnp.zeros_like, params), jnp.zeros((), jnp.int32))


def loss(params, x, y):
    return jnp.mean((x @ params["w"] + params["b"] - y) ** 2)  # shows b


@functools.partial(jax.jit, donate_argnums=0)
def update(state, x, y):
    value, gradients = jax.value_and_grad(loss)(state.params, x, y)
    momentum = jax.tree.map(lambda m, g: 0.9 * m + g, state.momentum, gradients)
    params = jax.tree.map(lambda p, m: p - 0.01 * m, state.params, momentum)
    return State(params, momentum, state.step + 1), value


x = jnp.ones((16, 8))
y = jnp.ones((16, 1))
state = init(jax.random.key(0))
for _ in range(3):
    state, value = update(state, x, y)  # mistake: new_state, value = update(state, x, y) [array-donated]
print(value, loss(state.params, x, y))

state = init(jax.random.key(1))
before = jax.tree.map(jnp.copy, state.params)  # mistake a: before = state.params [array-donated]
state, value = update(state, x, y)
moved = jax.tree.map(lambda a, b: jnp.abs(a - b).max(), state.params, before)  # shows a
print(moved["w"] > 0)

state = init(jax.random.key(2))
first = float(jnp.sum(state.params["w"]))
after, _ = update(state, x, y)
print(float(jnp.sum(after.params["w"])) - first)  # mistake: print(float(jnp.sum(after.params["w"])) - float(jnp.sum(state.params["w"]))) [array-donated]

optimizer = optax.adam(1e-2)


@functools.partial(jax.jit, donate_argnums=(0, 1))
def adam(params, moments, x, y):
    gradients = jax.grad(loss)(params, x, y)
    updates, moments = optimizer.update(gradients, moments)
    return optax.apply_updates(params, updates), moments


params = init(jax.random.key(3)).params
moments = optimizer.init(params)
before = params
params, moments = adam(params, moments, x, y)  # mistake b: new_params, moments = adam(params, moments, x, y) [array-donated]
print(loss(params, x, y))
print(params["b"].shape)
lowered = adam.lower(before, moments, x, y)  # which looks at types alone
