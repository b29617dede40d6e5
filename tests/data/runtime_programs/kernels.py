"""Convolutions by hand, Gram matrices by nested vmap, cumulative sums, sorting, PCA by power iteration, k-means."""

from functools import partial

import jax
import jax.numpy as jnp
from jax import lax, random, vmap


def convolve(x, w):
    return jnp.array([jnp.dot(x[i - 1 : i + 2], w) for i in range(1, len(x) - 1)])


x, w = jnp.arange(5), jnp.array([2.0, 3.0, 4.0])
print(convolve(x, w), vmap(convolve)(jnp.stack([x, x + 1]), jnp.stack([w, w])))
print(
    vmap(convolve, in_axes=1, out_axes=1)(jnp.stack([x, x], 1), jnp.stack([w, w], 1)),
    vmap(convolve, (0, None))(x[None], w),
)


def gaussian(x, y, width=1.0):
    return jnp.exp(-jnp.sum((x - y) ** 2) / (2 * width**2))


points = random.normal(random.key(0), (5, 2))
gram = vmap(lambda a: vmap(lambda b: gaussian(a, b))(points))(points)
print(gram.shape, jnp.allclose(gram, gram.T), jnp.trace(gram))
matrix = gram @ gram.T


@partial(jax.jit, static_argnums=1)
def power_iteration(m, steps):
    def body(v, _):
        v = m @ v
        return v / jnp.sqrt(jnp.sum(v**2)), None

    v, _ = lax.scan(body, jnp.ones(m.shape[0]), length=steps)
    return v @ m @ v, v


value, vector = power_iteration(matrix, 50)
print(value, jnp.abs(matrix @ vector - value * vector).max() < 1e-3)


@jax.jit
def kmeans(points, centres):
    def body(state):
        centres, _, n = state
        nearest = jnp.argmin(jnp.sum((points[:, None] - centres) ** 2, -1), axis=1)
        weights = (nearest[:, None] == jnp.arange(centres.shape[0])).astype(points.dtype)
        new = (weights.T @ points) / jnp.maximum(weights.sum(0), 1)[:, None]
        return new, jnp.abs(new - centres).max(), n + 1

    return lax.while_loop(lambda s: (s[1] > 1e-5) & (s[2] < 20), body, (centres, jnp.inf, 0))


data = jnp.concatenate([random.normal(random.key(k), (20, 2)) * 0.3 + 3 * k for k in range(2)])
centres, change, rounds = kmeans(data, data[jnp.array([0, -1])])
print(centres, rounds)
order = jnp.argsort(data[:, 0])
print(
    jnp.all(jnp.diff(data[order, 0]) >= 0), jnp.sort(jnp.array([3, 1, 2]))[::-1], jnp.searchsorted(jnp.arange(5.0), 2.5)
)
print(
    jnp.cumsum(jnp.arange(4.0)), jnp.cumprod(jnp.array([1, 2, 3])), jnp.unique(jnp.array([3, 1, 3])), jnp.where(x > 2)
)
names = vmap(lambda v: lax.psum(v, "i") / lax.psum(1, "i"), axis_name="i")(jnp.arange(4.0))
print(
    names,
    vmap(lambda v: v - lax.pmean(v, "n"), axis_name="n")(jnp.arange(3.0)),
    *lax.top_k(jnp.array([1.0, 5.0, 3.0]), 2),
)
windows = (
    lax.dynamic_slice(jnp.arange(10), (jnp.int32(7),), (4,)),
    lax.dynamic_update_slice(jnp.zeros(4), jnp.ones(2), (3,)),
)
print(windows, jnp.roll(jnp.arange(4), 1), jnp.pad(jnp.ones(2), 1, constant_values=5), jnp.tile(jnp.arange(2), 2))
