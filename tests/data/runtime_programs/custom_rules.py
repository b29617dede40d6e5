"""Custom derivatives: log1pexp, a safe root, clipped gradients, a fixed point by the implicit function theorem."""

from functools import partial

import jax
import jax.numpy as jnp
from jax import custom_jvp, custom_vjp, grad, jit, lax, vmap


@custom_jvp
def log1pexp(x):
    return jnp.log(1.0 + jnp.exp(x))


@log1pexp.defjvp
def log1pexp_jvp(primals, tangents):
    (x,), (x_dot,) = primals, tangents
    return log1pexp(x), (1 - 1 / (1 + jnp.exp(x))) * x_dot


print(log1pexp(3.0), jit(grad(log1pexp))(100.0), vmap(jit(grad(log1pexp)))(jnp.arange(3.0)))


@partial(custom_vjp, nondiff_argnums=(0, 1))
def clip_gradient(lo, hi, x):
    return x


def clip_fwd(lo, hi, x):
    return x, None


def clip_bwd(lo, hi, _, g):
    return (jnp.clip(g, lo, hi),)


clip_gradient.defvjp(clip_fwd, clip_bwd)
ts = jnp.linspace(0, 2 * jnp.pi, 5)
print(vmap(grad(jnp.sin))(ts), vmap(grad(lambda x: clip_gradient(-0.75, 0.75, jnp.sin(x))))(ts))
print(vmap(grad(lambda x: jnp.sin(clip_gradient(-0.75, 0.75, x))))(ts))


@partial(custom_vjp, nondiff_argnums=(0,))
def fixed_point(f, a, x_guess):
    def cond_fun(carry):
        x_prev, x = carry
        return jnp.abs(x_prev - x) > 1e-6

    def body_fun(carry):
        _, x = carry
        return x, f(a, x)

    _, x_star = lax.while_loop(cond_fun, body_fun, (x_guess, f(a, x_guess)))
    return x_star


def fixed_point_fwd(f, a, x_init):
    x_star = fixed_point(f, a, x_init)
    return x_star, (a, x_star)


def rev_iter(f, packed, u):
    a, x_star, x_star_bar = packed
    _, vjp_x = jax.vjp(lambda x: f(a, x), x_star)
    return x_star_bar + vjp_x(u)[0]


def fixed_point_rev(f, res, x_star_bar):
    a, x_star = res
    _, vjp_a = jax.vjp(lambda a: f(a, x_star), a)
    (a_bar,) = vjp_a(fixed_point(partial(rev_iter, f), (a, x_star, x_star_bar), x_star_bar))
    return a_bar, jnp.zeros_like(x_star)


fixed_point.defvjp(fixed_point_fwd, fixed_point_rev)


def newton_sqrt(a):
    def update(a, x):
        return 0.5 * (x + a / x)

    return fixed_point(update, a, a)


print(newton_sqrt(2.0), grad(newton_sqrt)(2.0), grad(grad(newton_sqrt))(2.0), jnp.sqrt(2.0))
print(jit(vmap(newton_sqrt))(jnp.array([1.0, 2.0, 3.0, 4.0])))


@custom_jvp
def scaled(x, y):
    return jnp.sin(x) * y


scaled.defjvps(
    lambda x_dot, primal_out, x, y: jnp.cos(x) * x_dot * y, lambda y_dot, primal_out, x, y: jnp.sin(x) * y_dot
)
value, tangent = jax.jvp(scaled, (3.0, 2.0), (1.0, 0.5))
print(value, tangent, grad(scaled, argnums=(0, 1))(3.0, 2.0))
