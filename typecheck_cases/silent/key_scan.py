"""Chains in `scan` and `fori_loop`: the key is carried, or each step has its own among the inputs."""

import jax
import jax.numpy as jnp


def log_density(x):
    return -0.5 * jnp.sum(x**2)


def metropolis(key, start, steps):
    def step(x, k):
        propose_key, accept_key = jax.random.split(k)
        proposal = x + 0.5 * jax.random.normal(propose_key, x.shape)  # mistake a: proposal = x + 0.5 * jax.random.normal(key, x.shape) [array-key]
        log_ratio = log_density(proposal) - log_density(x)
        accept = jnp.log(jax.random.uniform(accept_key)) < log_ratio  # mistake: accept = jnp.log(jax.random.uniform(propose_key)) < log_ratio [array-key]
        x = jnp.where(accept, proposal, x)
        return x, x

    return jax.lax.scan(step, start, jax.random.split(key, steps))[1]  # shows a


def diffuse(key, x):
    def body(i, x):
        return x + 0.1 * jax.random.normal(jax.random.fold_in(key, i), x.shape)  # mistake: return x + 0.1 * jax.random.normal(key, x.shape) [array-key]

    return jax.lax.fori_loop(0, 20, body, x)


def rejection(key):
    def unfit(state):
        return state[1] > 0.5

    def again(state):
        key, _ = state
        key, subkey = jax.random.split(key)
        return key, jax.random.uniform(subkey)  # mistake: return key, jax.random.uniform(outer_key) [array-key]

    return jax.lax.while_loop(unfit, again, (key, jnp.array(1.0)))[1]


chain_key, diffusion_key, outer_key = jax.random.split(jax.random.key(3), 3)
print(metropolis(chain_key, jnp.zeros(2), 50).shape)
print(diffuse(diffusion_key, jnp.zeros(3)))
inner_key, _ = jax.random.split(jax.random.key(4))
print(rejection(inner_key))
