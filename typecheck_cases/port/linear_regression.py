"""Linear regression by gradient descent and by the normal equations."""

import numpy as np
from numpy.linalg import lstsq, norm


def make_data(rng, n, weights):
    x = rng.normal(size=(n, len(weights)))
    noise = 0.1 * rng.standard_normal(n)
    return x, x @ weights + noise


def loss(w, x, y):
    residual = x @ w - y
    return np.mean(residual**2)


def gradient(w, x, y):
    return 2 * x.T @ (x @ w - y) / len(y)


def fit(x, y, steps=20, rate=0.1):
    w = np.zeros(x.shape[1])
    history = []
    for _ in range(steps):
        w = w - rate * gradient(w, x, y)
        history.append(loss(w, x, y))
    return w, history


def main():
    rng = np.random.default_rng(0)
    true = np.array([1.5, -2.0, 0.5])
    x, y = make_data(rng, 64, true)
    w, history = fit(x, y)
    losses = np.array(history)
    exact = np.linalg.solve(x.T @ x, x.T @ y)
    other, residuals, rank, singular = lstsq(x, y, rcond=None)
    error = norm(w - exact) / norm(exact)
    r2 = 1 - np.sum((y - x @ w) ** 2) / np.sum((y - y.mean()) ** 2)
    print(float(error), float(r2), losses[-1] < losses[0], other.shape, singular.dtype)


main()
