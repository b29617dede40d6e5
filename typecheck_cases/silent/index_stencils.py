"""Neighbours on a grid: heat, waves, images, and the edges of each."""

import jax
import jax.numpy as jnp
from jax import lax

N = 16


@jax.jit
def heat_step(u, alpha):
    inner = u[1:-1] + alpha * (u[2:] - 2 * u[1:-1] + u[:-2])
    left = u[0]
    right = u[N - 1]  # mistake: right = u[N] [array-index]
    return jnp.concatenate([left[None], inner, right[None]])


def central_difference(u, dx):
    """The slope at each inner point, and one-sided ones at the two ends."""
    inner = jnp.arange(1, u.shape[0] - 1)  # mistake a: inner = jnp.arange(0, u.shape[0]) [array-index]
    slope = jnp.zeros_like(u)
    slope = slope.at[inner].set((u[inner + 1] - u[inner - 1]) / (2 * dx))  # shows a
    slope = slope.at[0].set((u[1] - u[0]) / dx)
    return slope.at[-1].set((u[-1] - u[-2]) / dx)


def reflect(u):
    """Boundary values by an even extension."""
    u = u.at[0].set(u[1])
    return u.at[u.shape[0] - 1].set(u[-2])  # mistake: return u.at[u.shape[0]].set(u[-2]) [array-index]


@jax.jit
def wave(u, v, dt):
    def body(state, _):
        u, v = state
        a = jnp.zeros_like(u).at[1:-1].set(u[2:] - 2 * u[1:-1] + u[:-2])
        v = v + dt * a
        return (u + dt * v, v), u[N // 2]  # mistake: return (u + dt * v, v), u[N // 2 + N] [array-index]

    (u, v), middle = lax.scan(body, (u, v), None, length=8)
    return u, v, middle


def patch(image, row, column, size):
    return lax.dynamic_slice(image, (row, column), (size, size))


u = jnp.sin(jnp.linspace(0.0, 3.0, N))
for _ in range(3):
    u = heat_step(u, 0.1)
print(u.sum(), central_difference(u, 0.1).sum(), reflect(u).sum())
print(wave(u, jnp.zeros_like(u), 0.1)[2])

image = jnp.arange(64.0).reshape(8, 8)
patches = [patch(image, r, c, 4).mean() for r in (0, 2, 4) for c in (0, 4)]
print(jnp.stack(patches))
tiles = []
for start in range(0, 8, 4):
    tiles.append(lax.dynamic_slice_in_dim(image, start, 4, axis=1).sum())  # mistake: tiles.append(lax.dynamic_slice_in_dim(image, start + 2, 4, axis=1).sum()) [array-index]
print(sum(tiles))
