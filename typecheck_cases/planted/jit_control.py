"""What a traced value cannot do: decide, become a number, give a size."""

from functools import partial

import jax
import jax.numpy as jnp


@jax.jit
def soft_threshold(x, t):
    shrunk = jnp.sign(x) * jnp.maximum(jnp.abs(x) - t, 0.0)
    return jnp.where(t > 0, shrunk, x)


@jax.jit
def histogram(values, edges):
    bins = edges.shape[0] - 1  # mistake: bins = int(edges[-1]) [array-traced]
    index = jnp.searchsorted(edges, values) - 1
    return jnp.zeros(bins).at[index].add(1.0)


@partial(jax.jit, static_argnames="n")  # mistake a: @jax.jit [array-traced]
def powers(x, n):
    return jnp.stack([x**i for i in range(n)])  # shows a


@partial(jax.jit, static_argnums=1)  # mistake b: @jax.jit [array-traced]
def pad_to(x, size):
    return jnp.zeros(size, x.dtype).at[: x.shape[0]].set(x)  # shows b


def main():
    x = jnp.linspace(-1.0, 1.0, 5)
    print(soft_threshold(x, 0.3), powers(x, 3).shape, pad_to(x, 8))
    print(histogram(x, jnp.linspace(-2.0, 2.0, 9)))


main()
