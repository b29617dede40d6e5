"""A GAN on a ring of Gaussians: two networks, two hand-written Adam optimisers."""

from typing import Any, NamedTuple

import click
import jax
import jax.numpy as jnp
import numpy as np


class AdamState(NamedTuple):
    step: Any
    mu: Any
    nu: Any


class Adam:
    def __init__(self, lr, b1=0.5, b2=0.9, eps=1e-8):
        self.lr, self.b1, self.b2, self.eps = lr, b1, b2, eps

    def init(self, params):
        zeros = jax.tree_util.tree_map(jnp.zeros_like, params)
        return AdamState(jnp.zeros([], jnp.int32), zeros, zeros)

    def apply(self, params, grads, state):
        step = state.step + 1
        mu = jax.tree_util.tree_map(lambda m, g: self.b1 * m + (1.0 - self.b1) * g, state.mu, grads)
        nu = jax.tree_util.tree_map(lambda v, g: self.b2 * v + (1.0 - self.b2) * jnp.square(g), state.nu, grads)
        t = step.astype(jnp.float32)
        corrected = self.lr * jnp.sqrt(1.0 - self.b2**t) / (1.0 - self.b1**t)
        params = jax.tree_util.tree_map(lambda p, m, v: p - corrected * m / (jnp.sqrt(v) + self.eps), params, mu, nu)
        return params, AdamState(step, mu, nu)


class Network:
    """Base: an MLP whose subclasses choose the activation and the output."""

    def __init__(self, *sizes):
        self.sizes = sizes

    def init(self, key):
        params = {}
        for i, (m, n) in enumerate(zip(self.sizes[:-1], self.sizes[1:])):
            key, sub = jax.random.split(key)
            bound = np.sqrt(6 / (m + n))
            params[f"w{i}"] = jax.random.uniform(sub, (m, n), minval=-bound, maxval=bound)
            params[f"b{i}"] = jnp.zeros((n,))
        return params

    def activation(self, x):
        raise NotImplementedError

    def output(self, x):
        return x

    def __call__(self, params, x):
        n_layers = len(params) // 2
        for i in range(n_layers):
            x = x @ params[f"w{i}"] + params[f"b{i}"]
            if i < n_layers - 1:
                x = self.activation(x)
        return self.output(x)


class Generator(Network):
    def activation(self, x):
        return jax.nn.elu(x)

    def output(self, x):
        return 2.0 * jnp.tanh(x)


class Critic(Network):
    def activation(self, x):
        return jax.nn.leaky_relu(x, 0.2)

    def output(self, x):
        return x[:, 0]


def ring(rng, n, modes=8):
    angles = 2 * np.pi * rng.integers(modes, size=n) / modes
    centres = np.stack([np.cos(angles), np.sin(angles)], 1)
    return np.asarray(centres + 0.05 * rng.standard_normal((n, 2)), dtype=np.float32)


def build_steps(gen, critic, gen_opt, critic_opt, latent_dim, penalty):
    def critic_loss(c_params, g_params, real, key):
        k_z, k_mix = jax.random.split(key)
        fake = gen(g_params, jax.random.normal(k_z, (real.shape[0], latent_dim)))
        mix = jax.random.uniform(k_mix, (real.shape[0], 1))
        between = mix * real + (1 - mix) * fake
        slope = jax.vmap(jax.grad(lambda x: critic(c_params, x[None])[0]))(between)
        gradient_penalty = jnp.mean((jnp.linalg.norm(slope, axis=-1) - 1) ** 2)
        return critic(c_params, fake).mean() - critic(c_params, real).mean() + penalty * gradient_penalty

    def generator_loss(g_params, c_params, z):
        return -critic(c_params, gen(g_params, z)).mean()

    @jax.jit
    def critic_step(c_params, c_state, g_params, real, key):
        loss, grads = jax.value_and_grad(critic_loss)(c_params, g_params, real, key)
        return *critic_opt.apply(c_params, grads, c_state), loss

    @jax.jit
    def generator_step(g_params, g_state, c_params, z):
        loss, grads = jax.value_and_grad(generator_loss)(g_params, c_params, z)
        return *gen_opt.apply(g_params, grads, g_state), loss

    return critic_step, generator_step


@click.command()
@click.option("--rounds", default=6, show_default=True, help="generator updates")
@click.option("--critic-steps", default=2, type=int)
@click.option("--latent-dim", default=4, type=int)
@click.option("--penalty", default=1.0, type=float)
@click.option("--seed", default=0)
def train(rounds, critic_steps, latent_dim, penalty, seed):
    rng = np.random.default_rng(seed)
    key = jax.random.PRNGKey(seed)
    gen, critic = Generator(latent_dim, 32, 32, 2), Critic(2, 32, 32, 1)
    key, k_gen, k_critic = jax.random.split(key, 3)
    g_params, c_params = gen.init(k_gen), critic.init(k_critic)
    gen_opt, critic_opt = Adam(1e-3), Adam(1e-3, b1=0.0)
    g_state, c_state = gen_opt.init(g_params), critic_opt.init(c_params)
    critic_step, generator_step = build_steps(gen, critic, gen_opt, critic_opt, latent_dim, penalty)

    for r in range(rounds):
        for _ in range(critic_steps):
            key, sub = jax.random.split(key)
            c_params, c_state, c_loss = critic_step(c_params, c_state, g_params, ring(rng, 64), sub)
        key, sub = jax.random.split(key)
        z = jax.random.normal(sub, (64, latent_dim))
        g_params, g_state, g_loss = generator_step(g_params, g_state, c_params, z)
        if r % 2 == 0:
            click.echo(f"round {r}: critic {c_loss:+.3f} generator {g_loss:+.3f}")

    samples = np.asarray(gen(g_params, z))
    radius = np.hypot(samples[:, 0], samples[:, 1])
    click.echo(f"{len(samples)} samples of radius {radius.mean():.2f} +- {radius.std():.2f} after {g_state.step} steps")


if __name__ == "__main__":
    train()
