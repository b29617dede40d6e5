"""A sampler that asks for what it gets: noise, bits, layers and labels in 32 bits."""

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np

PRECISION = jnp.float32


def noise(key, shape):
    return jax.random.normal(key, shape, dtype=PRECISION)  # mistake: return jax.random.normal(key, shape, dtype=jnp.float64) [array-promotion-64bit]


def proposal(key, x):
    step_key, accept_key = jax.random.split(key)
    step = noise(step_key, x.shape)
    accept = jax.random.uniform(accept_key, (), jnp.float32)  # mistake: accept = jax.random.uniform(accept_key, (), jnp.float64) [array-promotion-64bit]
    return jnp.where(accept < 0.5, x + step, x)


def choose(key, n):
    return jax.random.randint(key, (3,), 0, n, dtype=jnp.int32)  # mistake: return jax.random.randint(key, (3,), 0, n, dtype="int64") [array-promotion-64bit]


def weights(key):
    return jax.nn.initializers.normal(0.1)(key, (3, 4), np.float32)  # mistake: return jax.nn.initializers.normal(0.1)(key, (3, 4), np.float64) [array-promotion-64bit]


class Layer(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.Dense(2, dtype=jnp.float32)(x)  # mistake: return nn.Dense(2, dtype=jnp.float64)(x) [array-promotion-64bit]


keys = jax.random.split(jax.random.key(0), 5)
x = proposal(keys[0], jnp.zeros(3))
print(x, choose(keys[1], 5), weights(keys[4]))
layer = Layer()
print(layer.apply(layer.init(keys[2], x), x).dtype)
print(jax.random.bits(keys[3], (2,), jnp.uint32))  # mistake: print(jax.random.bits(keys[3], (2,), jnp.uint64)) [array-promotion-64bit]
