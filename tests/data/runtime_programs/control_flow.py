"""Control flow: cond, switch, while_loop, fori_loop, scan, and Python's own under jit with static arguments."""

from functools import partial

import jax
import jax.numpy as jnp
from jax import grad, jit, lax, vmap


@partial(jit, static_argnames=("n",))
def power(x, n):
    y = 1.0
    for _ in range(n):
        y = y * x
    return y


print(power(2.0, n=3), grad(power)(3.0, 4), [str(power(jnp.float32(k), n=k)) for k in range(3)])


@jit
def absolute(x):
    return lax.cond(x >= 0, lambda v: v, lambda v: -v, x)


print(absolute(-3.0), vmap(absolute)(jnp.array([-1.0, 2.0])), grad(absolute)(-2.0))


def collatz(n):
    def body(state):
        n, steps = state
        return jnp.where(n % 2 == 0, n // 2, 3 * n + 1), steps + 1

    return lax.while_loop(lambda s: s[0] != 1, body, (n, 0))[1]


print(vmap(jit(collatz))(jnp.arange(1, 12)))


def branches(i, x):
    return lax.switch(i, [jnp.sin, jnp.cos, lambda v: v * 2], x)


print([branches(k, 1.0) for k in (-1, 0, 1, 2, 9)])
print(vmap(branches)(jnp.array([0, 1, 2]), jnp.ones(3)), vmap(grad(branches, 1), (0, None))(jnp.arange(3), 0.5))

total = lax.fori_loop(0, 10, lambda i, acc: acc + i * jnp.ones(2), jnp.zeros(2))
carry, ys = lax.scan(lambda c, x: (c + x, c * x), 0.0, jnp.arange(5.0))
print(total, carry, ys)
cumulative = lax.associative_scan(jnp.add, jnp.arange(6))
reversed_scan = lax.scan(lambda c, x: (c * 0.5 + x, c), jnp.float32(1), jnp.arange(4.0), reverse=True)
print(cumulative, reversed_scan)
mapped = lax.map(lambda x: x**2 + 1, jnp.arange(4))
print(mapped, grad(lambda c: lax.scan(lambda s, x: (s * c + x, None), 1.0, jnp.ones(3))[0])(2.0))


def newton(f, x, steps=20):
    return lax.fori_loop(0, steps, lambda _, x: x - f(x) / grad(f)(x), x)


print(newton(lambda x: x**3 - 2, 1.0), jax.jacfwd(lambda a: newton(lambda x: x**2 - a, 1.0))(2.0))


@jit
def mandelbrot(c, limit=30):
    def step(state):
        z, n = state
        return z * z + c, n + 1

    return lax.while_loop(lambda s: (abs(s[0]) < 2) & (s[1] < limit), step, (jnp.zeros_like(c), 0))[1]


grid = jnp.linspace(-2, 0.5, 16) + 1j * jnp.linspace(-1, 1, 7)[:, None]
counts = vmap(vmap(mandelbrot))(grid)
for row in counts:
    print("".join(" .:-=+*#%@"[min(9, int(n) // 3)] for n in row))
for diagnostic in (lambda x: x if x > 0 else -x, lambda x: jnp.zeros(x), lambda x: range(x)):
    try:
        jit(diagnostic)(3)
    except TypeError as error:
        print(isinstance(error, TypeError))
