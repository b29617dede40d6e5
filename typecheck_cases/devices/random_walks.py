"""Random numbers that differ from device to device, and their mean over all."""

from functools import partial

import jax
import jax.numpy as jnp
from jax.sharding import AxisType, PartitionSpec as P

mesh = jax.make_mesh((8,), ("walkers",), axis_types=(AxisType.Auto,))


@partial(jax.shard_map, mesh=mesh, in_specs=P(), out_specs=(P("walkers"), P()))
def walk(key):
    key = jax.random.fold_in(key, jax.lax.axis_index("walkers"))
    steps = jax.random.normal(key, (100, 2))
    ends = jnp.cumsum(steps, axis=0)
    mean = jax.lax.pmean(ends[-1], "walkers")  # mistake a: mean = ends[-1] [array-sharding]
    return ends[None], mean


ends, mean = walk(jax.random.key(0))  # shows a
spread = jnp.sqrt(((ends[:, -1] - mean) ** 2).mean())
print(ends.shape, mean.shape, spread.shape)
