"""Experts on different devices: tokens go to theirs by all_to_all, and come back."""

import jax
import jax.numpy as jnp
from jax.sharding import Mesh, PartitionSpec as P
import numpy as np

mesh = Mesh(np.asarray(jax.devices()), axis_names=("expert",))
EXPERTS = mesh.size


def layer(tokens, w_in, w_out):
    capacity = tokens.shape[0] // EXPERTS
    sent = tokens.reshape(EXPERTS, capacity, -1)
    mine = jax.lax.all_to_all(sent, "expert", split_axis=0, concat_axis=0)  # mistake: mine = jax.lax.all_to_all(sent, "experts", split_axis=0, concat_axis=0) [array-sharding]
    hidden = jax.nn.relu(jnp.einsum("ecd,df->ecf", mine, w_in[0]))
    done = jnp.einsum("ecf,fd->ecd", hidden, w_out[0])
    back = jax.lax.all_to_all(done, "expert", split_axis=0, concat_axis=0)
    load = jax.lax.psum(jnp.abs(mine).sum(), "expert")  # mistake a: load = jnp.abs(mine).sum() [array-sharding]
    return back.reshape(tokens.shape), load


moe = jax.shard_map(layer, mesh=mesh, in_specs=(P("expert"), P("expert"), P("expert")), out_specs=(P("expert"), P()))
tokens = jnp.ones((EXPERTS * 16, 12))
w_in, w_out = jnp.ones((EXPERTS, 12, 20)), jnp.ones((EXPERTS, 20, 12))
out, load = moe(tokens, w_in, w_out)  # shows a  # mistake: out, load = moe(tokens[1:], w_in, w_out) [array-sharding]
print(out.shape, load.shape)
