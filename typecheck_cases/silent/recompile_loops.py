"""Training loops in which a function is compiled once, and twins in which it is compiled again and again."""

import functools

import jax
import jax.numpy as jnp
from jax import lax

DATA = jnp.arange(96.0).reshape(32, 3)


def loss(w, batch):
    return jnp.mean((batch @ w) ** 2)


gradient = jax.jit(jax.grad(loss))


def train(batch_size):
    w = jnp.ones(3)
    for _ in range(2):
        for start in range(0, DATA.shape[0], batch_size):
            w = w - 0.001 * gradient(w, DATA[start : start + batch_size])  # shows a
    return w


print(train(8))  # mistake a: print(train(12)) [array-recompile]


class Layer:
    """A dense layer with a jitted method."""

    def __init__(self, size):
        self.w = jnp.ones((size, size))
        self.fast = jax.jit(self.forward)

    def forward(self, x):
        return jnp.tanh(x @ self.w)

    def __call__(self, x):
        return self.fast(x)  # mistake: return jax.jit(self.forward)(x) [array-recompile]


layer = Layer(3)
x = DATA
for _ in range(4):
    x = layer(x)
print(x.sum())

square = jax.jit(lambda v: v**2)
total = jnp.zeros(())
for i in range(4):
    total += square(DATA[i]).sum()  # mistake: total += jax.jit(lambda v: v**2)(DATA[i]).sum() [array-recompile]
print(total)


def scaled(v, by):
    return v * by


double = jax.jit(functools.partial(scaled, by=2.0))
for i in range(4):
    total += double(DATA[i]).sum()  # mistake: total += jax.jit(functools.partial(scaled, by=2.0))(DATA[i]).sum() [array-recompile]
print(total)

hessian = jax.jit(jax.hessian(loss))
for i in range(4):
    total += hessian(jnp.ones(3), DATA).sum()  # mistake: total += jax.jit(jax.hessian(loss))(jnp.ones(3), DATA).sum() [array-recompile]
print(total)


def accumulate(carry, row):
    return carry + row.sum(), carry


for _ in range(4):
    total, _partial_sums = lax.scan(accumulate, total, DATA)  # mistake: total, _partial_sums = lax.scan(lambda c, row: (c + row.sum(), c), total, DATA) [array-recompile]
print(total)


def newton(x, step):
    for _ in range(5):
        x = step(x)
    return x


def make_step(rate):
    @jax.jit
    def step(x):
        return x - rate * (x**2 - 2)

    return step


for rate in (0.1, 0.2, 0.3):
    print(newton(jnp.ones(()), make_step(rate)))
for _ in range(3):
    print(newton(jnp.ones(()), make_step(0.1)))


def evaluate(w):
    """The error, of which the function is jitted once."""
    return error(w)  # mistake: return jax.jit(lambda w: error_of(w))(w) [array-recompile]


def error_of(w):
    return loss(w, DATA)


error = jax.jit(error_of)
for _ in range(3):
    print(evaluate(jnp.ones(3)), jax.jit(error_of)(jnp.ones(3)))


def smooth(v):
    @jax.jit
    def kernel(u):
        return 0.5 * (u[1:] + u[:-1])

    return kernel(v)  # shows b


smooth_once = jax.jit(lambda v: 0.5 * (v[1:] + v[:-1]))
v = jnp.ones(8)
for _ in range(5):
    w = smooth_once(v)  # mistake b: w = smooth(v) [array-recompile]
print(w)
