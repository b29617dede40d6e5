"""Newton's method with `while_loop`, and roots for many starts."""

import jax
import jax.numpy as jnp
from jax import lax


def f(x):
    return x**3 - 2.0 * x - 5.0


def newton(x0):
    df = jax.grad(f)

    def cond(state):
        x, i = state
        return (jnp.abs(f(x)) > 1e-5) & (i < 30)  # mistake: return jnp.abs(f(x)) > 1e-5 and i < 30 [array-traced]

    def body(state):
        x, i = state
        return x - f(x) / df(x), i + 1  # mistake a: return x - f(x) / df(x), i + 1.0 [array-dtype]

    x, _ = lax.while_loop(cond, body, (x0, jnp.int32(0)))  # shows a
    return x


def bisect(lo, hi):
    def body(_, bounds):
        lo, hi = bounds
        mid = (lo + hi) / 2
        return lax.cond(f(mid) > 0, lambda: (lo, mid), lambda: (mid, hi))  # mistake: return lax.cond(f(mid) > 0, lambda: (lo, mid), lambda: mid) [error]

    lo, hi = lax.fori_loop(0, 20, body, (lo, hi))  # mistake: lo, hi = lax.fori_loop(20, body, (lo, hi)) [call]
    return lo


print(newton(2.0))
print(jax.vmap(newton)(jnp.linspace(1.5, 3.0, 4)))
print(bisect(jnp.float32(1.0), jnp.float32(3.0)))
