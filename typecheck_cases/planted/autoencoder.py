"""A variational autoencoder: a mistake in it shows three calls deep."""

import jax
import jax.numpy as jnp

LATENT = 2


def dense(params, x):
    w, b = params
    return jnp.dot(x, w) + b  # shows a


def init(key):
    sizes = {"encode": (6, 2 * LATENT), "decode": (LATENT, 6)}  # mistake a: sizes = {"encode": (6, LATENT), "decode": (LATENT, 6)} [array-shape]
    params = {}
    for name, (n, m) in sizes.items():
        key, sub = jax.random.split(key)
        params[name] = (jax.random.normal(sub, (n, m)) * 0.1, jnp.zeros(m))
    return params


def encode(params, x):
    return jnp.split(dense(params["encode"], x), 2, axis=-1)


def decode(params, z):
    return jax.nn.sigmoid(dense(params["decode"], z))


def elbo(params, key, x):
    mean, logvar = encode(params, x)
    z = mean + jnp.exp(0.5 * logvar) * jax.random.normal(key, mean.shape)
    kl = 0.5 * jnp.sum(jnp.exp(logvar) + mean**2 - 1 - logvar, axis=-1)
    fit = jnp.sum((decode(params, z) - x) ** 2, axis=-1)
    return jnp.mean(fit + kl)


@jax.jit
def train(params, key, x):
    def step(params, key):
        value, grads = jax.value_and_grad(elbo)(params, key, x)
        return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads), value  # mistake b: return grads["encode"], value [error]

    return jax.lax.scan(step, params, jax.random.split(key, 5))  # shows b


params, values = train(init(jax.random.key(0)), jax.random.key(1), jnp.ones((8, 6)))
print(values, params["decode"][1])
