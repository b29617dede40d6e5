"""Options that make something else of a result than an array."""

from typing import Any

import jax
import jax.numpy as jnp
from jax.scipy import special

x = jnp.asarray([1.0, 2.0, 3.0])
flag: bool = x.shape[0] > 2
unknown: Any = True

points: tuple[jax.Array, jax.Array] = jnp.linspace(0, 1, 5, retstep=True)
places, step = jnp.linspace(0, 1, 5, True, True)
either: Any = jnp.linspace(0, 1, retstep=flag)
spaced: jax.Array = jnp.linspace(0.0, 1.0, retstep=False)
sparse: tuple[jax.Array, ...] = jnp.indices((2, 3), sparse=True)
rows, columns = jnp.indices((2, 3), jnp.int32, True)
dense: jax.Array = jnp.indices((2, 3))
counted: tuple[jax.Array, jax.Array] = jnp.unique(x, return_counts=True)
values, first, inverse = jnp.unique(x, return_index=True, return_inverse=True)
values, first, inverse, counts = jnp.unique(x, True, True, True)
weighed: tuple[jax.Array, jax.Array] = jnp.average(x, returned=True)
signed: tuple[jax.Array, jax.Array] = special.logsumexp(x, return_sign=True)
again: tuple[jax.Array, jax.Array] = jax.nn.logsumexp(x, return_sign=unknown)
