"""Numbers of arguments and axes that are beyond what is there: they raise, and jax's own words do not say where."""

from functools import partial

import jax
import jax.numpy as jnp


def loss(w, b, x):
    return jnp.mean((x @ w + b) ** 2)


w, b, x = jnp.ones(3), jnp.float32(0.0), jnp.ones((8, 3))
gradients = jax.grad(loss, argnums=(0, 1))(w, b, x)  # mistake: gradients = jax.grad(loss, argnums=3)(w, b, x) [array-index]
value, gradient = jax.value_and_grad(loss, argnums=1)(w, b, x)  # mistake: value, gradient = jax.value_and_grad(loss, argnums=-4)(w, b, x) [array-index]
columns = jax.jacfwd(loss, argnums=2)(w, b, x)  # mistake: columns = jax.jacfwd(loss, argnums=3)(w, b, x) [array-index]
rows = jax.vmap(loss, in_axes=(None, None, 0))(w, b, x)  # mistake: rows = jax.vmap(loss, in_axes=(1, None, 0))(w, b, x) [array-index]
across = jax.vmap(jnp.sum, in_axes=-1)(x)  # mistake: across = jax.vmap(jnp.sum, in_axes=-3)(x) [array-index]
features = x.shape[-1]  # mistake: features = x.shape[2] [array-index]
batch = x.shape[0]  # mistake: batch = w[0].shape[0] [array-index]


@partial(jax.jit, static_argnums=1, donate_argnums=0)  # mistake: @partial(jax.jit, static_argnums=(1, 2), donate_argnums=0) [array-index]
def repeat(x, n):
    return jnp.tile(x, n)


update = jax.jit(lambda w, g: w - g, donate_argnums=0)  # mistake: update = jax.jit(lambda w, g: w - g, donate_argnums=2) [array-index]
print(repeat(jnp.ones(2), 3).shape, update(jnp.ones(3), w), features, batch, rows.shape, across.shape)
