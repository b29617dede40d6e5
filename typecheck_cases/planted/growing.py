"""Shapes that change from one iteration, or one call, to the next."""

import jax.numpy as jnp


def moments(x, order):
    columns = [x**i for i in range(order)]
    return jnp.stack(columns, axis=1)


def extend(history, value):
    return jnp.concatenate([history, value[None]])


def run(steps):
    history = jnp.zeros((1, 3))
    total = jnp.zeros(3)
    for i in range(steps):
        total = total + history[-1]
        average = history.mean(axis=0)  # mistake a: average = history.mean(axis=0) if i < 2 else history.mean(axis=1) [array-shape]
        history = extend(history, total + average + i)  # shows a
    return history


def windows(x, size):
    for start in range(0, x.shape[0], size):
        yield x[start : start + size]


def project(x, basis):
    return jnp.dot(x, basis)  # shows b


def features(x):
    basis = jnp.ones((4, 2))
    parts = [project(w, basis[: w.shape[0]]) for w in windows(x, 4)]  # mistake b: parts = [project(w, basis) for w in windows(x, 4)] [array-shape]
    return jnp.concatenate(parts)


print(run(4).shape)
print(moments(jnp.arange(3.0), 2).shape, features(jnp.arange(10.0)))


def matrix_power(a, n):
    result = a
    while n > 1:
        result = result @ a  # shows c
        n -= 1
    return result


lags = jnp.ones((3, 3))  # mistake c: lags = jnp.ones((3, 2)) [array-shape]
print(matrix_power(lags, 3))
