"""A model of flax linen whose parameters name axes of the mesh, with the state of its optimizer beside them."""

import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

mesh = jax.make_mesh((4, 2), ("data", "model"), axis_types=(AxisType.Auto,) * 2)
RULES = (("rows", "data"), ("columns", None))  # mistake b: RULES = (("rows", "dta"), ("columns", None)) [array-sharding]


class Mlp(nn.Module):
    @nn.compact
    def __call__(self, x):
        init = nn.initializers.lecun_normal()
        x = nn.relu(nn.Dense(32, kernel_init=nn.with_partitioning(init, (None, "model")))(x))  # mistake a: x = nn.relu(nn.Dense(33, kernel_init=nn.with_partitioning(init, (None, "model")))(x)) [array-sharding]
        return nn.Dense(8, kernel_init=nn.with_partitioning(init, ("model", None)))(x)


model = Mlp()
with nn.logical_axis_rules(RULES):
    rows = NamedSharding(mesh, nn.logical_to_mesh_axes(("rows", "columns")))  # shows b
x = jax.device_put(jnp.ones((16, 12)), rows)
abstract = jax.eval_shape(model.init, jax.random.key(0), x)
shardings = nn.get_sharding(abstract, mesh)
variables = jax.jit(model.init, out_shardings=shardings)(jax.random.key(0), x)  # shows a
params = nn.unbox(variables)["params"]
cut = nn.unbox(shardings)["params"]
optimizer = optax.adam(1e-3)
kept = jax.eval_shape(optimizer.init, params)
places = optax.tree.map_params(
    optimizer,
    lambda _, sharding: sharding,
    kept,
    cut,
    transform_non_params=lambda _: NamedSharding(mesh, P()),  # mistake c: transform_non_params=lambda _: NamedSharding(mesh, P("data")), [array-sharding]
)
state = jax.jit(optimizer.init, out_shardings=places)(params)  # shows c
kernel = params["Dense_0"]["kernel"]
moment = state[0].mu["Dense_0"]["kernel"]


def step(params, state, x):
    grads = jax.grad(lambda p: (model.apply({"params": p}, x) ** 2).mean())(params)
    updates, state = optimizer.update(grads, state, params)
    return optax.apply_updates(params, updates), state


step = jax.jit(step, in_shardings=(cut, places, rows), out_shardings=(cut, places))
params, state = step(params, state, x)
print(kernel.shape, moment.shape, params["Dense_1"]["kernel"].shape)
