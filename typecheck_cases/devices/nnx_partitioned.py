"""A model of flax nnx whose parameters carry the axes along which they are cut."""

import jax
import jax.numpy as jnp
import optax
from flax import nnx
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

mesh = jax.make_mesh((2, 4), ("data", "model"), axis_types=(AxisType.Auto,) * 2)


class Mlp(nnx.Module):
    def __init__(self, rngs):
        init = nnx.initializers.lecun_normal()
        self.up = nnx.Linear(16, 64, kernel_init=nnx.with_partitioning(init, (None, "model")), rngs=rngs)
        self.down = nnx.Linear(64, 4, kernel_init=nnx.with_partitioning(init, ("model", None)), rngs=rngs)
        gate_init = nnx.with_partitioning(init, (None, "model"))  # mistake b: gate_init = nnx.with_partitioning(init, (None, "modle")) [array-sharding]
        self.gate = nnx.Param(gate_init(rngs.params(), (16, 64)))  # shows b

    def __call__(self, x):
        return self.down(jax.nn.relu(self.up(x)) * (x @ self.gate[...]))


with jax.set_mesh(mesh):
    model = Mlp(nnx.Rngs(0))
    optimizer = nnx.Optimizer(model, optax.sgd(0.1), wrt=nnx.Param)
    rows = NamedSharding(mesh, P("data"))  # mistake: rows = NamedSharding(mesh, P("dada")) [array-sharding]
    x = jax.device_put(jnp.ones((8, 16)), rows)  # mistake: x = jax.device_put(jnp.ones((7, 16)), rows) [array-sharding]

    @nnx.jit
    def step(model, optimizer, x):
        def loss(model):
            y = model(x)
            return (y**2).mean()

        value, grads = nnx.value_and_grad(loss)(model)
        optimizer.update(model, grads)
        return value

    value = step(model, optimizer, x)
    y = model(x)
    print(value.shape, y.shape)
