"""A product of matrices that are cut both ways, by gathering a row and a column of blocks."""

import jax
import jax.numpy as jnp
from jax.sharding import AxisType, PartitionSpec as P

mesh = jax.make_mesh((2, 4), ("i", "j"), axis_types=(AxisType.Auto,) * 2)


def multiply(a, b):
    row = jax.lax.all_gather(a, "j", axis=1, tiled=True)
    column = jax.lax.all_gather(b, "i", axis=0, tiled=True)
    return row @ column


product = jax.jit(jax.shard_map(multiply, mesh=mesh, in_specs=(P("i", "j"), P("i", "j")), out_specs=P("i", "j")))
a, b = jnp.ones((16, 32)), jnp.ones((32, 24))
c = product(a, b)  # mistake: c = product(a, b[:, :22]) [array-sharding]
trace = jax.shard_map(lambda m: jax.lax.psum(m.sum(), ("i", "j")), mesh=mesh, in_specs=P("i", "j"), out_specs=P())(c)  # mistake: trace = jax.shard_map(lambda m: jax.lax.psum(m.sum(), "i"), mesh=mesh, in_specs=P("i", "j"), out_specs=P())(c) [array-sharding]
flat = jax.shard_map(lambda m: m.ravel(), mesh=mesh, in_specs=P("i", "j"), out_specs=P(("i", "j")))(c)  # mistake: flat = jax.shard_map(lambda m: m.ravel(), mesh=mesh, in_specs=P("i", "j"), out_specs=P("i", "j"))(c) [array-sharding]
print(c.shape, trace.shape, flat.shape)
