"""Training that begins at a known point: norms of weights, adapters that begin with zeros, scales and angles."""

from typing import NamedTuple

import jax
import jax.numpy as jnp
import optax


class Params(NamedTuple):
    kernel: jax.Array
    adapter: jax.Array
    log_scale: jax.Array


def init(key):
    kernel = jax.random.normal(key, (3, 2))
    return Params(kernel, jnp.zeros((3, 2)), jnp.zeros(()))


def penalty(params):
    return jnp.sum(params.adapter**2)  # mistake: return jnp.linalg.norm(params.adapter) [array-nan]


def spread(params):
    return jnp.var(params.adapter)  # mistake: return jnp.std(params.adapter) [array-nan]


def loss(params, x, y):
    weights = params.kernel + params.adapter
    error = jnp.mean((x @ weights * jnp.exp(params.log_scale) - y) ** 2)
    return error + 0.1 * penalty(params) + 0.1 * spread(params)


@jax.jit
def step(params, state, x, y):
    value, gradient = jax.value_and_grad(loss)(params, x, y)
    updates, state = optimizer.update(gradient, state, params)
    return optax.apply_updates(params, updates), state, value


def heading(velocity):
    return jnp.arctan2(velocity[1], velocity[0])


def turn(speed):
    return heading(speed * jnp.ones(2))


def amplitude(power):
    return jnp.sqrt(power + 1e-6)  # mistake: return jnp.sqrt(power) [array-nan]


def geometric_mean(weights):
    return jnp.exp(jnp.mean(jnp.log(weights)))


def tilt(angle):
    return jnp.arccos(0.5 * jnp.cos(angle))  # mistake: return jnp.arccos(jnp.cos(angle)) [array-nan]


optimizer = optax.adam(1e-2)
params = init(jax.random.key(0))
state = optimizer.init(params)
x, y = jnp.ones((4, 3)), jnp.zeros((4, 2))
for _ in range(2):
    params, state, value = step(params, state, x, y)
print(params, value)
print(jax.grad(turn)(1.0))  # mistake: print(jax.grad(lambda v: jnp.arctan2(v[1], v[0]))(jnp.zeros(2))) [array-nan]
print(jax.grad(lambda p: amplitude(p).sum())(jnp.zeros(3)))
print(jax.grad(geometric_mean)(jnp.ones(3)))  # mistake: print(jax.grad(lambda w: jnp.exp(jnp.mean(jnp.log(w))))(jnp.zeros(3))) [array-nan]
print(jax.grad(tilt)(jnp.zeros(())))
