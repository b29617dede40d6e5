"""An agent whose state holds its key, and environments that are reset with keys of their own."""

from typing import NamedTuple

import jax
import jax.numpy as jnp


class EnvState(NamedTuple):
    position: jax.Array
    goal: jax.Array


def reset(key):
    start_key, goal_key = jax.random.split(key)
    return EnvState(jax.random.uniform(start_key, (2,)), jax.random.uniform(goal_key, (2,)))  # mistake: return EnvState(jax.random.uniform(start_key, (2,)), jax.random.uniform(start_key, (2,))) [array-key]


class Agent:
    def __init__(self, key):
        self.key, weights_key = jax.random.split(key)
        self.weights = jax.random.normal(weights_key, (4, 2))

    def act(self, state, epsilon=0.1):
        self.key, explore_key, noise_key = jax.random.split(self.key, 3)
        greedy = jnp.tanh(jnp.concatenate([state.position, state.goal]) @ self.weights)
        noise = jax.random.uniform(noise_key, (2,), minval=-1.0, maxval=1.0)  # mistake a: noise = jax.random.uniform(explore_key, (2,), minval=-1.0, maxval=1.0) [array-key]
        return jnp.where(jax.random.uniform(explore_key) < epsilon, noise, greedy)  # shows a  # mistake: return jnp.where(jax.random.uniform(noise_key) < epsilon, noise, greedy) [array-key]


@jax.jit
def move(state, action, key):
    wind = 0.01 * jax.random.normal(key, (2,))
    return state._replace(position=state.position + 0.1 * action + wind)


def rollout(agent, key, length):
    reset_key, wind_key = jax.random.split(key)
    state = reset(reset_key)
    for t in range(length):
        state = move(state, agent.act(state), jax.random.fold_in(wind_key, t))  # mistake: state = move(state, agent.act(state), wind_key) [array-key]
    return jnp.sum((state.position - state.goal) ** 2)


agent_key, episode_key = jax.random.split(jax.random.PRNGKey(42))
agent = Agent(agent_key)
distances = []
for episode in range(3):
    episode_key, rollout_key = jax.random.split(episode_key)
    distances.append(rollout(agent, rollout_key, 4))  # mistake: distances.append(rollout(agent, agent_key, 4)) [array-key]
print(jnp.stack(distances))
envs = jax.vmap(reset)(jax.random.split(episode_key, 5))
print(envs.position.shape)
