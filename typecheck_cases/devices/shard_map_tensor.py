"""A two-layer network with columns and rows of the weights on different devices, and one sum at the end."""

import jax
import jax.numpy as jnp
from jax.sharding import AxisType, PartitionSpec as P

mesh = jax.make_mesh((2, 4), ("data", "model"), axis_types=(AxisType.Auto,) * 2)


def local(x, up, down):
    hidden = jax.nn.gelu(x @ up)
    return jax.lax.psum(hidden @ down, "model")  # mistake a: return hidden @ down [array-sharding]


network = jax.jit(
    jax.shard_map(
        local,
        mesh=mesh,
        in_specs=(P("data", None), P(None, "model"), P("model", None)),  # mistake b: in_specs=(P("data", None), P(None, "model")), [array-sharding]
        out_specs=P("data", None),  # mistake c: out_specs=P("data", "modal"), [array-sharding]
    )
)
x = jnp.ones((16, 12))
up, down = jnp.ones((12, 64)), jnp.ones((64, 12))
y = network(x, up, down)  # shows a  # shows b  # shows c  # mistake: y = network(x, up[:, :50], down[:50]) [array-sharding]
print(y.shape)
slope = jax.grad(lambda w: network(x, w, down).sum())(up)
print(slope.shape)
