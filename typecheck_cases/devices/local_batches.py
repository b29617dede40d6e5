"""Each process makes its part of the batch, and the whole is an array over the mesh."""

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

mesh = jax.make_mesh((jax.device_count(),), ("batch",), axis_types=(AxisType.Auto,))
sharding = NamedSharding(mesh, P("batch"))
rng = np.random.default_rng(0)


def batches(steps, size):
    for _ in range(steps):
        local = rng.normal(size=(size // jax.process_count(), 5)).astype(np.float32)
        yield jax.make_array_from_process_local_data(sharding, local)  # mistake: yield jax.make_array_from_process_local_data(sharding, local[:12]) [array-sharding]


@jax.jit
def average(total, batch):
    return total + batch.mean(axis=0)


total = jnp.zeros(5)
for batch in batches(3, 16):
    total = average(total, batch)
filled = jax.make_array_from_callback((16, 2), sharding, lambda index: np.zeros((16, 2), np.float32)[index])
print(total.shape, filled.shape)
