"""The lower level, where nothing broadcasts or promotes by itself."""

import jax
import jax.numpy as jnp
from jax import lax


def batched_matmul(a, b):
    dims = (((2,), (1,)), ((0,), (0,)))  # mistake a: dims = (((1,), (1,)), ((0,), (0,))) [array-shape]
    return lax.dot_general(a, b, dims)  # shows a


def add_bias(x, bias):
    bias = lax.broadcast_in_dim(bias, x.shape, (2,))  # mistake: bias = lax.broadcast_in_dim(bias, x.shape, (1,)) [array-shape]
    return lax.add(x, bias)


def channels_first(x):
    return lax.transpose(x, (0, 2, 1))  # mistake: return lax.transpose(x, (0, 3, 1, 2)) [array-dim]


def largest(x):
    return lax.reduce(x, -jnp.inf, lax.max, (1, 2))


@jax.checkpoint
def block(a, b, bias):
    return add_bias(batched_matmul(a, b), bias)


def halves(x):
    scale = lax.full((), 0.5, x.dtype)
    return lax.mul(x, lax.broadcast(scale, x.shape))  # mistake: return lax.mul(x, lax.iota(jnp.int32, x.shape[0])) [array-dtype]


a, b, bias = jnp.ones((2, 3, 4)), jnp.ones((2, 4, 5)), jnp.ones(5)
grads = jax.grad(lambda a: block(a, b, bias).sum())(a)
out = channels_first(block(a, b, bias))
print(grads.shape, largest(out), halves(bias), jnp.matmul(a, b).shape)  # mistake: print(grads.shape, largest(out), halves(bias), jnp.matmul(a, 0.5).shape) [array-dim]
