"""A variational autoencoder: the encoder's noise and the dropout have keys of their own."""

import jax
import jax.numpy as jnp


def init(key):
    k1, k2, k3 = jax.random.split(key, 3)
    return {
        "encoder": jax.random.normal(k1, (16, 8)) * 0.1,
        "decoder": jax.random.normal(k2, (4, 16)) * 0.1,  # mistake: "decoder": jax.random.normal(k1, (4, 16)) * 0.1, [array-key]
        "bias": jax.random.normal(k3, (16,)) * 0.01,
    }


def reparameterise(key, mean, log_variance):
    return mean + jnp.exp(0.5 * log_variance) * jax.random.normal(key, mean.shape)


def loss(params, x, key):
    noise_key, mask_key = jax.random.split(key)
    mask = jax.random.bernoulli(mask_key, 0.9, x.shape)  # mistake: mask = jax.random.bernoulli(key, 0.9, x.shape) [array-key]
    mean, log_variance = jnp.split((x * mask) @ params["encoder"], 2, axis=-1)
    z = reparameterise(noise_key, mean, log_variance)
    return jnp.mean((z @ params["decoder"] + params["bias"] - x) ** 2)


@jax.jit
def step(params, x, key):
    gradients = jax.grad(loss)(params, x, key)
    return jax.tree.map(lambda p, g: p - 0.01 * g, params, gradients)


def main():
    key = jax.random.key(0)
    key, init_key, data_key = jax.random.split(key, 3)
    params = init(init_key)
    data = jax.random.normal(data_key, (64, 16))  # mistake: data = jax.random.normal(init_key, (64, 16)) [array-key]
    for start in range(0, 64, 16):
        key, step_key = jax.random.split(key)
        params = step(params, data[start : start + 16], step_key)
    return params


print(main()["bias"].shape)
