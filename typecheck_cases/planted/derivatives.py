"""Jacobians, Hessians, and products with them."""

import jax
import jax.numpy as jnp


def energy(x):
    return jnp.sum(jnp.cos(x) * x[::-1]) + 0.5 * jnp.vdot(x, x)


def field(x):
    return jnp.stack([x[0] * x[1], jnp.sin(x[2])])


def hvp(f, x, v):
    return jax.jvp(jax.grad(f), (x,), (v,))[1]  # mistake: return jax.jvp(jax.grad(f), (x,), (v[:2],))[1] [array-shape]


def pullback(f, x):
    y, back = jax.vjp(f, x)
    (gx,) = back(jnp.ones_like(y))  # mistake: (gx,) = back(jnp.ones_like(x)) [array-shape]
    return gx


def newton_step(x):
    return x - jnp.linalg.solve(jax.hessian(energy)(x), jax.grad(energy)(x))


def sensitivities(x):
    jac = jax.jacfwd(field)(x)  # shows a
    return jac @ x  # mistake: return x @ jac [array-shape]


x = jnp.array([1.0, 2.0, 3.0])  # mistake a: x = jnp.array([1, 2, 3]) [array-dtype]
print(energy(x), sensitivities(x), pullback(field, x))
print(hvp(energy, x, jnp.ones(3)), newton_step(x))
curvature = jax.grad(lambda t: energy(t * x))(0.5)
print(curvature)
