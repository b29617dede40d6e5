"""Data parallelism by hand: each device takes the gradient of its rows, and the mean goes over the mesh."""

import functools

import jax
import jax.numpy as jnp
from jax.sharding import AxisType, PartitionSpec as P

mesh = jax.make_mesh((8,), ("data",), axis_types=(AxisType.Auto,))


def loss(w, x, y):
    return jnp.mean((jnp.tanh(x @ w) - y) ** 2)


@functools.partial(jax.shard_map, mesh=mesh, in_specs=(P(), P("data"), P("data")), out_specs=(P(), P("data")))
def gradient(w, x, y):
    error = jnp.tanh(x @ w) - y
    value = jax.lax.pmean(loss(w, x, y), "data")  # mistake e: value = loss(w, x, y) + jnp.zeros_like(error).sum() [array-sharding]
    total = jax.lax.psum(error.sum(), "data")  # mistake: total = jax.lax.psum(error.sum(), "batch") [array-sharding]
    return value + 0 * total, error


w = jnp.ones((6,))
x = jnp.ones((32, 6))  # mistake b: x = jnp.ones((30, 6)) [array-sharding]
y = jnp.ones((32,))
value, error = gradient(w, x, y)  # shows b  # shows e
print(value.shape, error.shape)


@jax.jit
@jax.shard_map(mesh=mesh, in_specs=P("data"), out_specs=P())  # mistake c: @jax.shard_map(mesh=mesh, in_specs=P("data", None), out_specs=P()) [array-sharding]
def largest(part):
    return jax.lax.pmax(part.max(), "data")  # mistake d: return part.max() [array-sharding]


top = largest(error)  # shows c  # shows d
print(top.shape)
