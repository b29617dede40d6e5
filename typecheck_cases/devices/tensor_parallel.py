"""A layer whose hidden dimension is cut over the devices, asked for at the borders of jit."""

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import mesh_utils
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

devices = mesh_utils.create_device_mesh((2, 4))  # mistake: devices = mesh_utils.create_device_mesh((3, 4)) [array-sharding]
mesh = Mesh(devices, ("data", "model"))
HIDDEN = 32


def on(*axes):
    return NamedSharding(mesh, P(*axes))


def mlp(params, x):
    h = jax.nn.relu(x @ params["in"])
    h = jax.lax.with_sharding_constraint(h, on("data", "model"))  # mistake: h = jax.lax.with_sharding_constraint(h, on("data", None, "model")) [array-sharding]
    return h @ params["out"]


sharding = {"in": on(None, "model"), "out": on("model", None)}
params = {"in": jnp.ones((16, HIDDEN)), "out": jnp.ones((HIDDEN, 16))}  # mistake a: params = {"in": jnp.ones((16, 30)), "out": jnp.ones((30, 16))} [array-sharding]
params = jax.device_put(params, sharding)  # shows a  # mistake: params = jax.device_put(params, {"in": on(None, "model")}) [array-sharding]
forward = jax.jit(mlp, in_shardings=(sharding, on("data")), out_shardings=on("data"))  # mistake b: forward = jax.jit(mlp, in_shardings=(sharding, on("data"), None), out_shardings=on("data")) [array-sharding]
y = forward(params, jnp.ones((8, 16)))  # shows b  # mistake: y = forward(params, jnp.ones((9, 16))) [array-sharding]
total = y.sum()
print(y.shape, total.shape)
