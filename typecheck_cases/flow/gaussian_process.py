"""Gaussian process regression in double precision: composable kernels, marginal likelihood fit, predictions."""

import operator
from functools import partial, reduce

import jax
import jax.numpy as jnp
import numpy as np
from jax.scipy.linalg import cho_solve, solve_triangular

jax.config.update("jax_enable_x64", True)


class Kernel:
    def __call__(self, params, x, y):
        raise NotImplementedError

    def gram(self, params, xs, ys=None):
        ys = xs if ys is None else ys
        return jax.vmap(lambda x: jax.vmap(lambda y: self(params, x, y))(ys))(xs)

    def __add__(self, other):
        return Combine(operator.add, self, other)

    def __mul__(self, other):
        return Combine(operator.mul, self, other)


class RBF(Kernel):
    def init(self):
        return {"log_scale": jnp.zeros(()), "log_length": jnp.zeros(())}

    def __call__(self, p, x, y):
        r2 = jnp.sum((x - y) ** 2) / jnp.exp(2 * p["log_length"])
        return jnp.exp(p["log_scale"] - 0.5 * r2)


class Periodic(Kernel):
    def __init__(self, period):
        self.period = period

    def init(self):
        return {"log_length": jnp.zeros(()), "log_period": jnp.log(self.period)}

    def __call__(self, p, x, y):
        s = jnp.sin(jnp.pi * (x - y) / jnp.exp(p["log_period"]))
        return jnp.exp(-2 * jnp.sum(s**2) / jnp.exp(2 * p["log_length"]))


class Combine(Kernel):
    def __init__(self, op, *kernels):
        self.op = op
        self.kernels = kernels

    def init(self):
        return [k.init() for k in self.kernels]

    def __call__(self, params, x, y):
        return reduce(self.op, (k(p, x, y) for k, p in zip(self.kernels, params)))


def factorize(kernel, params, x, jitter=1e-8):
    K = kernel.gram(params["kernel"], x)
    noise = jnp.exp(2 * params["log_noise"])
    return jnp.linalg.cholesky(K + (noise + jitter) * jnp.eye(len(x)))


def neg_log_marginal(kernel, params, x, y):
    L = factorize(kernel, params, x)
    alpha = cho_solve((L, True), y)
    return 0.5 * y @ alpha + jnp.log(jnp.diagonal(L)).sum() + 0.5 * len(x) * np.log(2 * np.pi)


@partial(jax.jit, static_argnums=0)
def predict(kernel, params, x, y, x_new):
    L = factorize(kernel, params, x)
    Ks = kernel.gram(params["kernel"], x, x_new)
    mean = Ks.T @ cho_solve((L, True), y)
    V = solve_triangular(L, Ks, lower=True)
    cov = kernel.gram(params["kernel"], x_new) - V.T @ V
    return mean, cov


def fit(kernel, x, y, steps=40, lr=0.08, momentum=0.8):
    params = {"kernel": kernel.init(), "log_noise": jnp.log(0.3)}
    velocity = jax.tree.map(jnp.zeros_like, params)
    objective = jax.value_and_grad(lambda p: neg_log_marginal(kernel, p, x, y) / len(x))

    @jax.jit
    def train(carry):
        def step(carry, _):
            p, v = carry
            loss, g = objective(p)
            v = jax.tree.map(lambda vi, gi: momentum * vi - lr * gi, v, g)
            return (jax.tree.map(jnp.add, p, v), v), loss

        return jax.lax.scan(step, carry, None, length=steps)

    (params, _), losses = train((params, velocity))
    return params, losses


def standardize(y):
    mu, sd = y.mean(), y.std()
    return (y - mu) / sd, lambda z: z * sd + mu


def main():
    rng = np.random.default_rng(11)
    x = np.sort(rng.uniform(0, 8, size=(30, 1)), axis=0)
    raw = 10 + 0.8 * x[:, 0] + 2 * np.sin(2 * np.pi * x[:, 0] / 2.0) + 0.2 * rng.normal(size=30)
    y, restore = standardize(raw)

    kernel = RBF() + RBF() * Periodic(period=2.1)
    params, losses = fit(kernel, x, y)
    print(f"negative log marginal likelihood per point: {losses[0]:.3f} -> {losses[-1]:.3f} ({losses.dtype})")
    _, (_, periodic) = params["kernel"]
    print(f"learned period {jnp.exp(periodic['log_period']):.3f}, noise {jnp.exp(params['log_noise']):.3f}")

    x_new = np.linspace(0, 9, 7)[:, None]
    mean, cov = predict(kernel, params, x, y, x_new)
    sd = jnp.sqrt(jnp.clip(jnp.diag(cov), min=0))
    for xi, m, lo, hi in zip(x_new[:, 0], *map(restore, (mean, mean - 2 * sd, mean + 2 * sd))):
        print(f"  x={xi:4.1f}: {m:6.2f}  [{lo:6.2f}, {hi:6.2f}]")

    draws = jax.random.multivariate_normal(jax.random.key(0), mean, cov, shape=(5,), method="svd")
    print("posterior draws", draws.shape, "correlated:", bool(jnp.corrcoef(draws.T)[0, 0] > 0.99))


if __name__ == "__main__":
    main()
