"""Specs without a mesh, inside of `with mesh:`, as older programs have them."""

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import mesh_utils
from jax.sharding import Mesh, PartitionSpec as P

mesh = Mesh(mesh_utils.create_device_mesh((2, 2, 2)), ("replica", "data", "model"))  # mistake: mesh = Mesh(mesh_utils.create_device_mesh((2, 2, 2)), ("data", "model")) [array-sharding]


@jax.jit
def attend(q, k):
    q = jax.lax.with_sharding_constraint(q, P(("replica", "data"), None, "model"))  # mistake: q = jax.lax.with_sharding_constraint(q, P(("replica", "dta"), None, "model")) [array-sharding]
    scores = jnp.einsum("bqd,bkd->bqk", q, k)
    return jax.lax.with_sharding_constraint(scores, P(("replica", "data")))  # mistake: return jax.lax.with_sharding_constraint(scores, P("replica", None, None, "model")) [array-sharding]


with mesh:
    q, k = jnp.ones((8, 6, 4)), jnp.ones((8, 10, 4))
    scores = attend(q, k)
    print(scores.shape)
