"""An integrator in double precision."""

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)

PARAMS = np.array([10.0, 28.0, 8.0 / 3.0])


def lorenz(state, params):
    x, y, z = state
    s, r, b = params
    return jnp.stack([s * (y - x), x * (r - z) - y, x * y - b * z])


def rk4(f, y, dt):
    k1 = f(y)
    k2 = f(y + dt / 2 * k1)
    k3 = f(y + dt / 2 * k2)
    k4 = f(y + dt * k3)
    return y + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


@jax.jit
def integrate(y0, dt):
    def step(y, _):
        y = rk4(lambda y: lorenz(y, PARAMS), y, dt)
        return y, y

    return jax.lax.scan(step, y0, length=20)  # shows a


y0 = jnp.ones(3)  # mistake a: y0 = jnp.ones(3, jnp.float32) [array-dtype]
last, path = integrate(y0, 0.01)
print(last.dtype, path.shape)


def count(limit):
    return jax.lax.while_loop(lambda s: s < limit, lambda s: s * 2, jnp.int64(1))


def total(n):
    add = lambda i, acc: acc + jnp.sqrt(jnp.float64(i))
    return jax.lax.fori_loop(0, n, add, jnp.zeros(()))  # mistake: return jax.lax.fori_loop(0, n, add, jnp.zeros((), "float32")) [array-dtype]


print(count(100), total(5))
