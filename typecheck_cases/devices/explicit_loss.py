"""A training step with explicit shardings: gradients lie as their parameters do."""

import jax
import jax.numpy as jnp
from jax import P
from jax.sharding import reshard

mesh = jax.make_mesh((4, 2), ("x", "y"))
jax.set_mesh(mesh)


def init(key):
    k1, k2 = jax.random.split(key)
    return {
        "w": reshard(jax.random.normal(k1, (8, 12)), P("x", "y")),  # mistake: "w": reshard(jax.random.normal(k1, (8, 12)), P("x", "x")), [array-sharding]
        "v": reshard(jax.random.normal(k2, (12,)), P("y")),  # mistake a: "v": reshard(jax.random.normal(k2, (12,)), P("x")), [array-sharding]
    }


def loss(params, batch):
    hidden = jnp.einsum("bi,ij->bj", batch, params["w"], out_sharding=P(None, "y"))
    return ((hidden * params["v"]) ** 2).mean()  # shows a


@jax.jit
def step(params, batch):
    value, grads = jax.value_and_grad(loss)(params, batch)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads), value


params = init(jax.random.key(0))
batch = reshard(jnp.ones((16, 8)), P(None, "x"))
params, value = step(params, batch)
print(jax.typeof(params["w"]), jax.typeof(params["v"]), value.shape)
