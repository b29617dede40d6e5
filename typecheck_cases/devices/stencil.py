"""Heat on a rod that is cut over the devices: neighbours exchange their edges."""

import functools

import jax
import jax.numpy as jnp
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

COUNT = jax.device_count()
mesh = jax.make_mesh((COUNT,), ("x",), axis_types=(AxisType.Auto,))


@functools.partial(jax.shard_map, mesh=mesh, in_specs=P("x"), out_specs=P("x"))
def diffuse(u):
    right = jax.lax.ppermute(u[:1], "x", [(i, (i - 1) % COUNT) for i in range(COUNT)])
    left = jax.lax.ppermute(u[-1:], "x", [(i, (i + 1) % COUNT) for i in range(COUNT)])
    padded = jnp.concatenate([left, u, right])
    return u + 0.1 * (padded[:-2] - 2 * u + padded[2:])  # mistake: return u + 0.1 * (padded[:-1] - 2 * u + padded[2:]) [array-shape]


@jax.jit
def simulate(u):
    return jax.lax.fori_loop(0, 10, lambda _, v: diffuse(v), u)


u = jax.device_put(jnp.ones(16 * COUNT), NamedSharding(mesh, P("x")))  # mistake: u = jax.device_put(jnp.ones(16 * COUNT - 28), NamedSharding(mesh, P("x"))) [array-sharding]
u = simulate(u)
print(u.shape, COUNT)
