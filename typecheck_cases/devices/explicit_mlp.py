"""Shardings as part of the types: a network over a mesh whose axes are explicit."""

import jax
import jax.numpy as jnp
from jax.sharding import AxisType, PartitionSpec as P, reshard

mesh = jax.make_mesh((2, 4), ("data", "model"), axis_types=(AxisType.Explicit,) * 2)
jax.set_mesh(mesh)

x = jax.device_put(jnp.ones((16, 32)), P("data", None))  # mistake: x = jax.device_put(jnp.ones((15, 32)), P("data", None)) [array-sharding]
w1 = jax.device_put(jnp.ones((32, 64)), P(None, "model"))
w2 = jax.device_put(jnp.ones((64, 32)), P("model", None))
bias = jax.device_put(jnp.ones((64,)), P("model"))  # mistake a: bias = jax.device_put(jnp.ones((64,)), P("data")) [array-sharding]


@jax.jit
def mlp(x, w1, w2, bias):
    h = x @ w1
    h = jax.nn.relu(h + bias)  # shows a
    y = jnp.dot(h, w2, out_sharding=P("data", None))  # mistake: y = jnp.dot(h, w2) [array-sharding]
    return y.mean(axis=1)


y = mlp(x, w1, w2, bias)
moved = reshard(w1, P("model", None))  # mistake: moved = reshard(w1, P("modal", None)) [array-sharding]
flat = w2.reshape(64, 4, 8)
stacked = jnp.stack([bias, bias])
total = (stacked * 2).sum()
print(jax.typeof(y), jax.typeof(moved), jax.typeof(flat), jax.typeof(stacked), jax.typeof(total))
