"""A model of flax linen with logical axes, which rules map to those of the mesh."""

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()).reshape(2, 4), ("data", "model"))
RULES = (("batch", "data"), ("hidden", "model"), ("embed", None))


class Mlp(nn.Module):
    hidden: int

    @nn.compact
    def __call__(self, x):
        init = nn.initializers.lecun_normal()
        x = nn.Dense(self.hidden, kernel_init=nn.with_logical_partitioning(init, ("embed", "hidden")))(x)
        x = nn.relu(x)
        return nn.Dense(8, kernel_init=nn.with_logical_partitioning(init, ("hidden", "embed")))(x)


model = Mlp(32)
x = jnp.ones((16, 12))
abstract = jax.eval_shape(model.init, jax.random.key(0), x)
specs = nn.get_partition_spec(abstract)
shardings = nn.logical_to_mesh_sharding(specs, mesh, RULES)
variables = jax.jit(model.init, out_shardings=shardings)(jax.random.key(0), x)
rows = NamedSharding(mesh, P("data", None))  # mistake: rows = NamedSharding(mesh, P("data", "data")) [array-sharding]
apply = jax.jit(model.apply, in_shardings=(None, rows), out_shardings=rows)
y = apply(variables, x)  # mistake: y = apply(variables, x[:15]) [array-sharding]
print(y.shape)
