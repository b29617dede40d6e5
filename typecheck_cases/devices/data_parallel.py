"""Linear regression, the batch cut over all devices and the parameters whole on each."""

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()), ("data",))  # mistake: mesh = Mesh(np.array(jax.devices()).reshape(2, -1), ("data",)) [array-sharding]
rows = NamedSharding(mesh, P("data"))  # mistake: rows = NamedSharding(mesh, P("batch")) [array-sharding]
whole = NamedSharding(mesh, P())


def loss(params, x, y):
    return jnp.mean((x @ params["w"] + params["b"] - y) ** 2)


@jax.jit
def step(params, x, y):
    grads = jax.grad(loss)(params, x, y)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)


params = jax.device_put({"w": jnp.zeros((4,)), "b": jnp.zeros(())}, whole)
features = np.ones((64, 4), np.float32)
x = jax.device_put(features, rows)  # mistake: x = jax.device_put(features[:60], rows) [array-sharding]
y = jax.device_put(features.sum(1), rows)  # mistake: y = jax.device_put(features.sum(1), NamedSharding(mesh, P("data", None))) [array-sharding]
for _ in range(3):
    params = step(params, x, y)
print(params["w"].shape, x.sharding.spec)
