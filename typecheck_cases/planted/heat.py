"""The heat equation on a rod, with walls and a moving window."""

import jax
import jax.numpy as jnp
from jax import lax


def laplacian(u):
    return u[2:] - 2 * u[1:-1] + u[:-2]  # mistake: return u[2:] - 2 * u[1:] + u[:-2] [array-shape]


def step(u, source):
    inner = u[1:-1] + 0.2 * laplacian(u) + source  # shows c
    return jnp.concatenate([u[:1], inner, u[-1:]])  # mistake a: return jnp.concatenate([u[:1], inner]) [array-shape]


@jax.jit
def simulate(u, sources):
    def body(i, u):
        return step(u, sources[i])

    return lax.fori_loop(0, sources.shape[0], body, u)  # shows a


def window(u, center, width=8):  # mistake b: def window(u, center, width=80): [array-shape]
    return lax.dynamic_slice(u, (center - width // 2,), (width,))  # shows b


def sampled(u):
    return u.reshape(-1, 4).mean(axis=1)


u = jnp.zeros(40).at[20].set(1.0)  # mistake c: u = jnp.zeros(42).at[20].set(1.0) [array-shape]
u = simulate(u, jnp.zeros((25, 38)))
print(window(u, 20), sampled(u))
