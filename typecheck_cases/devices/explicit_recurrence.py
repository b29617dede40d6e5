"""A recurrent network under scan with explicit shardings: the carry has to keep its own."""

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import AxisType, Mesh, NamedSharding, PartitionSpec as P

devices = np.array(jax.devices()).reshape(4, 2)  # mistake: devices = np.array(jax.devices()).reshape(4, 3) [array-shape]
mesh = Mesh(devices, ("rows", "columns"), axis_types=(AxisType.Explicit, AxisType.Explicit))


def put(array, *axes):
    return jax.device_put(array, NamedSharding(mesh, P(*axes)))


w = put(jnp.eye(16), None, None)
u = put(jnp.ones((5, 16)), None, None)
inputs = put(jnp.ones((10, 8, 5)), None, "rows", None)
start = put(jnp.zeros((8, 16)), "rows", None)  # mistake a: start = put(jnp.zeros((8, 16)), None, None) [array-sharding]


@jax.jit
def run(start, inputs):
    def cell(h, x):
        h = jnp.tanh(h @ w + x @ u)
        return h, h.sum(axis=1)

    return jax.lax.scan(cell, start, inputs)  # shows a


last, sums = run(start, inputs)
masked = jnp.where(last > 0, last, jnp.zeros_like(last))
swapped = last.T
print(jax.typeof(last), jax.typeof(sums), jax.typeof(swapped))
