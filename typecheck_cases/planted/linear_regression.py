"""Least squares by gradient descent, with the data in a column or not."""

import jax
import jax.numpy as jnp


def make_data(key, n, d):
    k1, k2, k3 = jax.random.split(key, 3)  # mistake: k1, k2, k3 = jax.random.split(key) [error]
    x = jax.random.normal(k1, (n, d))
    true_w = jax.random.normal(k2, (d,))
    noise = 0.1 * jax.random.normal(k3, (n,))
    y = x @ true_w + noise  # mistake a: y = (x @ true_w + noise)[:, None] [array-shape]
    return x, y


def gradient(w, x, y):
    residual = x @ w - y
    return residual @ x / x.shape[0]  # mistake: return x @ residual / x.shape[0] [array-shape]


def fit(x, y, steps=20):
    def body(i, w):
        return w - 0.1 * gradient(w, x, y)

    return jax.lax.fori_loop(0, steps, body, jnp.zeros(x.shape[1]))  # shows a


def main():
    x, y = make_data(jax.random.key(1), 50, 4)
    w = fit(x, y)
    print(w, jnp.linalg.norm(x @ w - y))


main()
