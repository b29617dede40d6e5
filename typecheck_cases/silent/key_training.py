"""Training with state in a NamedTuple, gradients of a stochastic loss, and evaluation with a fixed key."""

from typing import NamedTuple

import jax
import jax.numpy as jnp


class State(NamedTuple):
    params: jax.Array
    key: jax.Array
    step: int


def loss(params, key, x, y):
    mask = jax.random.bernoulli(key, 0.8, x.shape)
    return jnp.mean(((x * mask) @ params - y) ** 2)


@jax.jit
def update(state, x, y):
    key, subkey = jax.random.split(state.key)
    value, gradient = jax.value_and_grad(loss)(state.params, subkey, x, y)
    return State(state.params - 0.1 * gradient, key, state.step + 1), value  # mistake a: return State(state.params - 0.1 * gradient, state.key, state.step + 1), value [array-key]


@jax.jit
def evaluate(params, key, x, y):
    return loss(params, key, x, y)


x_key, w_key, state_key, eval_key, noise_key = jax.random.split(jax.random.key(0), 5)
x = jax.random.normal(x_key, (16, 3))
y = x @ jnp.array([1.0, -2.0, 0.5])
state = State(jax.random.normal(w_key, (3,)), state_key, 0)  # mistake: state = State(jax.random.normal(x_key, (3,)), state_key, 0) [array-key]
for _ in range(4):
    state, value = update(state, x, y)  # shows a
print(evaluate(state.params, eval_key, x, y))
print(value, jax.random.normal(noise_key))  # mistake: print(value, jax.random.normal(state_key)) [array-key]
