"""A variational autoencoder for binary patterns, with annealed KL and an importance-weighted bound."""

from dataclasses import dataclass, field, replace

import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np
from absl import app, logging
from jax.scipy.special import logsumexp
from jax.scipy.stats import norm


@dataclass(frozen=True)
class Hyper:
    side: int = 6
    latent: int = 4
    widths: tuple = (32,)
    batch: int = 32
    steps: int = 40
    learning_rate: float = 2e-3
    extras: dict = field(default_factory=dict, hash=False, compare=False)

    @property
    def n_pixels(self):
        return self.side**2


def dataset(hp, n, seed=0):
    rng = np.random.default_rng(seed)
    ys, xs = np.mgrid[: hp.side, : hp.side]
    centres = rng.uniform(1, hp.side - 2, size=(n, 2))
    d2 = (ys[None] - centres[:, 0, None, None]) ** 2 + (xs[None] - centres[:, 1, None, None]) ** 2
    blobs = np.exp(-d2 / 2.0)
    return (blobs > rng.random(blobs.shape)).reshape(n, -1).astype(np.float32)


def mlp_params(key, dims):
    layers = []
    for n_in, n_out in zip(dims, dims[1:]):
        key, sub = jr.split(key)
        layers.append((jr.normal(sub, (n_in, n_out)) / np.sqrt(n_in), jnp.zeros(n_out)))
    return layers


def mlp(layers, x):
    for w, b in layers[:-1]:
        x = jnp.tanh(jnp.dot(x, w) + b)
    w, b = layers[-1]
    return jnp.dot(x, w) + b


def init(key, hp):
    enc_key, dec_key = jr.split(key)
    return dict(
        encoder=mlp_params(enc_key, (hp.n_pixels, *hp.widths, 2 * hp.latent)),
        decoder=mlp_params(dec_key, (hp.latent, *reversed(hp.widths), hp.n_pixels)),
    )


def encode(params, x):
    mean, log_std = jnp.split(mlp(params["encoder"], x), 2, axis=-1)
    return mean, jnp.clip(log_std, -5.0, 2.0)


def bernoulli_log_prob(logits, x):
    return -jnp.sum(jax.nn.softplus(jnp.where(x > 0.5, -logits, logits)), axis=-1)


def negative_elbo(params, key, x, beta):
    mean, log_std = encode(params, x)
    z = mean + jnp.exp(log_std) * jr.normal(key, mean.shape)
    log_px = bernoulli_log_prob(mlp(params["decoder"], z), x)
    kl = 0.5 * jnp.sum(jnp.exp(2 * log_std) + mean**2 - 1 - 2 * log_std, axis=-1)
    return jnp.mean(beta * kl - log_px), dict(kl=kl.mean(), recon=log_px.mean())


def importance_bound(params, key, x, n_samples):
    """log p(x) >= log mean_k p(x, z_k) / q(z_k | x), for one x."""
    mean, log_std = encode(params, x)

    def log_weight(k):
        eps = jr.normal(k, mean.shape)
        z = mean + jnp.exp(log_std) * eps
        log_q = norm.logpdf(z, mean, jnp.exp(log_std)).sum()
        log_p = norm.logpdf(z).sum() + bernoulli_log_prob(mlp(params["decoder"], z), x)
        return log_p - log_q

    return logsumexp(jax.vmap(log_weight)(jr.split(key, n_samples))) - jnp.log(n_samples)


def adam(hp):
    def init_fn(params):
        return 0, jax.tree.map(jnp.zeros_like, params), jax.tree.map(jnp.zeros_like, params)

    def update_fn(grads, state, params):
        count, mu, nu = state
        count += 1
        mu = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, mu, grads)
        nu = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, nu, grads)
        scale = hp.learning_rate * jnp.sqrt(1 - 0.999**count) / (1 - 0.9**count)
        new = jax.tree.map(lambda p, m, v: p - scale * m / (jnp.sqrt(v) + 1e-8), params, mu, nu)
        return new, (count, mu, nu)

    return init_fn, update_fn


def main(argv):
    del argv
    hp = replace(Hyper(), latent=3)
    data = dataset(hp, 256)
    key = jr.PRNGKey(0)
    key, init_key = jr.split(key)
    params = jax.jit(init, static_argnums=1)(init_key, hp)
    opt_init, opt_update = adam(hp)
    opt_state = opt_init(params)

    @jax.jit
    def step(params, opt_state, key, x, beta):
        (loss, aux), grads = jax.value_and_grad(negative_elbo, has_aux=True)(params, key, x, beta)
        params, opt_state = opt_update(grads, opt_state, params)
        return params, opt_state, {"loss": loss, **aux}

    for i in range(hp.steps):
        start = (i * hp.batch) % len(data)
        key, step_key = jr.split(key)
        beta = min(1.0, (i + 1) / 20)
        params, opt_state, metrics = step(params, opt_state, step_key, data[start : start + hp.batch], beta)
        if i % 10 == 9:
            logging.debug("step %d", i)
            print(", ".join(f"{name} {value:.2f}" for name, value in metrics.items()))

    test = dataset(hp, 8, seed=1)
    key, sample_key = jr.split(key)
    bound = jax.jit(jax.vmap(importance_bound, in_axes=(None, 0, 0, None)), static_argnums=3)
    values = bound(params, jr.split(key, len(test)), test, 16)
    print(f"importance-weighted bound {values.mean():.2f} over {values.shape[0]} images")

    samples = jax.nn.sigmoid(mlp(params["decoder"], jr.normal(sample_key, (2, hp.latent))))
    print("samples", samples.reshape(-1, hp.side, hp.side).shape)


if __name__ == "__main__":
    app.run(main)
