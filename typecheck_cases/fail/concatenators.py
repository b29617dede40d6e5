"""Arrays that `jnp.r_` and `jnp.c_` cannot join."""

import jax.numpy as jnp

jnp.c_[jnp.ones(3), jnp.ones(4)]  # E: array-shape
jnp.r_[jnp.ones((3, 2)), jnp.ones(4)]  # E: array-shape
