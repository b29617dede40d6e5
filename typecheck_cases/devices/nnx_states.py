"""The state of a model of flax nnx is put where the partitioning of its parameters says."""

import jax
import jax.numpy as jnp
from flax import nnx
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

mesh = jax.make_mesh((2, 4), ("data", "model"), axis_types=(AxisType.Auto,) * 2)
width = 64  # mistake a: width = 66 [array-sharding]


class Mlp(nnx.Module):
    def __init__(self, rngs):
        init = nnx.initializers.lecun_normal()
        with nnx.use_eager_sharding(False):
            self.up = nnx.Linear(16, width, kernel_init=nnx.with_partitioning(init, (None, "model")), rngs=rngs)
            self.down = nnx.Linear(width, 4, rngs=rngs)

    def __call__(self, x):
        return self.down(jax.nn.relu(self.up(x)))


graph, state = nnx.split(Mlp(nnx.Rngs(0)))
specs = nnx.get_partition_spec(state)
shardings = nnx.get_named_sharding(state, mesh)
state = jax.device_put(state, shardings)  # shows a
model = nnx.merge(graph, state)
x = jax.device_put(jnp.ones((8, 16)), NamedSharding(mesh, P("data")))  # mistake: x = jax.device_put(jnp.ones((8, 16)), NamedSharding(mesh, P(None, None, "data"))) [array-sharding]
y = model(x)
part = x.addressable_shards[0].data
print(y.shape, part.shape, model.up.kernel[...].shape)
