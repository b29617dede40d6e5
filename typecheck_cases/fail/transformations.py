"""Mistakes in what is given to transformed functions, to linear algebra and to random functions."""

import jax
import jax.numpy as jnp

x = jnp.ones((3, 4))
y = jnp.ones((5, 4))
key = jax.random.key(0)
jax.vmap(lambda a, b: a + b)(x, y)  # E: array-shape
jax.vmap(lambda a, b: a + b, in_axes=(0, 1))(x, y)  # E: array-shape
jax.vmap(lambda a: a, in_axes=2)(x)  # E: array-shape
jax.vmap(lambda a, b: a + b, in_axes=(0, None))(x, jnp.ones(4))
jax.grad(lambda a, b: (a * b).sum())(jnp.arange(3), 1.0)  # E: array-dtype
jax.grad(lambda a, b: (a * b).sum(), argnums=1)(jnp.arange(3), 1.0)
jnp.linalg.inv(x)  # E: array-shape
jnp.linalg.solve(jnp.ones((3, 3)), jnp.ones(4))  # E: array-shape
jax.random.normal(x)  # E: array-dtype
jax.random.normal(jax.random.split(key))  # E: array-shape
jnp.fft.rfft(jnp.ones(3, jnp.complex64))  # E: array-dtype
