"""Random numbers: keys, splitting, distributions, permutations; a Metropolis sampler, linear regression by steps."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax, random

key = random.key(42)
print(random.normal(key), random.normal(key), key.dtype, key.shape, random.key_data(key))
for _ in range(2):
    key, subkey = random.split(key)
    print(random.uniform(subkey, (2,)), random.randint(subkey, (3,), 0, 10), random.bernoulli(subkey, 0.3, (4,)))
old = random.PRNGKey(7)
print(old, random.split(old, 2), random.fold_in(old, 3))
keys = random.split(key, 4)
draws = jax.vmap(lambda k: random.normal(k, (2,)))(keys)
print(keys.shape, draws.shape, np.allclose(draws, np.stack([random.normal(k, (2,)) for k in keys]), atol=1e-6))
shuffled = random.permutation(keys[0], jnp.arange(8))
chosen = random.choice(keys[1], jnp.array([1.0, 2.0, 4.0]), (5,), p=jnp.array([0.2, 0.3, 0.5]))
print(
    shuffled, sorted(shuffled.tolist()), chosen, random.categorical(keys[2], jnp.log(jnp.array([0.1, 0.9])), shape=(6,))
)
print(random.truncated_normal(keys[3], -1, 1, (3,)), random.exponential(keys[3], (2,)), random.gumbel(keys[3]))


def log_density(x):
    return -0.5 * jnp.sum((x - 1.0) ** 2 / jnp.array([1.0, 0.25]))


@jax.jit
def metropolis(key, x0):
    def step(carry, key):
        x, accepted = carry
        propose, accept = random.split(key)
        candidate = x + 0.8 * random.normal(propose, x.shape)
        take = jnp.log(random.uniform(accept)) < log_density(candidate) - log_density(x)
        x = jnp.where(take, candidate, x)
        return (x, accepted + take), x

    (_, accepted), chain = lax.scan(step, (x0, 0), random.split(key, 300))
    return chain, accepted / 300


chain, rate = metropolis(random.key(3), jnp.zeros(2))
print(chain.mean(0), chain.var(axis=0), rate)

true_w = jnp.array([2.0, -3.4])
X = random.normal(random.key(5), (64, 2))
y = X @ true_w + 4.2 + 0.01 * random.normal(random.key(6), (64,))


def loss(params, X, y):
    return jnp.mean((X @ params["w"] + params["b"] - y) ** 2)


step = jax.jit(lambda p, X, y: jax.tree.map(lambda a, g: a - 0.1 * g, p, jax.grad(loss)(p, X, y)))
params = {"b": jnp.array(0.0), "w": jnp.zeros(2)}
for _ in range(40):
    params = step(params, X, y)
print({k: np.round(v, 2).tolist() for k, v in params.items()}, f"{loss(params, X, y):.4f}")
