"""Arguments of `jit` that are not arrays."""

import functools

import jax
import jax.numpy as jnp


@functools.partial(jax.jit, static_argnames=("kind", "axes"))
def reduce(x, kind, axes=(0,)):
    if kind == "mean":
        return x.mean(axis=axes)
    if kind == "max":
        return x.max(axis=axes)
    raise ValueError(kind)  # shows b


def loss(name, x, y):
    losses = {"l1": lambda r: jnp.abs(r), "l2": lambda r: r**2}
    return jnp.mean(losses[name](x - y))


fast_loss = jax.jit(loss, static_argnums=0)  # mistake a: fast_loss = jax.jit(loss) [error]

x = jnp.arange(12.0).reshape(3, 4)
print(reduce(x, "mean"))
print(reduce(x, "max", axes=(0, 1)))  # mistake: print(reduce(x, "max", axes=[0, 1])) [error]
print(reduce(x, kind="mean", axes=(1,)))  # mistake b: print(reduce(x, kind="median", axes=(1,))) [error]
print(fast_loss("l2", x, 0.5 * x))  # shows a
