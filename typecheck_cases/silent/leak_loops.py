"""Bodies of scan, while_loop and cond, methods and generators: values come out as results."""

import functools

import jax
import jax.numpy as jnp
import numpy as np

trace = {}
last = None


def body(carry, x):
    carry = 0.9 * carry + x
    return carry, carry  # mistake a: trace["carry"] = carry; return carry, carry [array-leak]


final, history = jax.lax.scan(body, jnp.zeros(()), jnp.arange(4.0))
trace.setdefault("carry", final)
print(trace["carry"] + history[-1])  # shows a


def grow(x):
    global last
    y = x * 2.0
    return y  # mistake b: last = y; return y [array-leak]


result = jax.lax.while_loop(lambda x: x < 100.0, grow, jnp.float32(1.0))
last = result if last is None else last
print(jnp.sqrt(last))  # shows b


class Layer:
    def __init__(self, key):
        self.weights = jax.random.normal(key, (3, 3))
        self.activations = None

    def __call__(self, x):
        h = jnp.tanh(x @ self.weights)
        return h  # mistake c: self.activations = h; return h [array-leak]


layer = Layer(jax.random.key(0))
forward = jax.jit(lambda x: layer(x).sum())
print(forward(jnp.ones((2, 3))))
layer.activations = jnp.zeros((2, 3)) if layer.activations is None else layer.activations
print(layer.activations.mean())  # shows c


def residual(x, f):
    skipped = []

    def inner(y):
        skipped.append(y)  # a list of its own, that nobody sees behind the call
        return f(y) + skipped[-1]

    return inner(x)


print(jax.jit(lambda x: residual(x, jnp.sin))(jnp.ones(2)))

best = [jnp.float32(-1.0)]


@jax.jit
def score(x):
    value = jnp.sum(x**2)
    return value  # mistake d: best[0] = jnp.maximum(best[0], value); return value [array-leak]


first = score(jnp.ones(3))
best[0] = jnp.maximum(best[0], first)  # shows d
print(best[0])


def with_noise(x, key):
    sample = jax.random.normal(key, x.shape)
    registry.noise = sample if registry.keep else None
    return x + sample


class Registry:
    keep = False  # mistake e: keep = True [array-leak]
    noise = None


registry = Registry()
noisy = jax.jit(with_noise)(jnp.zeros(2), jax.random.key(1))
print(noisy - (0.0 if registry.noise is None else registry.noise))  # shows e

steps = []


@jax.jit
def integrate(x):
    for _ in range(3):
        x = x + 0.1 * jnp.cos(x)
        steps.append(x.shape)  # mistake f: steps.append(x) [array-leak]
    return x


end = integrate(jnp.zeros(()))
totals = [s if s == () else s + end for s in steps]  # shows f
print(totals)


@functools.lru_cache(maxsize=None)
def window(length):
    return np.hanning(length)  # mistake g: return jnp.hanning(length) [array-leak]


@jax.jit
def smooth(signal):
    return signal * window(4)


@jax.jit
def taper(signal):
    return 0.5 * signal * window(4)  # shows g


print(smooth(jnp.ones(4)), taper(jnp.ones(4)))
