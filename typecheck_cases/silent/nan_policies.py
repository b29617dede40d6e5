"""Reinforcement learning and samplers: entropies of policies, densities with bounds, and clipped ratios."""

import jax
import jax.numpy as jnp


def log_density(theta, x):
    inside = (x > 0) & (x < theta)
    argument = jnp.where(inside, 1.0 - (x / theta) ** 2, 1.0)  # mistake a: argument = 1.0 - (x / theta) ** 2 [array-nan]
    return jnp.where(jnp.abs(x / theta) < 1.0, jnp.log(argument), -10.0)  # shows a


def squashed(mean, noise):
    action = jnp.tanh(mean + noise)
    return jnp.log1p(-(action**2) + 1e-6).sum()


def quantile_huber(error, kappa=1.0):
    size = jnp.abs(error)
    return jnp.where(size <= kappa, 0.5 * error**2, kappa * (size - 0.5 * kappa)).mean()


def importance(log_ratio):
    bounded = jnp.clip(log_ratio, -5.0, 5.0)  # mistake b: bounded = log_ratio [array-nan]
    return jnp.where(log_ratio > 5.0, 1.0, jnp.exp(bounded)).sum()  # shows b


def exploration(visits, value):
    seen = visits > 0
    bonus = 1.0 / jnp.where(seen, visits, 1.0)  # mistake c: bonus = value / visits [array-nan]
    return jnp.where(seen, value + bonus, 1.0).sum()  # shows c


@jax.jit
def update(theta, log_ratio):
    g = jax.grad(lambda t: jax.vmap(log_density, (None, 0))(t, jnp.array([0.5, 2.0])).sum())(theta)
    return theta - 0.1 * g, jax.grad(importance)(log_ratio)


print(update(2.0, jnp.array([0.0, 1000.0])))
print(jax.grad(squashed)(jnp.zeros(2), jnp.ones(2)))
print(jax.grad(quantile_huber)(jnp.array([0.0, 3.0])))
print(jax.grad(exploration, argnums=1)(jnp.zeros(2), jnp.ones(2)))
