"""REINFORCE with a learnt baseline on a vectorised gridworld, rolled out by scan."""

from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp
from jax import lax, random


@partial(jax.tree_util.register_dataclass, data_fields=["position", "goal", "time", "key"], meta_fields=[])
@dataclass
class EnvState:
    position: jax.Array
    goal: jax.Array
    time: jax.Array
    key: jax.Array


class GridWorld:
    """Walk to the goal; walls clip; episodes reset by themselves."""

    moves = jnp.array([[0, 1], [0, -1], [1, 0], [-1, 0]])

    def __init__(self, size=5, max_steps=12):
        self.size = size
        self.max_steps = max_steps

    @property
    def n_actions(self):
        return self.moves.shape[0]

    @property
    def observation_dim(self):
        return 2 * self.size + 2

    def reset(self, key):
        key, k_pos, k_goal = random.split(key, 3)
        position = random.randint(k_pos, (2,), 0, self.size)
        goal = random.randint(k_goal, (2,), 0, self.size)
        return EnvState(position, goal, jnp.int32(0), key)

    def observe(self, state):
        one_hot = jax.nn.one_hot(state.position, self.size).ravel()
        return jnp.concatenate([one_hot, (state.goal - state.position) / self.size])

    def step(self, state, action):
        position = jnp.clip(state.position + self.moves[action], 0, self.size - 1)
        reached = jnp.all(position == state.goal)
        time = state.time + 1
        done = reached | (time >= self.max_steps)
        reward = jnp.where(reached, 1.0, -0.02)
        moved = EnvState(position, state.goal, time, state.key)
        next_state = lax.cond(done, lambda s: self.reset(s.key), lambda s: s, moved)
        return next_state, reward, done


def init_agent(key, n_obs, n_actions, width=32):
    k1, k2, k3 = random.split(key, 3)
    glorot = jax.nn.initializers.glorot_uniform()
    return {
        "body": {"w": glorot(k1, (n_obs, width)), "b": jnp.zeros(width)},
        "policy": {"w": 0.01 * random.normal(k2, (width, n_actions)), "b": jnp.zeros(n_actions)},
        "value": {"w": 0.01 * random.normal(k3, (width, 1)), "b": jnp.zeros(1)},
    }


def linear(layer, x):
    return x @ layer["w"] + layer["b"]


def agent(params, obs):
    h = jnp.tanh(linear(params["body"], obs))
    return linear(params["policy"], h), linear(params["value"], h)[..., 0]


def rollout(env, params, states, key, n_steps):
    """Steps a batch of environments; every output leads with (time, batch)."""

    def body(carry, step_key):
        states = carry
        obs = jax.vmap(env.observe)(states)
        logits, _ = agent(params, obs)
        actions = random.categorical(step_key, logits)
        states, rewards, dones = jax.vmap(env.step)(states, actions)
        return states, (obs, actions, rewards, dones)

    return lax.scan(body, states, random.split(key, n_steps))


def discounted_returns(rewards, dones, bootstrap, gamma):
    def backwards(future, inputs):
        reward, done = inputs
        total = reward + gamma * future * (1.0 - done)
        return total, total

    _, returns = lax.scan(backwards, bootstrap, (rewards, dones), reverse=True)
    return returns


def objective(params, obs, actions, returns, entropy_bonus):
    logits, values = agent(params, obs)
    logp = jax.nn.log_softmax(logits)
    chosen = jnp.take_along_axis(logp, actions[..., None], axis=-1)[..., 0]
    advantage = lax.stop_gradient(returns - values)
    advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-6)
    entropy = -jnp.sum(jnp.exp(logp) * logp, axis=-1).mean()
    policy_loss = -(chosen * advantage).mean()
    value_loss = 0.5 * ((returns - values) ** 2).mean()
    return policy_loss + 0.5 * value_loss - entropy_bonus * entropy, {"entropy": entropy, "value_loss": value_loss}


@partial(jax.jit, static_argnums=0, static_argnames=("n_steps", "gamma"))
def iteration(env, params, states, key, *, n_steps=16, gamma=0.95, lr=0.7):
    states, (obs, actions, rewards, dones) = rollout(env, params, states, key, n_steps)
    _, bootstrap = agent(params, jax.vmap(env.observe)(states))
    returns = discounted_returns(rewards, dones.astype(rewards.dtype), bootstrap, gamma)
    grads, metrics = jax.grad(objective, has_aux=True)(params, obs, actions, returns, 0.01)
    params = jax.tree.map(lambda p, g: p - lr * g, params, grads)
    episodes = jnp.maximum(dones.sum(), 1)
    metrics |= {"reward": rewards.mean(), "success": (rewards > 0).sum() / episodes}
    return params, states, metrics


def main(n_envs=16, n_iterations=60):
    env = GridWorld()
    key = random.key(0)
    key, agent_key, env_key = random.split(key, 3)
    params = init_agent(agent_key, env.observation_dim, env.n_actions)
    states = jax.jit(jax.vmap(env.reset))(random.split(env_key, n_envs))
    log = []
    for i in range(n_iterations):
        params, states, metrics = iteration(env, params, states, random.fold_in(key, i))
        log.append({name: float(value) for name, value in metrics.items()})
    for start in range(0, n_iterations, 20):
        chunk = log[start : start + 20]
        summary = {name: sum(m[name] for m in chunk) / len(chunk) for name in chunk[0]}
        print(f"iterations {start:2d}..: " + "  ".join(f"{k} {v:+.3f}" for k, v in sorted(summary.items())))


if __name__ == "__main__":
    main()
