"""Molecules: distances of all pairs, forces as gradients of energies, and neighbours within a cutoff."""

import jax
import jax.numpy as jnp

positions = jax.random.normal(jax.random.key(0), (5, 3))
same = jnp.eye(5, dtype=bool)


def distances(x):
    squares = jnp.sum((x[:, None] - x[None, :]) ** 2, axis=-1)
    safe = jnp.where(same, 1.0, squares)  # mistake a: safe = squares [array-nan]
    return jnp.where(same, 0.0, jnp.sqrt(safe))  # shows a


def spring_energy(x):
    return jnp.sum((distances(x) - 1.0) ** 2) / 2


def repulsion(x):
    difference = jnp.expand_dims(x, 1) - jnp.expand_dims(x, 0)
    r = jnp.linalg.norm(difference + same[..., None], axis=-1)  # mistake: r = jnp.linalg.norm(difference, axis=-1) [array-nan]
    return jnp.sum(jnp.triu(jnp.exp(-r), 1))


def pair_energy(a, b):
    d = a - b
    r2 = jnp.dot(d, d)
    far = r2 > 0.01
    r = jnp.sqrt(jnp.where(far, r2, 1.0))  # mistake b: r = jnp.sqrt(r2) [array-nan]
    return jnp.where(far, 1.0 / r, 0.0)  # shows b


def bond_angle(x):
    a, b = x[0] - x[1], x[2] - x[1]
    cosine = jnp.dot(a, b) / jnp.sqrt(jnp.dot(a, a) * jnp.dot(b, b))
    inside = jnp.abs(cosine) < 1.0
    safe = jnp.where(inside, cosine, 0.0)  # mistake c: safe = cosine [array-nan]
    return jnp.where(inside, jnp.arccos(safe), 0.0)  # shows c


straight = jnp.array([[1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [2.0, 0.0, 0.0]])
print(jax.grad(spring_energy)(positions))
print(jax.jit(jax.grad(repulsion))(positions))
print(jax.grad(pair_energy)(positions[0], positions[0]))
print(jax.grad(bond_angle)(straight))
