"""Random numbers: keys, splits, and a Metropolis sampler."""

import jax
import jax.numpy as jnp


def log_density(x):
    return -0.5 * jnp.sum(x**2) + jnp.log1p(jnp.sum(jnp.cos(x) ** 2))


def step(state, key):
    x, logp, accepted = state  # shows b
    k1, k2 = jax.random.split(key)  # mistake: k1, k2, k3 = jax.random.split(key) [error]
    proposal = x + 0.5 * jax.random.normal(k1, x.shape)
    new = log_density(proposal)
    accept = jnp.log(jax.random.uniform(k2)) < new - logp
    x = jnp.where(accept, proposal, x)
    logp = jnp.where(accept, new, logp)
    return (x, logp, accepted + accept), x  # mistake a: return (x, logp, accepted + accept / 2), x [array-dtype]


def chain(key, n):
    start_key, key = jax.random.split(key)  # shows c
    x = jax.random.normal(start_key, (3,))  # mistake: x = jax.random.normal((3,), start_key) [error]
    state = (x, log_density(x), jnp.int32(0))  # mistake b: state = (x, log_density(x)) [error]
    keys = jax.random.split(key, n)
    return jax.lax.scan(step, state, keys)  # shows a


seed = 3
key = jax.random.key(seed)
(x, logp, accepted), samples = chain(key, 50)  # mistake c: (x, logp, accepted), samples = chain(seed, 50) [error]
print(accepted, samples.mean(axis=0))
permute_key, choice_key = jax.random.split(jax.random.key(seed + 1))
permuted = jax.random.permutation(permute_key, samples)
print(jax.random.choice(choice_key, permuted, (4,)).shape)
