"""The oldest way: one copy of the parameters and one part of the batch for each device, under pmap."""

from functools import partial

import jax
import jax.numpy as jnp

count = jax.local_device_count()


def loss(params, x, y):
    return jnp.mean((x @ params["w"] + params["b"] - y) ** 2)


@partial(jax.pmap, axis_name="devices")
def step(params, x, y):
    value, grads = jax.value_and_grad(loss)(params, x, y)
    grads = jax.lax.pmean(grads, "devices")  # mistake: grads = jax.lax.pmean(grads, "device") [array-sharding]
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads), value


params = {"w": jnp.zeros((3,)), "b": jnp.zeros(())}
params = jax.tree.map(lambda p: jnp.broadcast_to(p, (count, *p.shape)), params)
x, y = jnp.ones((64, 3)), jnp.ones((64,))
x = x.reshape(count, -1, 3)  # mistake: x = x.reshape(count * 3, -1, 3) [array-shape]
y = y.reshape(count, -1)
params, value = step(params, x, y)
doubled = jax.pmap(lambda v: 2 * v)(jnp.ones((count, 5)))  # mistake: doubled = jax.pmap(lambda v: 2 * v)(jnp.ones((2 * count, 5))) [array-sharding]
print(value.shape, doubled.shape)
