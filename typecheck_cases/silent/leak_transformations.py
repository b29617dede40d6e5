"""Tracers of `grad` and `vmap` alone, without `jit`: what depends on the arguments lives as long as the call."""

import jax
import jax.numpy as jnp

history = []
seen = {}
worst = None


def loss(w, x, y):
    residual = x @ w - y
    value = jnp.mean(residual**2)
    seen["inputs"] = jnp.linalg.norm(x)  # which is not differentiated
    seen["value"] = jax.lax.stop_gradient(value)  # mistake a: seen["value"] = value [array-leak]
    return value, residual


w = jnp.ones(3)
x, y = jnp.eye(4, 3), jnp.arange(4.0)
for _ in range(3):
    (value, residual), gradient = jax.value_and_grad(loss, has_aux=True)(w, x, y)
    w = w - 0.1 * gradient
    history.append(value)
print(history[-1] + 1, seen["inputs"] * 2)
print(seen["value"] + 1)  # shows a


def penalty(w):
    norm = jnp.linalg.norm(w)
    return norm**2, norm  # mistake b: history.append(norm); return norm**2, norm [array-leak]


gradient, norm = jax.grad(penalty, has_aux=True)(w)
print(history[-1].sum())  # shows b


class Scorer:
    def __init__(self):
        self.weights = jnp.arange(3.0)
        self.scale = jnp.float32(1.0)

    def score(self, row):
        scaled = row * self.weights
        self.empty = jnp.zeros_like(row)  # of which jax knows no row
        return scaled.sum()  # mistake c: self.scale = scaled.max(); return scaled.sum() [array-leak]


scorer = Scorer()
scores = jax.vmap(scorer.score)(x)
print(scores, scorer.empty + 1)
print(scores / scorer.scale)  # shows c


def energy(position):
    global worst
    pairs = position[:, None] - position[None, :]
    worst = jnp.zeros(())  # mistake d: worst = jnp.max(pairs) [array-leak]
    return jnp.sum(pairs**2)


forces = jax.vmap(jax.grad(energy))(jnp.ones((2, 5)))
print(forces.shape)
print(worst + 1.0)  # shows d


def outer(w):
    kept = []

    def inner(row):
        kept.append(w * 2)  # the outer function's, which is still under way  # mistake e: kept.append(row * 2) [array-leak]
        return row @ w

    total = jax.vmap(inner)(x).sum()
    return total + kept[0].sum()  # shows e


print(jax.grad(outer)(w))


def hessian_of(w):
    table = []

    def value(w):
        cube = w**3
        return cube.sum()  # mistake f: table.append(cube); return cube.sum() [array-leak]

    curvature = jax.hessian(value)(w)
    table.append(curvature)
    return curvature @ table[0]  # shows f


print(hessian_of(w).shape)


def counted(w):
    calls.append(1)
    return (w**2).sum()


calls = []
jax.grad(counted)(w)
jax.grad(counted)(w)
print(len(calls))
