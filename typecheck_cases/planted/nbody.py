"""Bodies that attract one another, simulated with `vmap` and `scan`."""

import jax
import jax.numpy as jnp
from jax import vmap


def force(p, q, m):
    d = q - p
    return m * d / (jnp.sum(d**2) + 0.01) ** 1.5


def total_force(positions, masses):
    on_one = vmap(force, in_axes=(None, 0, 0))  # mistake a: on_one = vmap(force, in_axes=(None, 0)) [error]
    pairs = vmap(on_one, in_axes=(0, None, None))  # mistake b: pairs = vmap(on_one, in_axes=(0, 0, None)) [array-dim]
    return pairs(positions, positions, masses).sum(axis=1)  # shows a  # shows b  # shows c


def step(state, _):
    x, v = state
    v = v + 0.01 * total_force(x, masses)
    x = x + 0.01 * v
    return (x, v), jnp.sum(0.5 * masses * jnp.sum(v**2, axis=-1))  # mistake: return (x, v), jnp.sum(0.5 * masses * v**2) [array-shape]


masses = jnp.ones(6)  # mistake c: masses = jnp.ones(5) [array-shape]
x0 = jax.random.normal(jax.random.key(0), (6, 3))
(x, v), energies = jax.lax.scan(step, (x0, jnp.zeros_like(x0)), None, length=10)
print(energies.shape, x.mean(axis=0))
