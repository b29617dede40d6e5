"""Regression by a Gaussian process."""

import jax
import jax.numpy as jnp
from jax.scipy.linalg import cho_factor, cho_solve, solve_triangular


def rbf(a, b, scale=1.0):
    return jnp.exp(-0.5 * jnp.sum((a - b) ** 2) / scale**2)


def gram(kernel, xs, ys):
    return jax.vmap(lambda x: jax.vmap(lambda y: kernel(x, y))(ys))(xs)  # shows a


def posterior(kernel, x, y, new):
    k = gram(kernel, x, x) + 0.1 * jnp.eye(len(x))
    cross = gram(kernel, new, x)
    factor = jnp.linalg.cholesky(k)  # mistake: factor = jnp.linalg.cholesky(cross) [array-shape]
    alpha = cho_solve((factor, True), y)
    v = solve_triangular(factor, cross.T, lower=True)  # mistake: v = solve_triangular(factor, cross, lower=True) [array-shape]
    return cross @ alpha, jnp.diag(gram(kernel, new, new)) - jnp.sum(v**2, axis=0)


def log_likelihood(scale, x, y):
    k = gram(lambda a, b: rbf(a, b, scale), x, x) + 0.1 * jnp.eye(len(x))  # mistake a: k = gram(lambda a: rbf(a, a, scale), x, x) + 0.1 * jnp.eye(len(x)) [call]
    c = cho_factor(k)
    return -0.5 * y @ cho_solve(c, y) - 0.5 * jnp.linalg.slogdet(k)[1]


x = jnp.linspace(0.0, 1.0, 6)[:, None]
y = jnp.sin(6 * x[:, 0])
new = jnp.linspace(0.0, 1.0, 9)[:, None]
mean, variance = posterior(rbf, x, y, new)
print(mean, variance, jax.grad(log_likelihood)(1.0, x, y))  # mistake: print(mean, variance, jax.grad(log_likelihood)(1, x, y)) [array-dtype]
