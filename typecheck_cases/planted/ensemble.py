"""Several networks trained as one, by `vmap` over their parameters."""

import jax
import jax.numpy as jnp


def init(key, hidden=8):
    k1, k2 = jax.random.split(key)
    return {"w1": jax.random.normal(k1, (3, hidden)), "w2": jax.random.normal(k2, (hidden,)), "step": 0.1}


def predict(params, x):
    return jnp.tanh(x @ params["w1"]) @ params["w2"]


def loss(params, x, y):
    return jnp.mean((predict(params, x) - y) ** 2)


members = [init(jax.random.key(seed)) for seed in range(4)]  # mistake a: members = [init(jax.random.key(seed), 4 + seed) for seed in range(4)] [array-shape]
stacked = jax.tree.map(lambda *leaves: jnp.stack(leaves), *members)  # shows a
x, y = jnp.ones((6, 3)), jnp.zeros(6)
losses = jax.vmap(loss, in_axes=(0, None, None))(stacked, x, y)  # mistake: losses = jax.vmap(loss)(stacked, x, y) [array-shape]
print(losses)

axes = ({"w1": 0, "w2": 0, "step": 0}, None)  # mistake b: axes = ({"w1": 0, "w2": 0}, None) [error]
outputs = jax.vmap(predict, in_axes=axes, out_axes=1)(stacked, x)  # shows b
assert outputs.shape == (6, 4)
residual = outputs - y[:, None]  # mistake: residual = outputs - y [array-shape]
pairs = jax.vmap(jax.vmap(jnp.dot, (None, 1)), (1, None))(residual, residual)
print(pairs.shape, jnp.std(outputs, axis=1).max())
