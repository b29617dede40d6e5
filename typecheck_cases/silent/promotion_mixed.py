"""Mixed precision: a network in bfloat16 whose activations stay so, in training and sampling."""

import jax
import jax.numpy as jnp
import numpy as np

HALF = jnp.bfloat16
SCALE = jnp.ones((8,), HALF)  # mistake c: SCALE = jnp.ones((8,)) [array-promotion-wide]
TEMPERATURE = 0.7  # mistake a: TEMPERATURE = np.float32(0.7) [array-promotion-wide]
DROP = np.array([0.0, 1.0, 1.0, 1.0], HALF)  # mistake b: DROP = np.array([0.0, 1.0, 1.0, 1.0], np.float32) [array-promotion-wide]


def init(key):
    k1, k2 = jax.random.split(key)
    return {
        "w1": jax.random.normal(k1, (4, 8), HALF),
        "w2": jax.random.normal(k2, (8, 4), HALF),
    }


def forward(params, x):
    h = x @ params["w1"]  # shows e
    h = jax.nn.gelu(h * SCALE)  # shows c
    h = h / jnp.sqrt(8.0)  # mistake: h = h / np.sqrt(8.0).astype(np.float32) [array-promotion-wide]
    print(h.dtype)
    return h @ params["w2"].astype(h.dtype)


def loss(params, x, y):
    logits = forward(params, x).astype(jnp.float32)
    return jnp.mean((logits - y) ** 2)


@jax.jit
def step(params, x, y):
    value, gradient = jax.value_and_grad(loss)(params, x, y)
    rate = jnp.bfloat16(0.1)  # mistake d: rate = jnp.float32(0.1) [array-promotion-wide]
    params = jax.tree.map(lambda p, g: p - (rate * g.astype(HALF)), params, gradient)  # shows d
    return params, value


def sample(params, key, x):
    logits = forward(params, x).astype(HALF)
    logits = logits * DROP  # shows b
    print(logits.dtype)
    logits = logits.astype(HALF)
    logits = logits / TEMPERATURE  # shows a
    return jax.random.categorical(key, logits.astype(jnp.float32)), logits.dtype


params = init(jax.random.key(0))
x = jnp.ones((2, 4), HALF)  # mistake e: x = jnp.ones((2, 4)) [array-promotion-wide]
params, value = step(params, x, jnp.zeros((2, 4)))
print(jax.tree.map(lambda p: str(p.dtype), params), value.dtype)
print(sample(params, jax.random.key(1), jnp.ones((2, 4), HALF))[1])
