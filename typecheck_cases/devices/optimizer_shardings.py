"""The optimizer's state is made under jit, in shardings that follow those of the parameters."""

import jax
import jax.numpy as jnp
import optax
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

mesh = jax.make_mesh((4, 2), ("fsdp", "tensor"), axis_types=(AxisType.Auto,) * 2)
specs = {"w": P("fsdp", "tensor"), "b": P("tensor")}  # mistake a: specs = {"w": P("fsdp", "tensr"), "b": P("tensor")} [array-sharding]
shardings = {name: NamedSharding(mesh, spec) for name, spec in specs.items()}  # shows a


@jax.jit
def init():
    return {"w": jnp.ones((32, 16)), "b": jnp.zeros((16,))}


params = jax.jit(init, out_shardings=shardings)()  # mistake: params = jax.jit(init, out_shardings={"w": shardings["b"]})() [array-sharding]
optimizer = optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(1e-3))
state = optimizer.init(params)


@jax.jit
def step(params, state, x):
    grads = jax.grad(lambda p: ((x @ p["w"] + p["b"]) ** 2).mean())(params)
    updates, state = optimizer.update(grads, state, params)
    params = optax.apply_updates(params, updates)
    return jax.lax.with_sharding_constraint(params, shardings), state


x = jax.device_put(jnp.ones((8, 32)), NamedSharding(mesh, P(None, "fsdp")))
params, state = step(params, state, x)
print(params["w"].shape, params["b"].shape)
