"""Parameters and the optimizer's state are each cut along their first dimension that the mesh divides."""

import jax
import jax.numpy as jnp
import optax
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

mesh = jax.make_mesh((jax.device_count(),), ("fsdp",), axis_types=(AxisType.Auto,))


def cut(leaf):
    for i, size in enumerate(leaf.shape):
        if size % mesh.shape["fsdp"] == 0:
            return NamedSharding(mesh, P(*(None,) * i, "fsdp"))  # mistake a: return NamedSharding(mesh, P(*(None,) * (i + 1), "fsdp")) [array-sharding]
    return NamedSharding(mesh, P())


params = {"embed": jnp.ones((64, 24)), "out": jnp.ones((24, 10)), "bias": jnp.ones((10,))}
shardings = jax.tree.map(cut, params)
params = jax.device_put(params, shardings)  # shows a
optimizer = optax.adam(1e-3)
state = optimizer.init(params)


def loss(params, tokens, labels):
    logits = params["embed"][tokens].mean(1) @ params["out"] + params["bias"]
    return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()


@jax.jit
def step(params, state, tokens, labels):
    grads = jax.grad(loss)(params, tokens, labels)
    updates, state = optimizer.update(grads, state, params)
    return optax.apply_updates(params, updates), state


batch = NamedSharding(mesh, P("fsdp"))
tokens = jax.device_put(jnp.zeros((16, 5), jnp.int32), batch)  # mistake: tokens = jax.device_put(jnp.zeros((20, 5), jnp.int32), batch) [array-sharding]
labels = jax.device_put(jnp.zeros((16,), jnp.int32), batch)
params, state = step(params, state, tokens, labels)
print(jax.tree.map(jnp.shape, params))
