"""What changes from call to call is an argument of a jitted function: noise by NumPy, the time, Python's own numbers."""

import random
import time

import jax
import jax.numpy as jnp
import numpy as np

generator = np.random.default_rng(0)


@jax.jit
def perturb(x, noise):
    return x + 0.1 * noise  # mistake: return x + 0.1 * np.random.normal(size=x.shape) [array-leak]


x = jnp.zeros(3)
first = perturb(x, np.random.normal(size=3))
second = perturb(x, np.random.normal(size=3))
print(bool((first == second).all()))


@jax.jit
def crop(image, start):
    return jax.lax.dynamic_slice(image, (start, 0), (2, 4))  # mistake: return jax.lax.dynamic_slice(image, (random.randrange(6), 0), (2, 4)) [array-leak]


random.seed(0)
image = jnp.arange(32.0).reshape(8, 4)
crops = [crop(image, random.randint(0, 6)) for _ in range(8)]
print(len({float(c[0, 0]) for c in crops}) == 1)


@jax.jit
def elapsed(started, now):
    return now - started  # mistake: return time.perf_counter() - started [array-leak]


base = 1.0e6
spans = [float(elapsed(0.0, base + i)) for i in range(3)]
print(len(set(spans)) == 1)


done = 0


@jax.jit
def advance(x):
    return x + 1.0  # mistake: global done; done += 1; return x + 1.0 [array-leak]


for _ in range(3):
    x = advance(x)
    done += 2
print(done == 7)


class Dropout:
    def __init__(self, rate):
        self.rate = rate

    def __call__(self, x, keep):
        return jnp.where(keep, x, 0.0)  # mistake: return jnp.where(generator.random(x.shape) > self.rate, x, 0.0) [array-leak]


dropout = jax.jit(Dropout(0.5).__call__)
masks = [dropout(jnp.ones(16), generator.random(16) > 0.5) for _ in range(3)]
print(all(bool((m == masks[0]).all()) for m in masks))


@jax.jit
def project(x):
    fixed = np.random.RandomState(0).normal(size=(3, 2))  # meant to be the same each time
    return x @ fixed


print(project(jnp.ones(3)), project(jnp.zeros(3)))


@jax.jit
def initialise(scale):
    return scale * np.random.uniform(size=(2, 2))  # called once


print(initialise(0.1).shape)


def simulate(x, shock):
    return 0.9 * x + shock  # mistake: return 0.9 * x + np.random.standard_normal() [array-leak]


simulated = jax.jit(simulate)
state = jnp.zeros(())
path = []
for _ in range(4):
    state = simulated(state, np.random.standard_normal())
    path.append(state)
print(len({round(float(b - 0.9 * a), 4) for a, b in zip(path, path[1:])}) == 1)
