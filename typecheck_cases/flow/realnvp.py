"""RealNVP: affine coupling layers with exact log-densities, fitted to a banana-shaped distribution."""

import abc
from typing import ClassVar

import jax
import jax.numpy as jnp
import numpy as np
from jax.scipy import stats


class Bijector(abc.ABC):
    """Maps x to (y, log |det dy/dx|), both with leading batch axes, and back."""

    @abc.abstractmethod
    def init(self, key): ...

    @abc.abstractmethod
    def forward(self, params, x): ...

    @abc.abstractmethod
    def inverse(self, params, y): ...


class AffineCoupling(Bijector):
    hidden: ClassVar[int] = 24

    def __init__(self, dim, parity):
        self.dim = dim
        self.mask = (jnp.arange(dim) % 2 == parity).astype(jnp.float32)

    def init(self, key):
        k1, k2 = jax.random.split(key)
        return {
            "w1": jax.random.normal(k1, (self.dim, self.hidden)) * 0.5,
            "b1": jnp.zeros((self.hidden,)),
            "w2": jax.random.normal(k2, (self.hidden, 2 * self.dim)) * 0.01,
            "b2": jnp.zeros((2 * self.dim,)),
        }

    def conditioner(self, params, x):
        h = jnp.tanh((x * self.mask) @ params["w1"] + params["b1"])
        shift, log_scale = jnp.split(h @ params["w2"] + params["b2"], 2, axis=-1)
        free = 1.0 - self.mask
        return shift * free, 2.0 * jnp.tanh(log_scale / 2.0) * free

    def forward(self, params, x):
        shift, log_scale = self.conditioner(params, x)
        return x * jnp.exp(log_scale) + shift, log_scale.sum(-1)

    def inverse(self, params, y):
        shift, log_scale = self.conditioner(params, y)
        return (y - shift) * jnp.exp(-log_scale), -log_scale.sum(-1)


class LinearLU(Bijector):
    """A learnt mixing of the coordinates, as a product of triangular matrices."""

    def __init__(self, dim):
        self.dim = dim

    def init(self, key):
        lower, upper = 0.1 * jax.random.normal(key, (2, self.dim, self.dim))
        return {"lower": lower, "upper": upper, "log_diag": jnp.zeros(self.dim)}

    def matrices(self, params):
        lower = jnp.tril(params["lower"], -1) + jnp.eye(self.dim)
        upper = jnp.triu(params["upper"], 1) + jnp.diag(jnp.exp(params["log_diag"]))
        return lower, upper

    def forward(self, params, x):
        lower, upper = self.matrices(params)
        log_det = jnp.broadcast_to(params["log_diag"].sum(), x.shape[:-1])
        return x @ (lower @ upper).T, log_det

    def inverse(self, params, y):
        lower, upper = self.matrices(params)
        z = jax.scipy.linalg.solve_triangular(lower, y.T, lower=True, unit_diagonal=True)
        x = jax.scipy.linalg.solve_triangular(upper, z).T
        return x, jnp.broadcast_to(-params["log_diag"].sum(), y.shape[:-1])


class Chain(Bijector):
    def __init__(self, *bijectors):
        self.bijectors = bijectors

    def init(self, key):
        return tuple(b.init(k) for b, k in zip(self.bijectors, jax.random.split(key, len(self.bijectors))))

    def forward(self, params, x):
        total = jnp.zeros(x.shape[:-1])
        for bijector, p in zip(self.bijectors, params):
            x, log_det = bijector.forward(p, x)
            total += log_det
        return x, total

    def inverse(self, params, y):
        total = 0.0
        for bijector, p in reversed(list(zip(self.bijectors, params))):
            y, log_det = bijector.inverse(p, y)
            total = total + log_det
        return y, total


def build(dim, n_layers=3):
    layers = []
    for i in range(n_layers):
        layers += [AffineCoupling(dim, i % 2), LinearLU(dim)]
    return Chain(*layers)


def log_density(flow, params, x):
    z, log_det = flow.inverse(params, x)
    return stats.norm.logpdf(z).sum(-1) + log_det


def sample_and_log_density(flow, params, key, n, dim):
    z = jax.random.normal(key, (n, dim))
    x, log_det = flow.forward(params, z)
    return x, stats.norm.logpdf(z).sum(axis=-1) - log_det


def banana(rng, n):
    u = rng.normal(size=(n, 2)) * [1.0, 0.3]
    return np.stack([u[:, 0], u[:, 1] + 0.7 * u[:, 0] ** 2 - 0.7], axis=1).astype(np.float32)


def main():
    rng = np.random.default_rng(0)
    dim = 2
    flow = build(dim)
    params = jax.jit(flow.init)(jax.random.key(0))
    data, held_out = banana(rng, 512), banana(rng, 128)

    @jax.jit
    def step(params, first, second, i, x):
        loss, g = jax.value_and_grad(lambda p: -log_density(flow, p, x).mean())(params)
        first = jax.tree.map(lambda a, b: 0.9 * a + 0.1 * b, first, g)
        second = jax.tree.map(lambda a, b: 0.99 * a + 0.01 * b * b, second, g)
        bias1, bias2 = 1 - 0.9**i, 1 - 0.99**i
        params = jax.tree.map(
            lambda p, m, v: p - 5e-3 * (m / bias1) / (jnp.sqrt(v / bias2) + 1e-8), params, first, second
        )
        return params, first, second, loss

    first = second = jax.tree.map(jnp.zeros_like, params)
    evaluate = jax.jit(lambda p, x: log_density(flow, p, x).mean())
    print(f"held-out log-density before {evaluate(params, held_out):.3f}")
    for i in range(1, 61):
        x = data[rng.integers(len(data), size=64)]
        params, first, second, loss = step(params, first, second, i, x)
    print(f"after {i} steps {evaluate(params, held_out):.3f}")

    samples, log_q = jax.jit(sample_and_log_density, static_argnums=(0, 3, 4))(flow, params, jax.random.key(1), 64, dim)
    gap = jnp.abs(log_density(flow, params, samples) - log_q).max()
    assert gap < 1e-3, gap
    print("samples", samples.shape, "forward and inverse agree")


if __name__ == "__main__":
    main()
