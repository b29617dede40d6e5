"""Draws on branches: each path draws once, whichever is taken."""

import jax
import jax.numpy as jnp


def noisy(key, x, kind):
    if kind == "gauss":
        return x + jax.random.normal(key, x.shape)
    return x + jax.random.uniform(key, x.shape)


def dropout(key, x, rate, train):
    if not train:
        return x
    return jnp.where(jax.random.bernoulli(key, 1 - rate, x.shape), x / (1 - rate), 0.0)


def sample(key, logits, temperature):
    if jnp.max(logits) > 3.0:
        return jax.random.categorical(key, logits / temperature)
    return jax.random.randint(key, (), 0, logits.shape[0])


def augment(key, image):
    flip_key, noise_key = jax.random.split(key)
    image = jax.lax.cond(jax.random.bernoulli(flip_key), lambda x, k: x[:, ::-1] + jax.random.normal(k, x.shape), lambda x, k: x, image, noise_key)
    return image


def mixture(key, n):
    choose_key, gauss_key = jax.random.split(key)
    component = jax.random.bernoulli(choose_key, 0.3, (n,))
    noise = jax.random.normal(gauss_key, (n,))  # mistake: noise = jax.random.normal(choose_key, (n,)) [array-key]
    return jnp.where(component, noise, noise + 4.0)


k = jax.random.split(jax.random.key(11), 8)
x = jnp.ones(3)
print(noisy(k[0], x, "gauss"), noisy(k[1], x, "uniform"))  # mistake: print(noisy(k[0], x, "gauss"), noisy(k[0], x, "uniform")) [array-key]
drop_key = k[2]
print(dropout(drop_key, x, 0.5, True), dropout(drop_key, x, 0.5, False))  # mistake: print(dropout(drop_key, x, 0.5, True), dropout(drop_key, x, 0.6, True)) [array-key]
print(sample(k[3], jnp.arange(4.0), 1.0))
print(augment(k[4], jnp.ones((2, 2))).shape)
print(mixture(k[6], 6), mixture(k[7], 6))  # mistake: print(mixture(k[6], 6), mixture(k[-2], 6)) [array-key]
same = k[5]
print(jax.random.normal(same), jax.random.normal(jax.random.clone(same)))  # mistake: print(jax.random.normal(same), jax.random.normal(k[5])) [array-key]
print(jax.random.key_data(same), same == same)
