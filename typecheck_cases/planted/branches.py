"""Values chosen at run time: `cond`, `switch`, `select` and `where`."""

import jax
import jax.numpy as jnp
from jax import lax


def normalise(x, by_max):
    def largest(x):
        return x / jnp.max(x)

    def standard(x):
        return (x - x.mean()) / x.std()  # mistake b: return x.mean() [array-shape]

    return lax.cond(by_max, largest, standard, x)  # shows b


@jax.jit
def activation(kind, x):
    kinds = [jax.nn.relu, jnp.tanh, lambda x: x]  # mistake a: kinds = [jax.nn.relu, jnp.tanh, lambda x: x > 0] [array-dtype]
    return lax.switch(kind, kinds, x)  # shows a


@jax.jit
def huber(r, delta):
    small = 0.5 * r**2
    large = delta * (jnp.abs(r) - 0.5 * delta)
    return jnp.where(jnp.abs(r) <= delta, small, large)  # mistake: return small if jnp.abs(r) <= delta else large [array-traced]


def clipped(x, limit):
    limits = jnp.full_like(x, limit)
    return lax.select(x > limits, limits, x)  # mistake: return lax.select(x > limits, limit, x) [array-shape]


x = jnp.array([0.5, 1.0, 4.0])
print(normalise(x, True), normalise(x, x.sum() > 3))
print(activation(1, x), huber(2.0, 1.0), huber(x, 1.0))
print(clipped(x, 2.0))
