"""A pole on a cart, its policy, and rollouts by `scan`."""

from typing import NamedTuple

import jax
import jax.numpy as jnp


class State(NamedTuple):
    pos: jax.Array
    vel: jax.Array
    t: jax.Array


class Policy:
    def __init__(self, key, hidden=8):
        k1, k2 = jax.random.split(key)
        self.w1 = jax.random.normal(k1, (2, hidden))
        self.w2 = jax.random.normal(k2, (hidden,))  # mistake a: self.w2 = jax.random.normal(k2, (hidden, 1)) [array-shape]

    def act(self, obs):
        return jnp.tanh(jnp.tanh(obs @ self.w1) @ self.w2)  # mistake: return jnp.tanh(jnp.tanh(self.w1 @ obs) @ self.w2) [array-shape]


def step(state, action):
    vel = state.vel + 0.1 * action - 0.01 * jnp.sin(state.pos)
    pos = state.pos + 0.1 * vel
    return State(pos, vel, state.t + 1), -(pos**2)  # mistake: return State(pos, vel), -(pos**2) [call]


def rollout(policy, start, length):
    def body(state, _):
        obs = jnp.stack([state.pos, state.vel])  # mistake: obs = jnp.stack([state.position, state.vel]) [call]
        return step(state, policy.act(obs))

    return jax.lax.scan(body, start, length=length)  # shows a


policy = Policy(jax.random.key(0))
starts = State(jnp.linspace(-1, 1, 5), jnp.zeros(5), jnp.zeros(5, jnp.int32))
last, rewards = jax.vmap(lambda s: rollout(policy, s, 12))(starts)
print(last.t, rewards.sum(axis=1).mean())
