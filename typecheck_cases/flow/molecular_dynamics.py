"""Lennard-Jones molecular dynamics in a periodic box with a padded neighbour list and a Langevin thermostat."""

from __future__ import annotations

import dataclasses
import itertools
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np


@dataclasses.dataclass(frozen=True)
class LennardJones:
    epsilon: float = 1.0
    sigma: float = 1.0
    r_cut: float = 2.0

    def __call__(self, r2):
        # r2 may be 0 for padding; keep the gradient finite there
        safe = jnp.where(r2 > 1e-6, r2, 1.0)
        s6 = (self.sigma**2 / safe) ** 3
        energy = 4 * self.epsilon * (s6**2 - s6) - self.shift
        return jnp.where((r2 > 1e-6) & (r2 < self.r_cut**2), energy, 0.0)

    @property
    def shift(self):
        s6 = (self.sigma / self.r_cut) ** 6
        return 4 * self.epsilon * (s6**2 - s6)


@jax.tree_util.register_pytree_node_class
class NeighbourList:
    """Indices of neighbours, padded with the number of atoms; remembers where it was built."""

    def __init__(self, idx, reference, overflow, skin):
        self.idx = idx
        self.reference = reference
        self.overflow = overflow
        self.skin = skin

    def tree_flatten(self):
        return (self.idx, self.reference, self.overflow), self.skin

    @classmethod
    def tree_unflatten(cls, aux, children):
        return cls(*children, skin=aux)

    @property
    def mask(self):
        return self.idx < self.idx.shape[0]


def make_space(box):
    def displacement(a, b):
        d = a - b
        return d - box * jnp.round(d / box)

    def wrap(x):
        return jnp.mod(x, box)

    return displacement, wrap


def build_neighbours(pos, displacement, r_cut, skin, capacity):
    n = pos.shape[0]
    pair = jax.vmap(jax.vmap(displacement, (None, 0)), (0, None))
    r2 = jnp.sum(pair(pos, pos) ** 2, axis=-1)
    near = (r2 < (r_cut + skin) ** 2) & ~jnp.eye(n, dtype=bool)
    idx = jax.vmap(lambda row: jnp.nonzero(row, size=capacity, fill_value=n)[0])(near)
    overflow = near.sum(axis=1).max() > capacity
    return NeighbourList(idx.astype(jnp.int32), pos, overflow, skin)


def energy_fn(pos, nbrs, potential, displacement):
    others = pos.at[nbrs.idx].get(mode="fill", fill_value=0.0)
    d = displacement(pos[:, None, :], others)
    e = potential(jnp.sum(d * d, axis=-1))
    return 0.5 * jnp.sum(e * nbrs.mask)


def make_simulation(box, potential, *, dt=0.005, gamma=0.5, kT=0.7, skin=0.3, capacity=40):
    displacement, wrap = make_space(box)

    def force(pos, nbrs):
        return -jax.grad(energy_fn)(pos, nbrs, potential, displacement)

    @jax.jit
    def neighbours(pos):
        return build_neighbours(pos, displacement, potential.r_cut, skin, capacity)

    def maybe_rebuild(pos, nbrs):
        moved = jnp.max(jnp.sum(displacement(pos, nbrs.reference) ** 2, axis=-1))
        return jax.lax.cond(moved > (nbrs.skin / 2) ** 2, lambda p, _: neighbours(p), lambda _, nb: nb, pos, nbrs)

    @jax.jit
    def step(carry, key):
        pos, vel, nbrs = carry
        vel = vel + 0.5 * dt * force(pos, nbrs)
        pos = pos + 0.5 * dt * vel
        c = jnp.exp(-gamma * dt)
        vel = c * vel + jnp.sqrt((1 - c**2) * kT) * jax.random.normal(key, vel.shape)
        pos = wrap(pos + 0.5 * dt * vel)
        nbrs = maybe_rebuild(pos, nbrs)
        vel = vel + 0.5 * dt * force(pos, nbrs)
        temperature = jnp.mean(vel**2)
        return (pos, vel, nbrs), {"T": temperature, "E": energy_fn(pos, nbrs, potential, displacement)}

    return neighbours, step, displacement


def lattice(per_side, spacing):
    pts = list(itertools.product(range(per_side), repeat=3))
    return spacing * (np.array(pts, dtype=np.float32) + 0.5)


def radial_distribution(pos, displacement, bins):
    i, j = np.triu_indices(len(pos), 1)
    r = jnp.linalg.norm(displacement(pos[i], pos[j]), axis=-1)
    hist, edges = jnp.histogram(r, bins=bins)
    shell = 4 / 3 * jnp.pi * jnp.diff(edges**3)
    return hist / shell


@partial(jax.jit, static_argnames="slabs")
def slab_profile(pos, vel, box, slabs=4):
    """Number of atoms and temperature in slabs along z."""
    slab = jnp.clip((pos[:, 2] / box * slabs).astype(jnp.int32), 0, slabs - 1)
    count = jax.ops.segment_sum(jnp.ones_like(slab), slab, num_segments=slabs)
    v2 = jax.ops.segment_sum(vel**2, slab, num_segments=slabs)
    return count, v2.mean(axis=1) / jnp.maximum(count, 1)


if __name__ == "__main__":
    side, spacing = 4, 1.2
    pos = jnp.asarray(lattice(side, spacing))
    neighbours, step, displacement = make_simulation(side * spacing, LennardJones())
    key = jax.random.PRNGKey(0)
    key, sub = jax.random.split(key)
    vel = jnp.sqrt(0.7) * jax.random.normal(sub, pos.shape)
    vel -= vel.mean(axis=0)
    carry = (pos, vel, neighbours(pos))
    carry, log = jax.lax.scan(step, carry, jax.random.split(key, 60))
    if carry[2].overflow:
        raise RuntimeError("neighbour list too small")
    log = {k: np.asarray(v).reshape(3, -1).mean(axis=1) for k, v in log.items()}
    for block, (T, E) in enumerate(zip(log["T"], log["E"])):
        print(f"block {block}: T = {T:.2f}, E/N = {E / len(pos):.2f}")
    g = radial_distribution(carry[0], displacement, np.linspace(0.0, 2.4, 9))
    count, T = slab_profile(*carry[:2], side * spacing)
    print("first peak in bin", int(jnp.argmax(g)), "atoms per slab", count, "hottest slab", int(T.argmax()))
