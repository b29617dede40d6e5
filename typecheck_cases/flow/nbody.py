"""Gravitational N-body simulations with a symplectic integrator, vmapped over an ensemble of initial conditions."""

from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

SOFTENING = 0.05


class Bodies(NamedTuple):
    pos: jax.Array
    vel: jax.Array


def accelerations(pos: Float[Array, "n 3"], mass: Float[Array, "n"]) -> Float[Array, "n 3"]:
    delta = pos[None, :, :] - pos[:, None, :]
    inv_r3 = (jnp.sum(delta**2, axis=-1) + SOFTENING**2) ** -1.5
    return jnp.einsum("ijk,ij,j->ik", delta, inv_r3, mass)


def potential(pos: Float[Array, "n 3"], mass: Float[Array, "n"]) -> Float[Array, ""]:
    i, j = jnp.triu_indices(mass.shape[0], k=1)
    r = jnp.sqrt(jnp.sum((pos[i] - pos[j]) ** 2, axis=-1) + SOFTENING**2)
    return -jnp.sum(mass[i] * mass[j] / r)


def total_energy(bodies, mass):
    return 0.5 * jnp.sum(mass[:, None] * bodies.vel**2) + potential(bodies.pos, mass)


def angular_momentum(bodies, mass):
    return jnp.sum(mass[:, None] * jnp.cross(bodies.pos, bodies.vel), axis=0)


def leapfrog(bodies, mass, dt):
    vel = bodies.vel + 0.5 * dt * accelerations(bodies.pos, mass)
    pos = bodies.pos + dt * vel
    return Bodies(pos, vel + 0.5 * dt * accelerations(pos, mass))


# Yoshida's fourth-order composition of three leapfrog steps
_W1 = 1.0 / (2.0 - 2.0 ** (1 / 3))
YOSHIDA = (_W1, 1.0 - 2.0 * _W1, _W1)


def yoshida4(bodies, mass, dt):
    for w in YOSHIDA:
        bodies = leapfrog(bodies, mass, w * dt)
    return bodies


@partial(jax.jit, static_argnums=(3,), static_argnames=("integrator",))
def simulate(bodies, mass, dt, steps, integrator=leapfrog):
    def body(b, _):
        b = integrator(b, mass, dt)
        return b, (b.pos, total_energy(b, mass))

    return jax.lax.scan(body, bodies, None, length=steps)


def recentre(bodies, mass):
    w = (mass / mass.sum())[:, None]
    return jax.tree.map(lambda x: x - jnp.sum(w * x, axis=0, keepdims=True), bodies)


@partial(jax.vmap, in_axes=(0, None, None))
@partial(jax.jit, static_argnums=1)
def random_clusters(key, n, mass):
    direction, other = jax.random.normal(key, (2, n, 3))
    direction /= jnp.linalg.norm(direction, axis=1, keepdims=True)
    radius = jnp.linspace(0.5, 1.5, n)[:, None]
    # start near circular orbits around the common centre
    tangent = jnp.cross(direction, other)
    tangent = tangent / jnp.linalg.norm(tangent, axis=1, keepdims=True)
    speed = jnp.sqrt(mass.sum() / radius)
    return recentre(Bodies(radius * direction, 0.7 * speed * tangent), mass)


@jax.jit
def closest_approach(traj):
    d = traj[..., :, None, :] - traj[..., None, :, :]
    dist = jnp.linalg.norm(d, axis=-1)
    n = dist.shape[-1]
    return jnp.where(jnp.eye(n, dtype=bool), jnp.inf, dist).min(axis=(-3, -2, -1))


def main(ensemble=4, n=5, steps=60):
    mass = jnp.array([1.0] + [0.1] * (n - 1))
    keys = jax.random.split(jax.random.key(7), ensemble)
    start = random_clusters(keys, n, mass)
    e0 = jax.jit(jax.vmap(total_energy, in_axes=(Bodies(0, 0), None)))(start, mass)

    for integrator in (leapfrog, yoshida4):
        run = jax.vmap(partial(simulate, integrator=integrator), in_axes=(0, None, None, None))
        final, (traj, energies) = run(start, mass, 0.01, steps)
        error = jnp.abs(energies / e0[:, None] - 1).max(axis=1)
        print(f"{integrator.__name__}: trajectories {traj.shape}, worst energy error {error.max():.0e}")

    momentum = jax.jit(jax.vmap(angular_momentum, in_axes=(0, None)))
    change = momentum(final, mass) - momentum(start, mass)
    print("angular momentum kept:", bool(jnp.abs(change).max() < 1e-4))
    print("closest approaches:", ", ".join(f"{d:.2f}" for d in closest_approach(traj)))


if __name__ == "__main__":
    main()
