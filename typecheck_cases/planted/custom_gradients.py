"""Functions with their own derivatives."""

import jax
import jax.numpy as jnp


@jax.custom_vjp
def clip_gradient(lo, hi, x):
    return x


def clip_forward(lo, hi, x):
    return x, (lo, hi)  # mistake a: return x [error]


def clip_backward(res, g):
    lo, hi = res
    return None, None, jnp.clip(g, lo, hi)  # mistake b: return (jnp.clip(g, lo, hi),) [error]


clip_gradient.defvjp(clip_forward, clip_backward)


@jax.custom_jvp
def log1pexp(x):
    return jnp.log1p(jnp.exp(x))


@log1pexp.defjvp
def log1pexp_jvp(primals, tangents):
    (x,) = primals
    (t,) = tangents
    return log1pexp(x), jax.nn.sigmoid(x) * t  # mistake c: return log1pexp(x), jax.nn.sigmoid(x).sum() [array-shape]


def loss(w, x):
    h = clip_gradient(-0.1, 0.1, x @ w)  # shows a
    return jnp.sum(log1pexp(h))  # shows c


w = jnp.ones((4, 2))
print(jax.grad(loss)(w, jnp.ones((3, 4))))  # shows b
