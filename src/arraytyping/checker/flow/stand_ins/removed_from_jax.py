"""Functions that jax had in earlier releases, and in whose place stands what is used in another way.

Source: https://docs.jax.dev/en/latest/migrate_pmap.html.
"""

import jax
import jax.numpy as jnp


def device_put_replicated(x, devices):
    return jax.tree.map(lambda leaf: jnp.broadcast_to(leaf, (len(devices), *jnp.shape(leaf))), x)


def device_put_sharded(shards, devices):
    return jax.tree.map(lambda *leaves: jnp.stack(leaves), *shards)


NINF = -jax.numpy.inf
NZERO = -0.0
PZERO = 0.0


def disable_x64():
    return jax.enable_x64(False)
