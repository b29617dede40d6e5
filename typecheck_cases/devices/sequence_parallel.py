"""The sequence is cut between the layers and gathered inside: all_gather before, psum_scatter after."""

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental.mesh_utils import create_device_mesh
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(create_device_mesh((1, 8)), ("data", "model"))


def block(x, up, down):
    scale = jax.lax.rsqrt((x**2).mean(-1, keepdims=True) + 1e-6)
    whole = jax.lax.all_gather(x * scale, "model", axis=1, tiled=True)
    hidden = jax.nn.silu(whole @ up)
    part = hidden @ down
    return x + jax.lax.psum_scatter(part, "model", scatter_dimension=1, tiled=True)  # mistake: return x + jax.lax.psum_scatter(part, "model", scatter_dimension=2, tiled=True) [array-shape]


f = jax.shard_map(
    block, mesh=mesh, in_specs=(P("data", "model"), P(None, "model"), P("model")), out_specs=P("data", "model")
)
x = jax.device_put(np.ones((2, 16, 24), np.float32), NamedSharding(mesh, P("data", "model")))  # mistake: x = jax.device_put(np.ones((2, 12, 24), np.float32), NamedSharding(mesh, P("data", "model"))) [array-sharding]
up, down = jnp.ones((24, 64)), jnp.ones((64, 24))
y = f(x, up, down)  # mistake: y = f(x, up, jnp.ones((60, 24))) [array-sharding]
print(y.shape, x.sharding.spec)
