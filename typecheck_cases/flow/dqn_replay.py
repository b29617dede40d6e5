"""Double DQN on a pole-balancing task, with a NumPy replay buffer and a target network."""

import math
from typing import Annotated

import jax
import jax.numpy as jnp
import numpy as np
import typer


class CartPole:
    """Gym's cart-pole in NumPy: four floats, two actions."""

    gravity, mass_cart, mass_pole, half_length = 9.8, 1.0, 0.1, 0.5
    force, dt = 10.0, 0.02
    limit_x, limit_angle = 2.4, 12 * math.pi / 180

    def __init__(self, rng, max_steps=60):
        self.rng = rng
        self.max_steps = max_steps
        self.state = np.zeros(4)
        self.t = 0

    def reset(self):
        self.state = self.rng.uniform(-0.05, 0.05, size=4)
        self.t = 0
        return self.state.astype(np.float32)

    def step(self, action):
        x, v, angle, omega = self.state
        push = self.force if action == 1 else -self.force
        total = self.mass_cart + self.mass_pole
        sin, cos = math.sin(angle), math.cos(angle)
        temp = (push + self.mass_pole * self.half_length * omega**2 * sin) / total
        alpha = (self.gravity * sin - cos * temp) / (self.half_length * (4 / 3 - self.mass_pole * cos**2 / total))
        accel = temp - self.mass_pole * self.half_length * alpha * cos / total
        self.state = np.array([x + self.dt * v, v + self.dt * accel, angle + self.dt * omega, omega + self.dt * alpha])
        self.t += 1
        fell = bool(abs(self.state[0]) > self.limit_x or abs(self.state[2]) > self.limit_angle)
        return self.state.astype(np.float32), 1.0, fell, self.t >= self.max_steps


class ReplayBuffer:
    def __init__(self, capacity, obs_dim):
        self.capacity = capacity
        self.size = 0
        self.cursor = 0
        self.storage = {
            "obs": np.zeros((capacity, obs_dim), np.float32),
            "action": np.zeros(capacity, np.int32),
            "reward": np.zeros(capacity, np.float32),
            "next_obs": np.zeros((capacity, obs_dim), np.float32),
            "terminal": np.zeros(capacity, np.bool_),
        }

    def add(self, **transition):
        for name, value in transition.items():
            self.storage[name][self.cursor] = value
        self.cursor = (self.cursor + 1) % self.capacity
        self.size = min(self.size + 1, self.capacity)

    def sample(self, rng, batch_size):
        index = rng.integers(self.size, size=batch_size)
        return {name: column[index] for name, column in self.storage.items()}

    def __len__(self):
        return self.size


def init_q(key, *dims):
    params = []
    for n_in, n_out in zip(dims[:-1], dims[1:]):
        key, subkey = jax.random.split(key)
        params.append({"w": jax.random.normal(subkey, (n_in, n_out)) * math.sqrt(2 / n_in), "b": jnp.zeros(n_out)})
    return params


def q_values(params, obs):
    for layer in params[:-1]:
        obs = jax.nn.relu(obs @ layer["w"] + layer["b"])
    return obs @ params[-1]["w"] + params[-1]["b"]


def huber(x, delta=1.0):
    magnitude = jnp.abs(x)
    return jnp.where(magnitude <= delta, 0.5 * x * x, delta * (magnitude - 0.5 * delta))


def td_error(params, target_params, t, gamma):
    """For one transition; vmapped below."""
    q = q_values(params, t["obs"])[t["action"]]
    best = jnp.argmax(q_values(params, t["next_obs"]))
    bootstrap = q_values(target_params, t["next_obs"])[best]
    target = t["reward"] + gamma * jnp.where(t["terminal"], 0.0, bootstrap)
    return q - jax.lax.stop_gradient(target)


@jax.jit
def update(params, target_params, batch, lr, gamma=0.97, tau=0.05):
    def loss(p):
        errors = jax.vmap(td_error, in_axes=(None, None, 0, None))(p, target_params, batch, gamma)
        return huber(errors).mean(), errors

    (value, errors), grads = jax.value_and_grad(loss, has_aux=True)(params)
    params = jax.tree.map(lambda p, g: p - lr * g, params, grads)
    target_params = jax.tree.map(lambda t, p: (1 - tau) * t + tau * p, target_params, params)
    return params, target_params, value, jnp.abs(errors).max()


greedy_action = jax.jit(lambda params, obs: jnp.argmax(q_values(params, obs)))


def main(
    episodes: Annotated[int, typer.Option(help="episodes to play")] = 20,
    batch_size: int = 32,
    lr: float = 0.01,
    seed: int = 0,
    verbose: bool = True,
):
    rng = np.random.default_rng(seed)
    env = CartPole(rng)
    params = target = init_q(jax.random.PRNGKey(seed), 4, 24, 24, 2)
    buffer = ReplayBuffer(512, obs_dim=4)
    returns, losses = [], []
    for episode in range(episodes):
        epsilon = max(0.1, 1.0 - episode / 10)
        obs, total, done = env.reset(), 0.0, False
        while not done:
            action = int(rng.integers(2)) if rng.random() < epsilon else int(greedy_action(params, obs))
            next_obs, reward, terminal, truncated = env.step(action)
            buffer.add(obs=obs, action=action, reward=reward, next_obs=next_obs, terminal=terminal)
            obs, total, done = next_obs, total + reward, terminal or truncated
            if len(buffer) >= 2 * batch_size:
                params, target, loss, worst = update(params, target, buffer.sample(rng, batch_size), lr)
                losses.append(loss)
        returns.append(total)
    if verbose:
        print(f"{len(buffer)} transitions, {len(losses)} updates, last |error| {worst:.2f}")
    first, last = np.split(np.array(returns), 2)
    print(f"mean return {first.mean():.1f} in the first half, {last.mean():.1f} in the second")
    print("mean loss", np.stack(losses).mean().round(3))


if __name__ == "__main__":
    typer.run(main)
