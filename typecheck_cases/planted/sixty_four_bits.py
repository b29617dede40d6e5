"""Programs that ask for 64 bits while jax gives 32: it warns."""

import jax
import jax.numpy as jnp
import numpy as np


def timestamps(n):
    return jnp.arange(n, dtype=jnp.int32) * 1000  # mistake: return jnp.arange(n, dtype=jnp.int64) * 1000 [array-x64]


def accumulate(x):
    return jnp.sum(x, dtype=jnp.float32)  # mistake: return jnp.sum(x, dtype=jnp.float64) [array-x64]


@jax.jit
def residual(x, y):
    return x.astype(jnp.float32) - y.astype(jnp.float32)  # mistake: return x.astype(np.float64) - y.astype(np.float64) [array-x64]


samples = np.linspace(0.0, 1.0, 6)
x = jnp.asarray(samples)
y = jnp.array(samples, dtype="float32")  # mistake: y = jnp.array(samples, dtype="float64") [array-x64]
print(timestamps(4), accumulate(x), residual(x, y).dtype)
